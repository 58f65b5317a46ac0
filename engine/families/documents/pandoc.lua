-- What every document goes through between pandoc's reader and its writer.
-- Told by the environment: DOCUMENT_INPUT and DOCUMENT_OUTPUT (format ids), DOCUMENT_PICTURES (files | embed | drop),
-- DOCUMENT_ID (an identifier for a book that has none), DOCUMENT_MARKS (moved, where marks were made plain characters),
-- DOCUMENT_REFERENCES (set, where citeproc has put references for citations). Tells by log messages of the form "kind<TAB>detail".

local input = os.getenv("DOCUMENT_INPUT")
local output = os.getenv("DOCUMENT_OUTPUT")
local pictures = os.getenv("DOCUMENT_PICTURES")
local stringify = pandoc.utils.stringify

local plain_output = {
  markdown = true, rst = true, txt = true, asciidoc = true, mediawiki = true, jira = true, org = true, typst = true,
  ipynb = true, opml = true, fb2 = true, docbook = true,
}
local container = { docx = true, odt = true, epub = true, rtf = true, fb2 = true }
-- Where a title is also what the file calls itself: one that is not apt for the text is taken out of it later.
local dressed = { docx = true, odt = true }
local named_title = { epub = true, fb2 = true, opml = true }
-- What people write by hand, or in cells.
local markup = {
  ipynb = true, latex = true, org = true, asciidoc = true, typst = true, docbook = true, mediawiki = true, jira = true,
  textile = true, man = true, fb2 = true, opml = true,
}
-- Raw text of these formats is text of their own where they are written.
local kin = { tex = "latex", latex = "latex", docbook5 = "docbook", typst = "typst", org = "org", asciidoc = "asciidoc" }
-- Elsewhere the title is what a window or a list of files shows, and the text has headings of its own.
local title_is_content = { docx = true, rst = true, markdown = true, odt = true, epub = true }
for each in pairs(markup) do
  title_is_content[each] = true
end

local function tell(kind, detail)
  pandoc.log.warn(kind .. "\t" .. (detail or ""))
end

-- Pictures

local names, count = {}, 0
local extensions = {
  ["image/png"] = "png", ["image/jpeg"] = "jpg", ["image/gif"] = "gif", ["image/webp"] = "webp",
  ["image/svg+xml"] = "svg", ["image/bmp"] = "bmp", ["image/tiff"] = "tiff",
}

local function stored(src)
  -- The name and type of an embedded picture, renamed to something readable; nil for one that is not embedded.
  if names[src] then
    return names[src]
  end
  local mime, contents = pandoc.mediabag.lookup(src)
  if not contents and src:match("^data:") then
    local good
    good, mime, contents = pcall(pandoc.mediabag.fetch, src)
    if not good then
      contents = nil
    end
  end
  if not contents then
    return nil
  end
  mime = (mime or ""):match("^[^;]*")
  local ending = src:match("%.(%w%w%w%w?)$")
  if input == "rtf" and mime:match("emf$") then -- what stands in for pictures that its reader does not know
    if contents:match("^<svg") then
      mime = "image/svg+xml"
    elseif contents:sub(1, 4) == "\xd7\xcd\xc6\x9a" then
      mime, ending = "image/x-wmf", "wmf"
    end
  end
  count = count + 1
  local extension = extensions[mime] or ending or "bin"
  local picture = { name = "picture-" .. count .. "." .. extension, mime = mime, contents = contents }
  pandoc.mediabag.insert(picture.name, mime, contents)
  pandoc.mediabag.delete(src)
  names[src] = picture
  return picture
end

local function instead(image)
  if #image.caption > 0 then
    return output == "txt" and pandoc.Span({ pandoc.Str("["), pandoc.Span(image.caption), pandoc.Str("]") })
      or pandoc.Span(image.caption)
  end
  return {}
end

local function spell_title(element)
  -- The writer of Markdown leaves quotes within quotes as they are.
  if output == "markdown" then
    element.title = element.title:gsub('[\\"]', '\\%0')
  end
end

