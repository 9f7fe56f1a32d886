# SPDX-License-Identifier: BSD-3-Clause
# Compares what a program says of itself (first file: "event NAME COUNT", "region NAME COUNT") with
# the stub's log (second file, events in the order of their times), and looks for what must never be: handles that are
# created or destroyed twice, or used while they are not there; operations that do not begin or end; regions not nested.

function wrong(text)
{
	print text
	is_wrong = 1
}

function use(handle)
{
	if (!is_open[handle])
		wrong($4 " of handle " handle ", which is not open")
}

FNR == 1 { file++ }
file == 1 { if ($1 == "event" || $1 == "region") expected[$1 " " $2] = $3; next }

$1 == "region" { name_of[$2] = $4 }
$1 == "io_handle" {
	is_open[$2] = $14 % 2 # it was there before
	if ($6 == 2 && !($12 in is_open))
		wrong("stream " $2 " without a descriptor")
}
$1 != "event" { next }
{ found["event " $4]++; who = $2 }
$4 == "enter" { found["region " name_of[$5]]++; stack[who, ++depth[who]] = $5 }
$4 == "leave" {
	if (stack[who, depth[who]] != $5)
		wrong("location " who " leaves " name_of[$5] ", but is in " name_of[stack[who, depth[who]]])
	depth[who]--
}
$4 == "io_create_handle" { if (is_open[$5]) wrong("handle " $5 " is created twice"); is_open[$5] = 1 }
$4 == "io_duplicate_handle" { use($5); if (is_open[$6]) wrong("handle " $6 " is there already"); is_open[$6] = 1 }
$4 == "io_destroy_handle" { use($5); is_open[$5] = 0 }
$4 == "io_seek" || $4 == "io_change_status_flags" { use($5) }
$4 == "io_operation_begin" {
	use($5)
	if (is_under_way[$5, $9])
		wrong("operation " $9 " of handle " $5 " begins twice")
	is_under_way[$5, $9] = 1
	nr_under_way[who]++
}
$4 == "io_operation_complete" {
	if (!is_under_way[$5, $7])
		wrong("operation " $7 " of handle " $5 " is complete, but has not begun")
	is_under_way[$5, $7] = 0
}

END {
	for (key in expected)
		if (found[key] + 0 != expected[key])
			wrong(key ": " found[key] + 0 " found, " expected[key] " expected")
	exit is_wrong
}
