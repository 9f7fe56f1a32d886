# SPDX-License-Identifier: BSD-3-Clause
#
# Pages of the manual's reference, from the tables of the code: awk -v page=options|checks|interfaces -f rows.awk -f reference.awk
# FILE... A table of the page is opened by its first row.

BEGIN {
	title["options"] = "Options and environment variables of measure"
	title["checks"] = "What measure-check looks for"
	title["interfaces"] = "Stable interfaces"
	heads["OPTION"] = "option|default|meaning"
	heads["REQUEST"] = "option|meaning"
	heads["ADAPTER"] = "adapter|recorded with `--adapters=auto`|in processes that are attached to"
	heads["GROUP"] = "group|recorded|calls"
	heads["METRIC"] = "metric|unit|meaning"
	heads["KEY"] = "condition|value"
	heads["CHECK"] = "check|severity|finding|remedy"
	print "# " title[page] "\n"
}

# Opens a section, or a table in it, where the last row belonged to another.
function open(section, kind)
{
	if (section == last_section)
		return
	last_section = section
	print "\n## " section "\n"
	print_table(heads[kind])
}

function print_table(columns,    rule)
{
	rule = columns
	gsub(/[^|]+/, "---", rule)
	gsub(/\|\|/, "|---|", rule)
	gsub(/\|/, " | ", columns)
	print "| " columns " |\n|" rule "|"
}

# A cell: | would end it, and _, * and < mean something.
function cell(text)
{
	gsub(/[\\_*<>|`]/, "\\\\&", text)
	return text
}

function code(text)
{
	gsub(/\|/, "\\|", text)
	return text == "" ? "" : "`" text "`"
}

# An option with its letter, what follows it, and its variable.
function option_cell(name, letter, argument, variable,    option)
{
	argument = argument == "0" ? "" : argument ~ /^\[/ ? argument : "=" argument
	option = code("--" name argument) (letter_of(letter) == "" ? "" : ", " code(letter_of(letter)))
	return option (variable ? "<br>" code("MEASURE_" toupper(variable)) : "")
}

function print_option(    name)
{
	name = field[1]
	gsub(/_/, "-", name)
	open(section, "OPTION")
	print "| " option_cell(name, field[3], field[4], field[1]) " | " code(field[5]) " | " cell(field[6]) " |"
}

function print_request()
{
	open("Instead of a recording", "REQUEST")
	print "| " option_cell(field[2], field[3], field[4]) " | " cell(field[5]) " |"
}

# When an adapter is on; what follows WHEN in its row says by what.
function when(word, other, built_for)
{
	gsub(/ /, "`, `", other)
	if (word == "ALWAYS")
		return "always"
	if (word == "LINKED" || word == "EMBEDDED")
		return "if the program needs " code(other) (word == "EMBEDDED" ? " or contains " code(built_for) : "")
	if (word == "OPENED")
		return "if the program needs " code(other) ", or was started by a launcher"
	if (word == "CALLS")
		return "if the program calls one of " code(other)
	if (word == "TOOL")
		return "always, unless " code(other) " is set"
	if (word == "WITH")
		return "with the adapter " code(other)
	if (word == "METRICS")
		return "with `--metrics` of this source"
	return word == "ASKED" ? "no: name it" : "with " code("--" tolower(word))
}

function print_adapter()
{
	open("Adapters", "ADAPTER")
	print "| " code(field[1]) " | " when(field[2], field[3], field[4]) " | " (field[5] == "true" ? "yes" : "") " |"
}

function print_group(    list)
{
	list = FILENAME
	sub(/.*groups_/, "", list)
	sub(/\.def$/, "", list)
	open("Groups of --" list "-groups", "GROUP")
	print "| " code(field[1]) " | " (field[2] == "ALWAYS" ? "always" : field[2] == "AUTO" ? "by default" : "if named") \
		" | " cell(comment) " |"
}

function print_metric(source, name, unit, text)
{
	open("Metrics", "METRIC")
	print "| " code(source ":" name) " | " (unit == "#" ? "" : unit) " | " cell(text) " |"
}

function print_key()
{
	open("Conditions of filters", "KEY")
	print "| " code(field[2] "=") " | " cell(field[4]) " |"
}

function print_check()
{
	open(section, "CHECK")
	print "| " code(field[2]) " | " tolower(field[3]) " | " cell(field[4]) " | " cell(field[5]) " |"
}

function take(kind)
{
	if (kind == "OPTION")
		print_option()
	else if (kind == "REQUEST")
		print_request()
	else if (kind == "ADAPTER")
		print_adapter()
	else if (kind == "GROUP")
		print_group()
	else if (kind == "RUSAGE")
		print_metric("rusage", field[1], field[4], field[7])
	else if (kind == "PERF")
		print_metric("perf", field[1], field[4], field[6])
	else if (kind == "PROC")
		print_metric("proc", field[1], field[5], field[8])
	else if (kind == "MEMORY" || kind == "LOAD")
		print_metric("node", field[1], kind == "MEMORY" ? "bytes" : "#", field[kind == "MEMORY" ? 2 : 3])
	else if (kind == "KEY")
		print_key()
	else if (kind == "CHECK")
		print_check()
}

# stable.expected: what each line is of, and its names.
function take_interface(    of)
{
	of = $1 ~ /^measure.*/ && $2 ~ /^-/ ? "Options of " $1 : $1 == "measure.h" ? "Names of measure.h" : \
		$1 == "property" ? "Properties of archives" : NF == 2 ? "Versions" : "Environment variables"
	interfaces[of] = interfaces[of] (interfaces[of] == "" ? "" : ", ") \
		code(of == "Versions" ? $1 " " $2 : NF == 2 ? $2 : $1)
	if (!(of in is_known))
		order[++nr_interfaces] = of
	is_known[of] = 1
}

page == "interfaces" { take_interface(); next }

# A comment of one line is the title of the rows below it.
/^\/\* .* \*\/$/ {
	section = $0
	gsub(/^\/\* |\.? \*\/$/, "", section)
}
{
	comment = ""
	if (match($0, /[ \t]*\/\*.*\*\/[ \t]*$/)) {
		comment = substr($0, RSTART)
		gsub(/^[ \t]*\/\* ?|[ \t]*\*\/[ \t]*$/, "", comment)
		$0 = substr($0, 1, RSTART - 1)
	}
}
!is_open && /^[A-Z]+\(/ {
	is_open = 1
	row = ""
}
is_open { row = row $0 "\n" }
is_open && /\)$/ {
	kind = row
	sub(/\(.*/, "", kind)
	sub(/^[A-Z]*\(/, "", row)
	sub(/\)\n$/, "", row)
	split_row(row)
	take(kind)
	is_open = 0
}

END {
	for (i = 1; i <= nr_interfaces; i++)
		print "## " order[i] "\n\n" interfaces[order[i]] "\n"
}