local function image(element)
  spell_title(element)
  local picture = stored(element.src)
  if element.attributes.style then
    element.attributes.style = nil
  end
  if input == "odt" then
    element.title = "" -- a spelling of the picture's name for addresses, not what it shows
  end
  if output == "markdown" then
    element.attr = pandoc.Attr()
  end
  if picture then
    if output == "txt" or pictures == "drop" then
      tell("picture")
      return instead(element)
    end
    if not extensions[picture.mime] and (container[output] and output ~= "docx" and output ~= "odt"
        or output == "html" or output == "pdf") then
      tell("picture-format", picture.mime)
      return instead(element)
    end
    if output == "html" or output == "pdf" or pictures == "embed" then
      element.src = pandoc.mediabag.make_data_uri(picture.mime, picture.contents)
    else
      element.src = picture.name
    end
    return element
  end
  if element.src:match("^data:") then
    tell("picture-format", element.src:sub(1, 30))
    return instead(element)
  end
  if container[output] then
    tell("outside", element.src:sub(1, 200))
    if element.src:match("^https?://") then
      local caption = #element.caption > 0 and element.caption or { pandoc.Str(element.src) }
      return pandoc.Link(caption, element.src)
    end
    return instead(element)
  end
  if output == "txt" or pictures == "drop" then
    tell("picture")
    return instead(element)
  end
  return element
end

-- Markup inside the text

local inline_tags = {
  b = pandoc.Strong, strong = pandoc.Strong, i = pandoc.Emph, em = pandoc.Emph, sub = pandoc.Subscript,
  sup = pandoc.Superscript, u = pandoc.Underline, ins = pandoc.Underline, s = pandoc.Strikeout,
  del = pandoc.Strikeout, strike = pandoc.Strikeout, kbd = pandoc.Span, mark = pandoc.Span, span = pandoc.Span,
  small = pandoc.Span, q = pandoc.Span, samp = pandoc.Span, tt = pandoc.Span, abbr = pandoc.Span, cite = pandoc.Emph,
}

local function raw(format, text)
  -- What a piece of raw text is in a document: blocks.
  if not format:match("^html") then
    if kin[format] == output then
      return nil
    end
    if markup[input] then
      text = text:gsub("%s+", " ")
      tell("piece", utf8.len(text) and utf8.len(text) > 40 and text:sub(1, utf8.offset(text, 41) - 1) .. "…" or text)
    else
      tell("raw", format)
    end
    return {}
  end
  local lower = text:lower()
  if lower:match("<%s*script") or lower:match("%son%a+%s*=") then
    tell("script")
  end
  if lower:match("^%s*<!%-%-") then
    tell("comment")
    return {}
  end
  local object = lower:match("<%s*(iframe)") or lower:match("<%s*(svg)") or lower:match("<%s*(object)")
    or lower:match("<%s*(video)") or lower:match("<%s*(audio)") or lower:match("<%s*(style)")
    or lower:match("<%s*(canvas)") or lower:match("<%s*(embed)")
  if object then
    tell("element", object)
  end
  text = text:gsub("<[sS][vV][gG].-</[sS][vV][gG]>", ""):gsub("<[iI][fF][rR][aA][mM][eE][^>]*>", "")
  return pandoc.read(text, "html").blocks
end

local function raw_block(element)
  return raw(element.format, element.text)
end

local function is_tag(element, name)
  return element.t == "RawInline" and element.format:match("^html") and element.text:lower():match("^<%/?%s*(%w+)") == name
end

