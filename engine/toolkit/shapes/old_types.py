"""The preset shapes of DrawingML by the number of their type in older files, RTF and VML ([MS-ODRAW] 2.4.24)."""

from __future__ import annotations

_PRESETS = {
    1: "rect roundRect ellipse diamond triangle rtTriangle parallelogram trapezoid hexagon octagon plus star5 "
       "rightArrow rightArrow homePlate cube wedgeRoundRectCallout",
    19: "arc line plaque can donut",
    32: "straightConnector1 bentConnector2 bentConnector3 bentConnector4 bentConnector5 curvedConnector2 "
        "curvedConnector3 curvedConnector4 curvedConnector5 callout1 callout2 callout3 accentCallout1 accentCallout2 "
        "accentCallout3 borderCallout1 borderCallout2 borderCallout3 accentBorderCallout1 accentBorderCallout2 "
        "accentBorderCallout3 ribbon ribbon2 chevron pentagon noSmoking star8 star16 star32 wedgeRectCallout "
        "wedgeRoundRectCallout wedgeEllipseCallout wave foldedCorner leftArrow downArrow upArrow leftRightArrow "
        "upDownArrow irregularSeal1 irregularSeal2 lightningBolt heart rect quadArrow leftArrowCallout "
        "rightArrowCallout upArrowCallout downArrowCallout leftRightArrowCallout upDownArrowCallout quadArrowCallout "
        "bevel leftBracket rightBracket leftBrace rightBrace leftUpArrow bentUpArrow bentArrow star24 "
        "stripedRightArrow notchedRightArrow blockArc smileyFace verticalScroll horizontalScroll circularArrow",
    101: "uturnArrow curvedRightArrow curvedLeftArrow curvedUpArrow curvedDownArrow cloudCallout ellipseRibbon "
         "ellipseRibbon2 flowChartProcess flowChartDecision flowChartInputOutput flowChartPredefinedProcess "
         "flowChartInternalStorage flowChartDocument flowChartMultidocument flowChartTerminator flowChartPreparation "
         "flowChartManualInput flowChartManualOperation flowChartConnector flowChartPunchedCard flowChartPunchedTape "
         "flowChartSummingJunction flowChartOr flowChartCollate flowChartSort flowChartExtract flowChartMerge",
    130: "flowChartOnlineStorage flowChartMagneticTape flowChartMagneticDisk flowChartMagneticDrum flowChartDisplay "
         "flowChartDelay",
    176: "flowChartAlternateProcess flowChartOffpageConnector",
    182: "leftRightUpArrow sun moon bracketPair bracePair star4 doubleWave actionButtonBlank actionButtonHome "
         "actionButtonHelp actionButtonInformation actionButtonForwardNext actionButtonBackPrevious actionButtonEnd "
         "actionButtonBeginning actionButtonReturn actionButtonDocument actionButtonSound actionButtonMovie",
    202: "rect",
}  # fmt: skip
"""Presets by the number of the type of shape ([MS-ODRAW] 2.4.24), from each first number on."""
NAMES = {start + at: name for start, names in _PRESETS.items() for at, name in enumerate(names.split())}
"""The preset of each type, if it has one."""
UPSIDE_DOWN = 8
"""The type of a trapezoid, which stands on its shorter side, unlike the preset."""
