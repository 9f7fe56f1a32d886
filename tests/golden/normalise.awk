# SPDX-License-Identifier: BSD-3-Clause
#
# Reads the output of `otf2-print -G`, then that of `otf2-print` (both as files), and prints what a program
# decides about its trace: regions by name, windows, then the events of each location, indented by nesting. What differs
# from run to run is left out or replaced: times, ids, directories, addresses, process and thread numbers, lines of
# headers of the system.

function without_ids(text)
{
	gsub(/ <[0-9]+>/, "", text)
	return text
}

# Directories off, also inside of region names; numbers that the system chose.
function normalised(text,    number)
{
	text = without_ids(text)
	gsub(/(\/[^\/" :;,()]+)+\//, "", text)
	gsub(/0x[0-9a-f]+/, "0xADDRESS", text)
	while (match(text, /"(PROCESS_ID|THREAD_ID)"; [A-Z0-9]+; [0-9]+/)) {
		number = substr(text, RSTART, RLENGTH)
		sub(/[0-9]+$/, "NUMBER", number)
		text = substr(text, 1, RSTART - 1) number substr(text, RSTART + RLENGTH)
	}
	return text
}

# The value of `name` in "A: x, B: y, ..."; quoted values without quotes.
function field(text, name,    value)
{
	if (!match(text, "(^|[, ])" name ": "))
		return ""
	value = substr(text, RSTART + RLENGTH)
	if (value ~ /^"/) {
		match(value, /^"([^"\\]|\\.)*"/)
		return substr(value, 2, RLENGTH - 2)
	}
	sub(/,.*/, "", value)
	return value
}

# Headers of the system differ from one to the next: there is a line, but which?
function line_of_region(text,    line)
{
	line = field(text, "Begin")
	return field(text, "File") ~ /\/usr\/([^\/]+\/)?(include|lib)\// && line > 0 ? "LINE" : line
}

function indent(depth,    text)
{
	while (depth-- > 0)
		text = text "  "
	return text
}

# Keeps regions[1..nr_regions] sorted.
function insert_region(line,    i)
{
	for (i = ++nr_regions; i > 1 && regions[i - 1] > line; i--)
		regions[i] = regions[i - 1]
	regions[i] = line
}

FNR == 1 {
	nr_file++
}

nr_file == 1 && $1 == "REGION" {
	text = normalised($0)
	canonical = text
	if (!sub(/.*\(Aka\. "/, "", canonical))
		canonical = ""
	sub(/"\), Descr.*/, "", canonical)
	line = field(text, "Name")
	line = line (canonical != "" && canonical != line ? " = " canonical : "")
	line = line ", " field(text, "Role") ", " field(text, "Paradigm")
	if (field(text, "File") != "" && field(text, "File") != "UNDEFINED")
		line = line ", " field(text, "File") ":" line_of_region($0)
	if (!(line in known)) {
		known[line] = 1
		insert_region(line)
	}
}

nr_file == 1 && $1 == "RMA_WIN" {
	text = normalised($0)
	windows[++nr_windows] = field(text, "Name") ", " field(text, "Communicator") ", " field(text, "Flags")
}

nr_file == 1 && $1 == "LOCATION" {
	text = normalised($0)
	order[++nr_locations] = $2
	name[$2] = sprintf("%s, %s, %d events", field(text, "Name"), field(text, "Type"), field(text, "# Events"))
	if (field(text, "Group") ~ /^MPI Rank/)
		name[$2] = field(text, "Group") ", " name[$2]
}

nr_file == 2 && /^[A-Z][A-Z0-9_]+ +[0-9]+ +[0-9]+/ {
	location = $2
	what = $1
	text = $0
	sub(/^[A-Z][A-Z0-9_]+ +[0-9]+ +[0-9]+ */, "", text)
	text = normalised(text)
	if (what == "ENTER" || what == "LEAVE")
		text = field(text, "Region")
	if (what == "LEAVE")
		depth[location]--
	events[location] = events[location] indent(depth[location]) what " " text "\n"
	if (what == "ENTER")
		depth[location]++
	next
}

# Further attributes of the record above.
nr_file == 2 && /^ +ADDITIONAL ATTRIBUTES/ {
	text = normalised($0)
	sub(/^ +/, "", text)
	events[location] = events[location] indent(depth[location] + 1) text "\n"
}

END {
	print "regions"
	for (i = 1; i <= nr_regions; i++)
		print "  " regions[i]
	if (nr_windows > 0)
		print "windows"
	for (i = 1; i <= nr_windows; i++)
		print "  " windows[i]
	for (i = 1; i <= nr_locations; i++) {
		print "location " name[order[i]]
		n = split(events[order[i]], lines, "\n")
		for (j = 1; j < n; j++)
			print "  " lines[j]
	}
}
