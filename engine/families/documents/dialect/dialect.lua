-- Restores what Dialect has marked in a Markdown text: formulas, definitions, callouts, lists of contents.
-- Reads formulas.json in the folder where pandoc runs: `close`, the end of marks, and `kept`, a list of objects with tex,
-- display and source.

local output = os.getenv("DOCUMENT_OUTPUT")
local formula_open, term, contents = "\u{FDD0}", "\u{FDD2}", "\u{FDD4}"
local file = io.open("formulas.json")
local read = pandoc.json.decode(file:read("a"), false)
file:close()
local formulas, formula_close = read.kept, read.close
local marked = formula_open .. "(%d+)" .. formula_close

local function in_address(characters)
  return (characters:gsub(".", function(byte) return ("%%%%%02X"):format(byte:byte()) end))
end
local marked_in_address = in_address(formula_open) .. "(%d+)" .. in_address(formula_close)

-- Their writers have callouts of their own.
local admonitions = { rst = true, asciidoc = true, docbook = true }
local kinds = {}
for kind in ([[abstract attention bug caution danger error example failure hint important info note question quote seealso
    success summary tip todo warning]]):gmatch("%a+") do
  kinds[kind] = true
end
local named = { note = true, tip = true, important = true, warning = true, caution = true }

local function source(text)
  return (text:gsub(marked, function(at) return formulas[tonumber(at) + 1].source end)
    :gsub(marked_in_address, function(at) return formulas[tonumber(at) + 1].source end))
end

local function text(element)
  element.text = source(element.text)
  return element
end

local function str(element)
  if not element.text:find(formula_open, 1, true) then
    return nil
  end
  local parts, done = pandoc.Inlines({}), 1
  for first, at, after in element.text:gmatch("()" .. marked .. "()") do
    if first > done then
      parts:insert(pandoc.Str(element.text:sub(done, first - 1)))
    end
    local formula = formulas[tonumber(at) + 1]
    parts:insert(pandoc.Math(formula.display and "DisplayMath" or "InlineMath", formula.tex))
    done = after
  end
  if done <= #element.text then
    parts:insert(pandoc.Str(element.text:sub(done)))
  end
  return parts
end

local function link(element)
  element.target = source(element.target)
  element.title = source(element.title)
  return element
end

local function image(element)
  element.src = source(element.src)
  element.title = source(element.title)
  return element
end

local function definitions(element)
  local items = pandoc.List()
  for _, item in ipairs(element.content) do
    local first = item[1]
    local start = first and (first.t == "Plain" or first.t == "Para") and first.content[1]
    if not start or start.t ~= "Str" or start.text ~= term then
      return nil
    end
    local name = pandoc.List(first.content)
    name:remove(1)
    if name[1] and name[1].t == "Space" then
      name:remove(1)
    end
    items:insert({ name, item[2] and item[2].t == "BulletList" and item[2].content or {} })
  end
  return pandoc.DefinitionList(items)
end

local function callout(element)
  local first = element.content[1]
  local start = first and first.t == "Para" and first.content[1]
  local kind = start and start.t == "Str" and start.text:match("^%[!(%a+)%][+-]?$")
  kind = kind and kind:lower()
  if not kind or not kinds[kind] then
    return nil
  end
  local title, rest, ended = pandoc.Inlines({}), pandoc.Inlines({}), false
  for at = 2, #first.content do
    local each = first.content[at]
    if not ended and (each.t == "SoftBreak" or each.t == "LineBreak") then
      ended = true
    elseif ended then
      rest:insert(each)
    elseif #title > 0 or each.t ~= "Space" then
      title:insert(each)
    end
  end
  if #title == 0 then
    title:insert(pandoc.Str((kind:gsub("^%l", string.upper))))
  end
  local blocks = pandoc.Blocks({})
  if #rest > 0 then
    blocks:insert(pandoc.Para(rest))
  end
  for at = 2, #element.content do
    blocks:insert(element.content[at])
  end
  if admonitions[output] then
    blocks:insert(1, pandoc.Div({ pandoc.Para(title) }, pandoc.Attr("", { "title" })))
    return pandoc.Div(blocks, pandoc.Attr("", { named[kind] and kind or "note" }))
  end
  blocks:insert(1, pandoc.Para({ pandoc.Strong(title) }))
  return pandoc.BlockQuote(blocks)
end

local function is_contents(block)
  return block.t == "Para" and #block.content == 1 and block.content[1].text == contents
end

local function document(element)
  if not element.blocks:find_if(is_contents) then
    return nil
  end
  local list, blocks = pandoc.structure.table_of_contents(element, { toc_depth = 3 }), pandoc.Blocks({})
  for _, block in ipairs(element.blocks) do
    if not is_contents(block) then
      blocks:insert(block)
    elseif list then
      blocks:insert(list)
      list = nil
    end
  end
  element.blocks = blocks
  return element
end

return {
  {
    Str = str, Code = text, CodeBlock = text, RawInline = text, RawBlock = text, Link = link, Image = image,
    BulletList = definitions, BlockQuote = callout,
  },
  { Pandoc = document },
}