local function inlines(list)
  local result, open = pandoc.List(), {}
  local bracketed = list:find_if(function(each) return is_tag(each, "rp") end)
  for _, each in ipairs(list) do
    local text = each.t == "RawInline" and each.format:match("^html") and each.text:lower()
    local closes = text and text:match("^</%s*(%w+)")
    local opens = text and text:match("^<(%w+)")
    if not bracketed and (closes or opens) == "rt" then
      if opens then
        tell("reading")
      end
      result:insert(pandoc.Str(opens and "(" or ")"))
    elseif closes and inline_tags[closes] then
      for at = #open, 1, -1 do
        if open[at].name == closes then
          local inside = pandoc.List()
          while #result > open[at].start do
            inside:insert(1, result:remove())
          end
          result:insert(inline_tags[closes](inside))
          while #open >= at do
            table.remove(open)
          end
          break
        end
      end
    elseif opens == "br" then
      result:insert(pandoc.LineBreak())
    elseif opens and inline_tags[opens] then
      if text:match("%son%a+%s*=") then
        tell("script")
      end
      table.insert(open, { name = opens, start = #result })
    elseif each.t == "RawInline" then
      local blocks = raw(each.format, each.text)
      if blocks then
        result:extend(pandoc.utils.blocks_to_inlines(blocks, {}))
      else
        result:insert(each)
      end
    else
      result:insert(each)
    end
  end
  return result
end

local function harmless(element)
  for name, value in pairs(element.attributes) do
    if name:lower():match("^on") then
      tell("script")
      element.attributes[name] = nil
    elseif name == "style" and not (element.t == "Table" or element.t == "Cell") then
      element.attributes[name] = nil
    end
  end
  local colour = input == "jira" and element.attributes.color
  if colour and colour:match("^#?%w+$") then
    element.attributes.color = nil
    element.attributes.style = "color:" .. colour
  end
  return element
end

local function link(element)
  spell_title(element)
  local target = element.target:gsub("[%s%c]", ""):lower()
  if target:match("^javascript:") or target:match("^vbscript:") or target:match("^data:") then
    tell("script")
    return pandoc.Span(element.content)
  end
  if output == "txt" and target:match("^%a[%w+.-]*:") then
    local text, bare = stringify(element.content), element.target:gsub("^mailto:", "")
    if text ~= element.target and text ~= bare then
      return pandoc.Span(element.content .. { pandoc.Str(" (" .. bare .. ")") })
    end
    return pandoc.Span(element.content)
  end
  if plain_output[output] then
    element.attr = pandoc.Attr()
    return element
  end
  return harmless(element)
end

-- Changes and comments, where the user asked for all of them

local function span(element)
  local classes = element.classes
  if classes:includes("comment-start") then
    local author = element.attributes.author
    local text = pandoc.List({ pandoc.Str(author and ("Comment by " .. author .. ":") or "Comment:"), pandoc.Space() })
    return pandoc.Note({ pandoc.Para(text .. element.content) })
  elseif classes:includes("comment-end") or classes:includes("paragraph-insertion")
      or classes:includes("paragraph-deletion") then
    return {}
  elseif classes:includes("insertion") then
    return pandoc.Underline(element.content)
  elseif classes:includes("deletion") then
    return pandoc.Strikeout(element.content)
  elseif plain_output[output] then
    return element.content
  end
  return harmless(element)
end

local function div(element)
  if plain_output[output] then
    return element.classes[1] == "csl-entry" and pandoc.Para(pandoc.utils.blocks_to_inlines(element.content))
      or element.content
  end
  return harmless(element)
end

-- The title

local heading
local homeless = {
  rtf = { "subtitle", "abstract" }, ["rtf/docx"] = { "subtitle", "author", "date", "abstract" },
}

local function unmarked(text)
  return (text:gsub("\xEF\xB7[\x90-\xAF]", ""))
end

local function header(element)
  heading = heading or unmarked(stringify(element))
  if output == "jira" or output == "mediawiki" then
    element.identifier = "" -- each would stand in the text
  end
  return harmless(element)
end

-- What a book says of itself, and no text or page has a place for.
local told = {
  title = true, subtitle = true, author = true, creator = true, date = true, language = true, lang = true,
  identifier = true, abstract = true, ["title-option"] = true, ["cover-image"] = true,
}
local homes = { docx = true, odt = true, epub = true, fb2 = true, latex = true, docbook = true, typst = true }

local function titles(meta)
  if input == "epub" and not homes[output] then
    for name in pairs(meta) do
      if not told[name] then
        tell("metadata", name)
      end
    end
  end
  meta.bibliography = nil -- a file that is not here
  if output == "epub" and pandoc.utils.type(meta.abstract) == "Inlines" then
    meta.abstract = pandoc.MetaBlocks({ pandoc.Para(meta.abstract) })
  elseif output == "odt" and meta.abstract then
    -- pandoc 3.9 writes it as text outside of paragraphs, which nothing shows.
    local blocks = pandoc.utils.type(meta.abstract) == "Blocks" and meta.abstract or { pandoc.Para(meta.abstract) }
    local said = pandoc.Inlines({})
    for _, each in ipairs(blocks) do
      local style = input == "docx" and "Standard" or "Abstract" -- which is away from the margins
      said:insert(pandoc.RawInline("opendocument", '<text:p text:style-name="' .. style .. '">'))
      said:extend(pandoc.utils.blocks_to_inlines({ each }))
      said:insert(pandoc.RawInline("opendocument", "</text:p>"))
    end
    meta.abstract = pandoc.MetaInlines(said)
  end
  -- What a writer has no place for stands before the text; a Word document's in its own order.
  local before = pandoc.Blocks({})
  for _, name in ipairs(homeless[output .. "/" .. input] or homeless[output] or {}) do
    local said = meta[name]
    if said then
      local kind = pandoc.utils.type(said)
      for _, each in ipairs(kind == "List" and said or { said }) do
        before:extend(pandoc.utils.type(each) == "Blocks" and each or { pandoc.Para(each) })
      end
      meta[name] = nil
    end
  end
  meta["include-before"] = #before > 0 and pandoc.MetaBlocks(before) or nil
  -- Decides where the title goes: "shown" in the text, or only what the file calls itself ("file-title"), which may
  -- be apt for the text ("file-shown").
  local title = meta.title and unmarked(stringify(meta.title)) or ""
  local named, author, apt = meta["file-title"], meta["file-author"], meta["file-shown"]
  meta["file-title"], meta["file-author"], meta["file-shown"] = nil, nil, nil
  meta.author = meta.author or author
  local from_file = named ~= nil and title == ""
  if from_file then
    meta.title, title = named, stringify(named)
  end
  local chosen = meta["title-option"]
  meta["title-option"] = nil
  if named_title[output] then
    meta.title = chosen or (title ~= "" and meta.title) or heading or "Untitled"
    meta.identifier = meta.identifier or os.getenv("DOCUMENT_ID")
    return meta
  end
  if chosen then
    meta.title, title = chosen, stringify(chosen)
    from_file = false
  end
  local said = heading ~= nil and heading == title
  local shown = title ~= "" and not said and (chosen ~= nil or title_is_content[input] or heading == nil)
  if from_file then
    shown = apt ~= nil or dressed[output]
  end
  meta.shown = shown or nil
  if not shown and (input == "epub" or input == "fb2") and not homes[output] and output ~= "html" and output ~= "pdf" then
    for _, name in ipairs({ "subtitle", "author", "date", "abstract" }) do -- which stand below the title
      if meta[name] then
        tell("metadata", name)
      end
    end
  end
  if title ~= "" and not shown and output ~= "html" and output ~= "pdf" then
    if not said then
      tell("title", title)
    end
    meta.title = nil
  end
  return meta
end

-- Tables that only lay out a page, as those of mails do: a text has what is in them, one after the other

local function rows_of(element)
  local rows = pandoc.List()
  rows:extend(element.head.rows)
  for _, body in ipairs(element.bodies) do
    rows:extend(body.head)
    rows:extend(body.body)
  end
  rows:extend(element.foot.rows)
  return rows
end

local function lays_out(element, rows)
  local role = element.attributes.role
  if role == "presentation" or role == "none" then
    return true
  end
  local headed = #element.head.rows > 0
  for _, row in ipairs(rows) do
    for _, cell in ipairs(row.cells) do
      for _, block in ipairs(cell.contents) do
        if block.t == "Table" or block.t == "Header" then
          return true
        end
      end
      if not headed and #cell.contents > 1 then
        return true
      end
    end
  end
  return not headed and #element.colspecs == 1
end

local function inline(formula)
  formula.mathtype = "InlineMath"
  return formula
end

local function tabular(element)
  if input == "asciidoc" and #element.foot.rows > 0 and not (element.attributes.options or ""):match("footer") then
    element.bodies[1].body:extend(element.foot.rows) -- pandoc 3.9 takes the last row of each table for its foot
    element.foot.rows = {}
  end
  if input == "html" and plain_output[output] then
    local rows = rows_of(element)
    if lays_out(element, rows) then
      tell("layout")
      local blocks = pandoc.List()
      for _, row in ipairs(rows) do
        for _, cell in ipairs(row.cells) do
          for _, block in ipairs(cell.contents) do
            blocks:insert(block.t == "Plain" and pandoc.Para(block.content) or block)
          end
        end
      end
      return blocks
    end
  end
  if output == "markdown" then
    element = element:walk({ Math = inline }) -- a formula of its own is lines of code, which end a row of a table
  end
  return harmless(element)
end

-- What markup has and a document has not

local function marks(text)
  -- The marks that were made plain characters before the text was read (U+E121 to U+E17E).
  return (text:gsub("\238[\132\133][\128-\191]", function(found)
    local code = utf8.codepoint(found) - 0xE100
    return code > 32 and code < 127 and string.char(code) or nil
  end))
end

local longest = 500

local function parted(element)
  -- A long word as several that touch: the writer of AsciiDoc takes the square of its length.
  local count = utf8.len(element.text)
  if count <= longest then
    return nil
  end
  local parts = pandoc.List()
  for first = 1, count, longest do
    parts:insert(pandoc.Str(pandoc.text.sub(element.text, first, math.min(count, first + longest - 1))))
  end
  return parts
end

local function restored(element)
  element.text = marks(element.text)
  return element
end

local function restored_address(element)
  element.target = marks(element.target)
  return element
end

local function restored_source(element)
  element.src = marks(element.src)
  return element
end

local function citation(element)
  if os.getenv("DOCUMENT_REFERENCES") == "set" then
    return element.content
  end
  -- Without its bibliography: the keys, as they are written.
  local keys, bare = {}, false
  for _, each in ipairs(element.citations) do
    table.insert(keys, each.id)
    tell("citation", each.id)
  end
  for _, each in ipairs(element.content) do
    bare = bare or each.t == "RawInline"
  end
  return bare and pandoc.Str("[" .. table.concat(keys, "; ") .. "]") or element.content
end

local function formula(element)
  if output ~= "latex" then
    element.text = element.text:gsub("\\label%s*%b{}", "")
  end
  return element
end

local function figure(element)
  if output == "txt" then -- whose writer leaves captions out
    local whole = pandoc.Blocks(element.content)
    whole:extend(element.caption.long)
    return whole
  end
  -- Markdown has no figures: a picture that stands alone, described by its caption.
  local only = #element.content == 1 and element.content[1].content
  if output == "markdown" and only and #only == 1 and only[1].t == "Image" then
    if #element.caption.long > 0 then
      only[1].caption = pandoc.utils.blocks_to_inlines(element.caption.long)
    end
    return pandoc.Para(only)
  end
end

-- Where items of a list have no letters or Roman numerals, and where its first one is always 1.
local unlettered = { markdown = true, ipynb = true, jira = true, org = true }
local from_one = { ipynb = true, jira = true }

local function ordered(element)
  local style = element.style
  local lettered = style ~= "DefaultStyle" and style ~= "Decimal" and style ~= "Example"
  if lettered or (from_one[output] and element.start ~= 1) then
    for _ = 1, #element.content do
      tell("numbered")
    end
  end
end

local runs = { python = "python3", r = "ir", julia = "julia-1.10" }
local kernel

local function code_block(element)
  local language = (element.classes[1] or ""):lower()
  if output == "ipynb" and runs[language] and (kernel == nil or kernel == language) then
    kernel = language
    return pandoc.CodeBlock(element.text, pandoc.Attr("", { "code" }))
  end
  return harmless(element)
end

local function notebook(document)
  if document.meta.shown then
    document.blocks:insert(1, pandoc.Header(1, document.meta.title))
  end
  local language = kernel or "python"
  document.meta = {
    jupyter = {
      kernelspec = { name = runs[language], language = language, display_name = language == "r" and "R"
        or language:gsub("^%l", string.upper) },
      nbformat = "4", nbformat_minor = "5",
    },
  }
  return document
end

-- An outline has no text outside of its items: paragraphs before the first heading become items, what is no paragraph
-- belongs to the item before it.
local function outlined(document)
  local level, headed
  document:walk({ Header = function(each) level = level or each.level end })
  local blocks = pandoc.List()
  for _, block in ipairs(document.blocks) do
    if not headed then
      block:walk({ Header = function() headed = true end })
      headed = headed or block.t == "Header"
      if not headed and (block.t == "Para" or block.t == "Plain") then
        block = pandoc.Header(level or 1, block.content)
      elseif not headed and #blocks == 0 then
        blocks:insert(pandoc.Header(level or 1, { pandoc.Str("…") }))
      end
    end
    blocks:insert(block)
  end
  document.blocks = blocks
  return document
end

-- One function an element, and none for the whole document: handing that over takes longer than all the rest.

local function content(element)
  return element.content
end

local filters = {
  {
    Image = image, Link = link, Span = span, Div = div, Header = header, Code = harmless, CodeBlock = code_block,
    Math = formula, Figure = (markup[input] or output == "txt") and figure or nil,
    Table = tabular, Emph = output == "txt" and content or nil, Strong = output == "txt" and content or nil,
  },
  { Meta = titles },
}
if unlettered[output] then
  filters[1].OrderedList = ordered
end
if output == "ipynb" then
  table.insert(filters, { Pandoc = notebook })
end
if output == "opml" then
  table.insert(filters, { Pandoc = outlined })
end
if input == "markdown" or input == "rst" or input == "epub" or markup[input] then
  table.insert(filters, 1, { Inlines = inlines, RawBlock = raw_block })
end
if markup[input] then
  table.insert(filters, 1, { Cite = citation })
end
if output == "asciidoc" then
  table.insert(filters, { Str = parted })
end
if os.getenv("DOCUMENT_MARKS") == "moved" then
  table.insert(filters, 1, {
    Str = restored, Code = restored, CodeBlock = restored, Math = restored, RawInline = restored, RawBlock = restored,
    Link = restored_address, Image = restored_source,
  })
end
return filters
