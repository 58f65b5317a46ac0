' Loads one document without a window, lays out its sheets, and writes it in another format. Every value is an argument or an answer:
' nothing is read from the document but what is asked for here.

Global gDocument As Object
Global gPages As Long

Sub Answer(sName As String, sValue As String)
  Dim nFile As Integer
  nFile = FreeFile
  Open Environ("SUITE_FOLDER") & "/answers" For Append As #nFile
  Print #nFile, sName & "=" & sValue
  Close #nFile
End Sub

Sub OpenDocument(sSource As String, sName As String, sFilter As String, sView As String)
  Dim aLoad(6) As New com.sun.star.beans.PropertyValue
  Dim aShow(1) As New com.sun.star.beans.PropertyValue
  On Error GoTo Failed
  aLoad(0).Name = "Hidden"
  aLoad(0).Value = True
  aLoad(1).Name = "FilterName"
  aLoad(1).Value = sFilter
  ' com.sun.star.document.MacroExecMode.NEVER_EXECUTE
  aLoad(2).Name = "MacroExecutionMode"
  aLoad(2).Value = 0
  ' com.sun.star.document.UpdateDocMode.NO_UPDATE
  aLoad(3).Name = "UpdateDocMode"
  aLoad(3).Value = 0
  aLoad(4).Name = "Silent"
  aLoad(4).Value = True
  aLoad(5).Name = "URL"
  aLoad(5).Value = sName
  ' From a stream the name of the document has no folder. But it then can't be changed, nor its sheets be hidden.
  If sSource <> "" Then
    aLoad(6).Name = "InputStream"
    aLoad(6).Value = CreateUnoService("com.sun.star.ucb.SimpleFileAccess").openFileRead(sSource)
  End If
  If sView = "never" Then
    ' Comments stay, and what would show them is never opened.
    gDocument = CreateUnoService("com.sun.star.text.TextDocument")
    gDocument.load(aLoad())
  ElseIf sView = "no" Then
    gDocument = CreateUnoService("com.sun.star.text.TextDocument")
    gDocument.load(aLoad())
    DropComments
    aShow(0).Name = "Hidden"
    aShow(0).Value = True
    aShow(1).Name = "Model"
    aShow(1).Value = gDocument
    StarDesktop.loadComponentFromURL("private:object", "_blank", 0, aShow())
  Else
    gDocument = StarDesktop.loadComponentFromURL(sName, "_blank", 0, aLoad())
  End If
  If IsNull(gDocument) Then
    Answer("unreadable", "")
  Else
    Answer(IIf(gDocument.allowMacroExecution(), "unsafe", "opened"), "")
  End If
  Exit Sub
Failed:
  Answer("unreadable", Error$)
End Sub

' Comments of a text are not drawn; and where the suite was installed without its dialogs, the window that shows one beside
' the text ends the process. It is opened with the document's view, before which they have to be gone.
Sub DropComments
  Dim oFields As Object
  Dim oField As Object
  Dim aFound(0) As Object
  Dim nFound As Long
  Dim i As Long
  ' While changes are recorded nothing is removed, only marked.
  gDocument.RecordChanges = False
  oFields = gDocument.getTextFields().createEnumeration()
  While oFields.hasMoreElements()
    oField = oFields.nextElement()
    If oField.supportsService("com.sun.star.text.textfield.Annotation") Then
      ReDim Preserve aFound(nFound)
      aFound(nFound) = oField
      nFound = nFound + 1
    End If
  Wend
  For i = 0 To nFound - 1
    aFound(i).dispose()
  Next i
End Sub

Sub ListFonts
  Dim aFonts
  Dim i As Integer
  aFonts = CreateUnoService("com.sun.star.awt.Toolkit").createScreenCompatibleDevice(1, 1).getFontDescriptors()
  Answer("fonts", CStr(UBound(aFonts) + 1))
  For i = 0 To UBound(aFonts)
    Answer("font", aFonts(i).Name)
  Next i
End Sub

Sub ListSheets
  Dim i As Integer
  Dim oSheet As Object
  Dim oCursor As Object
  For i = 0 To gDocument.Sheets.Count - 1
    oSheet = gDocument.Sheets.getByIndex(i)
    Answer("every", oSheet.Name)
    oCursor = oSheet.createCursor()
    oCursor.gotoEndOfUsedArea(False)
    Answer("rows", CStr(oCursor.RangeAddress.EndRow + 1))
    Answer("columns", CStr(oCursor.RangeAddress.EndColumn + 1))
    Answer(IIf(oSheet.IsVisible, "shown", "hidden"), oSheet.Name)
  Next i
End Sub

