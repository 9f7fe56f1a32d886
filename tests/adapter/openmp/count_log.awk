# SPDX-License-Identifier: BSD-3-Clause
#
# Counts in a log of the stub (tests/stub/stub.c) what both OpenMP adapters must find, in lines
# "what number". Teams are told by their size; barriers of a thread alone are left out, which LLVM's
# library does not tell.

BEGIN {
	# OTF2_RegionRole
	counted[3] = "loops"
	counted[6] = "sections"
	counted[9] = "singles"
	counted[10] = "executors"
	counted[12] = "criticals"
	counted[18] = "ordered"
	counted[22] = "taskwaits"
	barrier = 15
	implicit_barrier = 16
}

$1 == "region" {
	text = $0
	sub(/.* role /, "", text)
	role[$2] = text + 0
}

$1 == "comm" && $4 == 3 {
	size[$2] = split($6, list, ",")
}

$1 != "event" {
	next
}

$4 == "thread_team_begin" {
	nr_begins[$5]++
	team[$2, ++depth[$2]] = $5
}

$4 == "thread_team_end" {
	depth[$2]--
}

# A library may make an explicit one of an implicit one.
$4 == "enter" && (role[$5] == barrier || role[$5] == implicit_barrier) {
	nr_barriers[team[$2, depth[$2]]]++
	if (role[$5] == barrier)
		nr_explicit[team[$2, depth[$2]]]++
}

$4 == "enter" && role[$5] in counted {
	count[counted[role[$5]]]++
}

$4 == "thread_fork" { count["forks"]++ }
$4 == "thread_join" { count["joins"]++ }
$4 == "thread_acquire_lock" { count["acquires"]++; locks[$6] = 1 }
$4 == "thread_release_lock" { count["releases"]++ }
$4 == "thread_task_create" { count["tasks"]++ }
$4 == "thread_task_complete" { count["completes"]++ }

END {
	for (comm in nr_begins) {
		count["team_of_" size[comm]] += nr_begins[comm]
		if (size[comm] > 1) {
			count["barriers"] += nr_barriers[comm]
			count["explicit"] += nr_explicit[comm]
		}
	}
	for (lock in locks)
		count["locks"]++
	for (what in count)
		if (count[what] > 0)
			print what, count[what]
}
