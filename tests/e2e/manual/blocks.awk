# SPDX-License-Identifier: BSD-3-Clause
#
# The commands of a document (Markdown), or of the examples of a manual page (NAME.1), as a shell script for run_blocks:
# awk -v name=NAME -v remarks=pages.tsv -f blocks.awk FILE. Blocks of code that are marked `sh` have commands, blocks marked `console` also
# what they print, after lines that begin with $. In Markdown:
#
#	COMMAND		# exit status N [or M]: ...	ends with N (or M), not with 0
#	COMMAND		# not run: REASON		is listed, not run
#	COMMAND		# needs TOOL			is run where this tool is installed
#	# not run: REASON				before the first command: none of the block is run
#
# `console varies`: what is printed depends on the machine, and is not compared. A block that is not marked must not have
# commands of Measure.

BEGIN {
	FS = "\t"
	is_page = name ~ /\.[1-9]$/
	while (is_page && (getline line < remarks) > 0)
		if (split(line, part, "\t") == 3 && name ~ ("/" part[1] "$"))
			remark_of[part[2]] = part[3]
}

function quoted(text)
{
	gsub(/'/, "'\\''", text)
	return "'" text "'"
}

# What follows a word in the comment at the end of a command.
function remark(text, word)
{
	return match(text, "# " word) ? substr(text, RSTART + RLENGTH) : ""
}

function left_out(text, reason)
{
	sub(/[ \t]*# not run: .*/, "", text)
	print "t_left_out " quoted(name ":" FNR ": " text ": " reason)
}

# Examples of manual pages have their remarks in a table.
function with_remark(text,    command)
{
	for (command in remark_of)
		if (index(text, command) == 1)
			text = text "  # " remark_of[command]
	return text
}

# One line of commands.
function emit(text, is_compared,    status, needed)
{
	if (block_reason != "") {
		if (text !~ /^[ \t]*(#|$)/)
			left_out(text, block_reason)
		return
	}
	if (remark(text, "not run: ") != "") {
		if (text ~ /^#/)
			block_reason = remark(text, "not run: ")
		else
			left_out(text, remark(text, "not run: "))
		return
	}
	if (match(text, /# .*needs [a-z0-9_.]+/) && !is_open) {
		needed = substr(text, RSTART, RLENGTH)
		sub(/.*needs /, "", needed)
		print "if ! command -v " needed " >/dev/null; then"
		left_out(text, "no " needed)
		print "else"
	} else
		needed = ""
	if (!is_open && text !~ /^[ \t]*(#|$)/)
		print "t_begin " quoted(name ":" FNR) " " quoted(text)
	status = remark(text, "exit status ")
	if (status != "") {
		sub(/:.*/, "", status)
		gsub(/ or /, " ", status)
		print "set +e\n" text "\nt_check_status $? " status
	} else
		print is_compared ? "{ " text "\n} >\"$t_work/output\" 2>&1" : text
	if (needed != "")
		print "fi"
	is_open = text ~ /(\\|\||&&|[ \t]do|^do|then)$/ || (is_open && text !~ /^[ \t]*(done|fi)/)
}

function open_block(info)
{
	kind = info
	sub(/[ \t].*/, "", kind)
	is_varying = info ~ /varies/
	block_reason = expected = command = ""
	has_output = is_open = 0
}

# What the last command of a console should have printed.
function close_output()
{
	if (has_output && !is_varying && block_reason == "")
		print "t_compare " quoted(expected)
	expected = ""
	has_output = 0
}

function take(line)
{
	if (kind == "sh")
		emit(line)
	else if (kind == "console" && (command != "" || line ~ /^\$ /)) {
		if (command == "")
			close_output()
		command = command == "" ? substr(line, 3) : command "\n" line
		if (gsub(/"/, "\"", command) % 2 == 0) {
			emit(command, 1)
			command = ""
		}
	} else if (kind == "console" && line ~ /^# not run: /) {
		block_reason = remark(line, "not run: ")
	} else if (kind == "console") {
		expected = expected line "\n"
		has_output = 1
	} else if (kind == "" && line ~ /^(\$ )?(mpirun .*|srun .*|[A-Z_]+=[^ ]* )*measure(-[a-z]+)?( |$)/)
		print "t_unmarked " quoted(name ":" FNR ": " line)
}

is_page && /^\.SH/ { is_examples = /EXAMPLES/ }
is_page && is_examples && /^\.(nf|EX)/ { in_block = 1; open_block(name ~ /\.1$/ ? "sh" : "text"); next }
is_page && /^\.(fi|EE)/ { in_block = 0 }
is_page && is_examples && !in_block && /^\.B measure/ { open_block("sh") }
is_page && is_examples && (in_block || /^\.B measure/) {
	sub(/^\.B /, "")
	gsub(/\\-/, "-")
	gsub(/\\\(aq/, "'")
	gsub(/\\e/, "\\")
	if (/^\$ /)
		open_block("console varies")
	take(with_remark($0))
}
is_page { next }

/^```/ {
	if (in_block)
		close_output()
	else
		open_block(substr($0, 4))
	in_block = !in_block
	next
}
in_block { take($0) }
!in_block && /^    (mpirun .*)?measure(-[a-z]+)? / { print "t_unmarked " quoted(name ":" FNR ": " $0) }