Sub CountSlides
  Dim i As Integer
  Dim nShown As Integer
  For i = 0 To gDocument.DrawPages.Count - 1
    If gDocument.DrawPages.getByIndex(i).Visible Then nShown = nShown + 1
  Next i
  Answer("shown", CStr(nShown))
  Answer("hidden", CStr(gDocument.DrawPages.Count - nShown))
End Sub

Sub ChooseSheet(sSheet As String)
  Dim i As Integer
  Dim nSheet As Integer
  On Error GoTo Failed
  nSheet = CInt(sSheet)
  gDocument.Sheets.getByIndex(nSheet).IsVisible = True
  For i = 0 To gDocument.Sheets.Count - 1
    gDocument.Sheets.getByIndex(i).IsVisible = (i = nSheet)
  Next i
  Answer("chosen", sSheet)
  Exit Sub
Failed:
  Answer("failed", Error$)
End Sub

' Lengths in 1/100 mm; 0 leaves the paper as it is. sTurn and sFit are "document" or what to change it to.
Sub LayOutSheets(sWidth As String, sHeight As String, sTurn As String, sFit As String)
  Dim i As Integer
  Dim oStyles As Object
  Dim oStyle As Object
  Dim bWide As Boolean
  Dim nShort As Long
  Dim nLong As Long
  On Error GoTo Failed
  oStyles = gDocument.StyleFamilies.getByName("PageStyles")
  For i = 0 To oStyles.Count - 1
    oStyle = oStyles.getByIndex(i)
    bWide = oStyle.IsLandscape
    If sTurn <> "document" Then bWide = (sTurn = "landscape")
    nShort = CLng(sWidth)
    nLong = CLng(sHeight)
    If nShort = 0 Then
      nShort = oStyle.Width
      nLong = oStyle.Height
      If nShort > nLong Then
        nShort = oStyle.Height
        nLong = oStyle.Width
      End If
    End If
    oStyle.IsLandscape = bWide
    If bWide Then
      oStyle.Width = nLong
      oStyle.Height = nShort
    Else
      oStyle.Width = nShort
      oStyle.Height = nLong
    End If
    If sFit <> "document" Then
      oStyle.ScaleToPagesX = 1
      oStyle.ScaleToPagesY = IIf(sFit = "page", 1, 0)
    End If
  Next i
  Answer("laidout", "")
  Exit Sub
Failed:
  Answer("failed", Error$)
End Sub

Sub WriteAs(sTarget As String, sFilter As String)
  Dim aStore(0) As New com.sun.star.beans.PropertyValue
  On Error GoTo Failed
  aStore(0).Name = "FilterName"
  aStore(0).Value = sFilter
  gDocument.storeToURL(sTarget, aStore())
  Answer("written", "")
  Exit Sub
Failed:
  Answer("failed", Error$)
End Sub

Sub WritePdf(sTarget As String, sFilter As String, sPages As String, sHidden As String, sNotes As String, sTold As String)
  Dim aStore(2) As New com.sun.star.beans.PropertyValue
  Dim aData(5) As New com.sun.star.beans.PropertyValue
  On Error GoTo Failed
  aData(0).Name = "UseTaggedPDF"
  aData(0).Value = True
  aData(1).Name = "ExportHiddenSlides"
  aData(1).Value = (sHidden = "yes")
  aData(2).Name = "ExportNotesPages"
  aData(2).Value = (sNotes = "yes")
  aData(3).Name = "ExportFormFields"
  aData(3).Value = False
  aData(4).Name = "PageRange"
  aData(4).Value = sPages
  aData(5).Name = "ExportNotes"
  aData(5).Value = False
  aStore(0).Name = "FilterName"
  aStore(0).Value = sFilter
  aStore(1).Name = "FilterData"
  aStore(1).Value = aData()
  aStore(2).Name = "StatusIndicator"
  If sTold = "yes" Then aStore(2).Value = CreateUnoListener("Drawn_", "com.sun.star.task.XStatusIndicator")
  gDocument.storeToURL(sTarget, aStore())
  Answer("written", "")
  Exit Sub
Failed:
  Answer("failed", Error$)
End Sub

' What the suite tells while it writes: com.sun.star.task.XStatusIndicator.
Sub Drawn_start(sText, nPages)
  gPages = nPages
End Sub

Sub Drawn_setValue(nDrawn)
  Dim nFile As Integer
  nFile = FreeFile
  Open Environ("SUITE_FOLDER") & "/pages" For Append As #nFile
  Print #nFile, CStr(nDrawn) & " " & CStr(gPages)
  Close #nFile
End Sub

Sub Drawn_setText(sText)
End Sub

Sub Drawn_reset
End Sub

Sub Drawn_end
End Sub

Sub Drawn_disposing(oEvent)
End Sub
