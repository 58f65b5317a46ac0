-- What every document goes through between pandoc's reader and its writer.
-- Told by the environment: DOCUMENT_INPUT and DOCUMENT_OUTPUT (format ids), DOCUMENT_PICTURES (files | embed | drop),
-- DOCUMENT_ID (an identifier for a book that has none). Tells by log messages of the form "kind<TAB>detail".

local input = os.getenv("DOCUMENT_INPUT")
local output = os.getenv("DOCUMENT_OUTPUT")
local pictures = os.getenv("DOCUMENT_PICTURES")
local stringify = pandoc.utils.stringify

local plain_output = { markdown = true, rst = true, txt = true }
local container = { docx = true, odt = true, epub = true, rtf = true }
-- Elsewhere the title is what a window or a list of files shows, and the text has headings of its own.
local title_is_content = { docx = true, rst = true, markdown = true, odt = true, epub = true }

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
  count = count + 1
  local extension = extensions[mime] or src:match("%.(%w%w%w%w?)$") or "bin"
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

local function image(element)
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
    tell("raw", format)
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
  if object then
    tell("element", object)
  end
  text = text:gsub("<[sS][vV][gG].-</[sS][vV][gG]>", ""):gsub("<[iI][fF][rR][aA][mM][eE][^>]*>", "")
  return pandoc.read(text, "html").blocks
end

local function raw_block(element)
  return raw(element.format, element.text)
end

local function inlines(list)
  local result, open = pandoc.List(), {}
  for _, each in ipairs(list) do
    local text = each.t == "RawInline" and each.format:match("^html") and each.text:lower()
    local closes = text and text:match("^</%s*(%w+)")
    local opens = text and text:match("^<(%w+)")
    if closes and inline_tags[closes] then
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
      result:extend(pandoc.utils.blocks_to_inlines(raw(each.format, each.text), {}))
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
  return element
end

local function link(element)
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
    return element.content
  end
  return harmless(element)
end

-- The title

local heading

local function header(element)
  heading = heading or stringify(element):gsub("\xEF\xB7[\x90-\xAF]", "")
  return harmless(element)
end

local function titles(meta)
  -- Decides where the title goes: "shown" in the text, or only what the file calls itself.
  local title = meta.title and stringify(meta.title) or ""
  local chosen = meta["title-option"]
  meta["title-option"] = nil
  if output == "epub" then
    meta.title = chosen or (title ~= "" and meta.title) or heading or "Untitled"
    meta.identifier = meta.identifier or os.getenv("DOCUMENT_ID")
    return meta
  end
  if chosen then
    meta.title, title = chosen, stringify(chosen)
  end
  local said = heading ~= nil and heading == title
  local shown = title ~= "" and not said and (chosen ~= nil or title_is_content[input] or heading == nil)
  meta.shown = shown or nil
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

local function tabular(element)
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
  return harmless(element)
end

-- One function an element, and none for the whole document: handing that over takes longer than all the rest.

local function content(element)
  return element.content
end

local filters = {
  {
    Image = image, Link = link, Span = span, Div = div, Header = header, Code = harmless, CodeBlock = harmless,
    Table = tabular, Emph = output == "txt" and content or nil, Strong = output == "txt" and content or nil,
  },
  { Meta = titles },
}
if input == "markdown" or input == "rst" or input == "epub" then
  table.insert(filters, 1, { Inlines = inlines, RawBlock = raw_block })
end
return filters
