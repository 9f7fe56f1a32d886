-- SPDX-License-Identifier: BSD-3-Clause
--
-- Makes one document of the chapters that manual.md names, for pandoc. A chapter is a document of doc/, a manual page, or a
-- page that reference.awk has written; they are read as they are. All headers get identifiers that begin with the name of
-- their file, and links between files become links between chapters, with the title where the text is the name of the file. A
-- link to a file that is no chapter becomes text.
--
-- Metadata: source is the top of the source tree, build that of the build tree.

local source, build
local keys = {} -- by the name of a file: the identifier of its chapter
local titles = {} -- the same: its title
local is_taken = {} -- identifiers

local function base_name(path)
	return path:match("([^/]+)$")
end

local function key_of(path)
	return base_name(path):gsub("%.md$", ""):gsub("%.", "-")
end

-- The text of a chapter: what is generated is in the build tree.
local function read_chapter(path)
	local file = io.open(build .. "/" .. path) or io.open(source .. "/" .. path)

	if not file then
		error("no chapter " .. path)
	end
	local text = file:read("a")
	file:close()
	return text
end

local function title_of(path)
	local page, section = base_name(path):match("^(.*)%.(%d)$")

	return page and page .. "(" .. section .. ")" or ("\n" .. read_chapter(path)):match("\n# ([^\n]*)")
end

-- An identifier as GitHub makes it.
local function slug_of(inlines)
	return pandoc.utils.stringify(inlines):lower():gsub("[^%w%s_-]", ""):gsub("%s", "-")
end

-- Code of a table. It may begin a line, and be broken after its signs where the table would be wider than the page:
-- weasyprint only finds the first of these places if it is told.
local function breakable(code)
	local text = code.text:gsub("&", "&amp;"):gsub("<", "&lt;"):gsub(">", "&gt;")

	if #code.text > 12 and not code.text:match("^%-%-") and not code.text:match("^MEASURE_[A-Z_]*$") then
		text = text:gsub("([_/.,:|=(%-])(%w)", "%1<wbr>%2")
	end
	return pandoc.RawInline("html", "<wbr><code>" .. text .. "</code>")
end

-- Widths in proportion to dashes are nobody's intention. A table of some rows stays on one page.
local function mend_table(tbl)
	if #tbl.bodies[1].body <= 14 then
		tbl.attr.classes:insert("short")
	end
	for _, spec in ipairs(tbl.colspecs) do
		spec[2] = nil
	end
	return pandoc.walk_block(tbl, { Code = breakable })
end

-- Where a link in a chapter leads to.
local function mend_link(link, path)
	local target = link.target

	if target:match("^%a+:") then
		return link
	end
	local file, anchor = target:match("^([^#]*)#?(.*)$")
	local key = file == "" and key_of(path) or keys[base_name(file)]
	if not key then
		local name = file:gsub("^%.%./", "")
		return pandoc.utils.stringify(link.content) == name and pandoc.Code("doc/" .. name) or link.content
	end
	link.target = "#" .. key .. (anchor ~= "" and "--" .. anchor or "")
	if pandoc.utils.stringify(link.content) == base_name(file) then
		link.content = { pandoc.Emph(titles[base_name(file)]) }
	end
	return link
end

-- doc/NAME.md in a manual page.
local function link_document(str)
	local file, rest = str.text:match("^doc/([a-z-]+%.md)(%p*)$")

	if keys[file] then
		return { pandoc.Link(file, file), pandoc.Str(rest) }
	end
end

-- name(section) of a manual page: the name is in bold type, the section follows.
local function link_pages(inlines)
	for i = 1, #inlines - 1 do
		local name, section = inlines[i], inlines[i + 1]
		local number = section.t == "Str" and section.text:match("^%((%d)%)")
		local words = name.t == "Strong" and pandoc.utils.stringify(name) or ""
		local key = number and keys[words .. "." .. number]

		if key then
			inlines[i] = pandoc.Link(name, "#" .. key)
		end
	end
	return inlines
end

local function read_page(path)
	local doc = pandoc.read(read_chapter(path), "man")
	local name, section = base_name(path):match("^(.*)%.(%d)$")

	for _, block in ipairs(doc.blocks) do
		if block.t == "Header" then
			block.identifier = slug_of(block.content)
			block.level = block.level + 1
		end
	end
	doc.blocks:insert(1, pandoc.Header(1, name .. "(" .. section .. ")"))
	return pandoc.walk_block(pandoc.Div(doc.blocks), { Str = link_document }).content
end

-- Paragraphs in front of tables, code and lists stay with these.
local function keep_leads(blocks)
	for i = 1, #blocks - 1 do
		local is_lead = blocks[i].t == "Para" and #blocks[i].content < 60
		local next_kind = blocks[i + 1].t

		if is_lead and (next_kind == "Table" or next_kind == "CodeBlock" or next_kind:match("List$")) then
			blocks[i] = pandoc.Div({ blocks[i] }, pandoc.Attr("", { "lead" }))
		end
	end
	return blocks
end

-- As it is, or with a number if there is one already.
local function unique(identifier)
	local result, nr = identifier, 0

	while is_taken[result] do
		nr = nr + 1
		result = identifier .. "-" .. nr
	end
	is_taken[result] = true
	return result
end

-- The blocks of a chapter, with a header of the second level.
local function chapter(path)
	local key = key_of(path)
	local blocks = path:match("%.md$") and pandoc.read(read_chapter(path), "gfm").blocks or read_page(path)
	local is_first = true

	return keep_leads(pandoc.walk_block(pandoc.Div(blocks), {
		Header = function(header)
			header.identifier = unique(is_first and key or key .. "--" .. header.identifier)
			header.level = header.level + 1
			is_first = false
			return header
		end,
		Link = function(link)
			return mend_link(link, path)
		end,
		Inlines = link_pages,
		RawBlock = function() -- comments for those who read the source
			return {}
		end,
		Table = mend_table,
	}).content)
end

local function find_chapters(block)
	if block.classes[1] == "chapters" then
		for path in block.text:gmatch("%S+") do
			keys[base_name(path)] = key_of(path)
			titles[base_name(path)] = title_of(path)
		end
	end
end

local function include_chapters(block)
	local blocks = pandoc.List()

	if block.classes[1] == "chapters" then
		for path in block.text:gmatch("%S+") do
			blocks:extend(chapter(path))
		end
		return blocks
	end
end

function Pandoc(doc)
	source = pandoc.utils.stringify(doc.meta.source)
	build = pandoc.utils.stringify(doc.meta.build)
	doc:walk({ CodeBlock = find_chapters })
	return doc:walk({ CodeBlock = include_chapters })
end
