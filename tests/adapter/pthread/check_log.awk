# SPDX-License-Identifier: BSD-3-Clause
# Compares what a program says of itself (first file: "event NAME COUNT", "region NAME COUNT") with the stub's log
# (second file), and looks for what must never be: a thread that begins before it is created, or a wait that is over before
# the end; an acquisition before the release of the one before, by another thread, or twice; regions not nested.

function wrong(text)
{
	print text
	is_wrong = 1
}

FNR == 1 { file++ }
file == 1 { if ($1 == "event" || $1 == "region") expected[$1 " " $2] = $3; next }

$1 == "region" { name_of[$2] = $4 }
$1 != "event" { next }
{ found["event " $4]++; at = $3; who = $2 }
$4 == "enter" { found["region " name_of[$5]]++; stack[who, ++depth[who]] = $5 }
$4 == "leave" {
	if (stack[who, depth[who]] != $5)
		wrong("location " who " leaves " name_of[$5] ", but is in " name_of[stack[who, depth[who]]])
	depth[who]--
}
$4 == "thread_create" { created[$6] = at }
$4 == "thread_begin" {
	begun[$6] = at
	if (depth[who] > 0 || (who in has_events))
		wrong("thread " $6 " has records before its begin")
}
$4 == "thread_end" { ended[$6] = at; last[who] = FNR }
$4 == "thread_wait" { waited[$6] = at }
$4 == "thread_acquire_lock" {
	if (($6, $7) in acquired)
		wrong("lock " $6 " is acquired twice as number " $7)
	acquired[$6, $7] = at
	holder[$6, $7] = who
	nr_orders[$6] = $7 > nr_orders[$6] ? $7 : nr_orders[$6]
}
$4 == "thread_release_lock" {
	if (holder[$6, $7] != who)
		wrong("lock " $6 " is released by " who " as number " $7 ", acquired by " holder[$6, $7])
	released[$6, $7] = at
}
who in last && last[who] != FNR { wrong("location " who " has records behind its end") }
{ has_events[who] = 1 }

END {
	for (number in begun)
		if (!(number in created) || begun[number] < created[number])
			wrong("thread " number " begins before it is created")
	for (number in waited)
		if (number in created && (!(number in ended) || waited[number] < ended[number]))
			wrong("thread " number " is waited for before it ends")
	for (lock in nr_orders)
		for (order = 1; order <= nr_orders[lock]; order++) {
			if (!((lock, order) in acquired))
				wrong("lock " lock " has no acquisition " order)
			if (order > 1 && (lock, order - 1) in released &&
			    acquired[lock, order] < released[lock, order - 1])
				wrong("lock " lock " is acquired as " order " before it is released")
		}
	for (key in expected)
		if (found[key] + 0 != expected[key])
			wrong(key ": " found[key] + 0 " found, " expected[key] " expected")
	exit is_wrong
}
