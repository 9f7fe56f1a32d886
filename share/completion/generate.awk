# SPDX-License-Identifier: BSD-3-Clause
#
# The options of `measure` for completion in shells: awk -v shell=bash|zsh|fish -v tools=COMMANDS -f rows.awk -f generate.awk FILE.def...
# Rows OPTION and REQUEST are options, ADAPTER and GROUP words of their lists. What a shell does with them is in
# functions.bash, functions.zsh and functions.fish.

function add(name, letter, argument, text)
{
	nr_options++
	gsub(/_/, "-", name)
	names[nr_options] = "--" name
	letters[nr_options] = letter
	arguments[nr_options] = argument == "0" ? "" : argument
	texts[nr_options] = text
}

function take(row,    kind)
{
	kind = row
	sub(/\(.*/, "", kind)
	sub(/^[A-Z]*\(/, "", row)
	sub(/\)$/, "", row)
	split_row(row)
	if (kind == "OPTION")
		add(field[1], letter_of(field[3]), field[4], field[6])
	else if (kind == "REQUEST")
		add(field[2], letter_of(field[3]), field[4], field[5])
	else if (kind == "ADAPTER")
		lists["--adapters"] = lists["--adapters"] " " field[1]
	else if (kind == "GROUP")
		lists["--" group "-groups"] = lists["--" group "-groups"] " " field[1]
}

FNR == 1 {
	group = FILENAME
	sub(/.*groups_/, "", group)
	sub(/\.def$/, "", group)
	is_open = 0
}
{ sub(/[ \t]*\/\*.*\*\/[ \t]*$/, "") }
!is_open && /^(OPTION|REQUEST|ADAPTER|GROUP)\(/ {
	is_open = 1
	row = ""
}
is_open { row = row $0 "\n" }
is_open && /\)$/ {
	sub(/\n$/, "", row)
	take(row)
	is_open = 0
}

# What can follow an option: words, dir, file, list, any or none; and the words.
function kind_of(i)
{
	if (arguments[i] == "")
		return "none"
	if (names[i] in lists)
		return "list"
	if (arguments[i] ~ /^[a-z].*\|/)
		return "words"
	return arguments[i] == "DIR" ? "dir" : arguments[i] == "FILE" ? "file" : arguments[i] ~ /^\[/ ? "optional" : "any"
}

function words_of(i,    words)
{
	words = arguments[i]
	gsub(/\|/, " ", words)
	if (names[i] in lists)
		return (names[i] == "--adapters" ? "auto none" : "auto all") lists[names[i]]
	return kind_of(i) == "words" ? words : ""
}

function print_bash(    i, all)
{
	print "# Completion of measure, " tools "; generated."
	print "_measure_about() # OPTION: what follows it, and the words that there are"
	print "{"
	print "\tcase $1 in"
	for (i = 1; i <= nr_options; i++) {
		all = all " " names[i]
		printf "\t%s%s) echo %s %s ;;\n", names[i], letters[i] ? " | " letters[i] : "", kind_of(i), words_of(i)
	}
	print "\t*) echo none ;;"
	print "\tesac"
	print "}"
	print "_measure_options='" substr(all, 2) "'"
	print "_measure_tools='" tools "'"
}

function zsh_action(i)
{
	return kind_of(i) == "dir" ? "_files -/" : kind_of(i) == "file" ? "_files" : \
		kind_of(i) == "words" ? "(" words_of(i) ")" : \
		kind_of(i) == "list" ? "_measure_list " words_of(i) : " "
}

function print_zsh(    i, text, value)
{
	print "#compdef measure " tools
	print "# Completion of Measure; generated."
	print "_measure_arguments=("
	for (i = 1; i <= nr_options; i++) {
		text = texts[i]
		gsub(/'/, "", text)
		gsub(/\[/, "(", text)
		gsub(/\]/, ")", text)
		gsub(/:/, "\\:", text)
		value = arguments[i]
		gsub(/[]=[]/, "", value)
		gsub(/\|.*/, " ...", value)
		value = value == "" ? "" : ":" value ":" zsh_action(i)
		if (letters[i])
			printf "\t'%s%s[%s]%s'\n", letters[i], value ? "+" : "", text, value
		printf "\t'%s%s[%s]%s'\n", names[i], value == "" ? "" : kind_of(i) == "optional" ? "=-" : "=", text, value
	}
	print ")"
}

# In fish, '...' knows \' and \\ only.
function fish_quoted(text)
{
	gsub(/\\/, "\\\\", text)
	gsub(/'/, "\\'", text)
	return "'" text "'"
}

function fish_action(i)
{
	return kind_of(i) == "none" || kind_of(i) == "optional" ? "" : \
		kind_of(i) == "dir" ? " -xa '(__fish_complete_directories)'" : kind_of(i) == "file" ? " -rF" : \
		kind_of(i) == "words" ? " -xa '" words_of(i) "'" : \
		kind_of(i) == "list" ? " -xa '(__measure_list " words_of(i) ")'" : " -x"
}

function print_fish(    i, valued)
{
	print "# Completion of measure, " tools "; generated."
	for (i = 1; i <= nr_options; i++)
		if (kind_of(i) != "none" && kind_of(i) != "optional")
			valued = valued " " names[i] (letters[i] ? " " letters[i] : "")
	print "set -g __measure_valued" valued
	print "set -g __measure_tools " tools
	for (i = 1; i <= nr_options; i++)
		printf "complete -c measure -n 'not __measure_program' -l %s%s%s -d %s\n", substr(names[i], 3), \
			letters[i] ? " -s " substr(letters[i], 2) : "", fish_action(i), fish_quoted(texts[i])
}

BEGIN {
	sub(/^measure /, "", tools)
	sub(/ measure$/, "", tools)
	sub(/ measure /, " ", tools)
}
END {
	if (shell == "bash")
		print_bash()
	else if (shell == "zsh")
		print_zsh()
	else
		print_fish()
}
