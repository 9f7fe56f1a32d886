# SPDX-License-Identifier: BSD-3-Clause
#
# Checks what the adapter asked of the stub (tests/stub/stub.c) against the contract: nesting,
# fork and join around the teams, communicators with exactly the members that came. First file:
# the test program's output with the numbers to expect; second: the log.

function wrong(what)
{
	print FILENAME ":" FNR ": " what
	nr_wrong++
}

BEGIN {
	last_comm = -1
}

FNR == NR {
	for (i = 1; i < NF; i += 2)
		expected[$i] = $(i + 1)
	next
}

$1 == "region" {
	role[$2] = $0
	sub(/.* role /, "", role[$2])
	role[$2] += 0
}

$1 == "comm" {
	if ($2 in members)
		wrong("communicator " $2 " described twice")
	if ($4 != 3)
		wrong("communicator " $2 " is not a team")
	members[$2] = $6
	last_comm = $2 > last_comm ? $2 : last_comm
}

$1 == "property" && /MISMATCH/ {
	wrong($0)
}

$1 == "event" {
	location = $2
	time = $3
	if (time < last[location])
		wrong("time goes backwards")
	last[location] = time
}

$1 == "event" && $4 == "enter" {
	region[location, ++depth[location]] = $5
	nr_barriers += role[$5] == 15 # OTF2_REGION_ROLE_BARRIER
	nr_parallels += role[$5] == 5 # OTF2_REGION_ROLE_PARALLEL
	nr_of_role[role[$5]]++
}

$1 == "event" && $4 == "leave" {
	if (depth[location] == 0 || region[location, depth[location]--] != $5)
		wrong("leave of " $5 " which is not the innermost region")
}

$1 == "event" && $4 == "thread_fork" {
	nr_forks++
	fork_time[location, ++forks[location]] = time
	fork_depth[location, forks[location]] = depth[location]
	delete fork_team[location, forks[location]]
}

$1 == "event" && $4 == "thread_join" {
	if (forks[location] == 0 || fork_depth[location, forks[location]] != depth[location])
		wrong("join without its fork")
	if (!((location, forks[location]) in fork_team))
		wrong("the master was not in its team")
	instance = fork_team[location, forks[location]--]
	window_end[instance] = time
}

$1 == "event" && $4 == "thread_team_begin" {
	nr_begins++
	count = ++nr_in_team[$5, location]
	begin[$5, location, count] = time
	team[location, ++teams[location]] = $5
	team_depth[location, teams[location]] = depth[location]
	team_count[location, teams[location]] = count
	if (forks[location] > 0 && !((location, forks[location]) in fork_team)) {
		fork_team[location, forks[location]] = $5 SUBSEP count
		window_begin[$5, count] = fork_time[location, forks[location]]
		master[$5] = location
	}
	used[$5] = 1
}

$1 == "event" && $4 == "thread_team_end" {
	if (teams[location] == 0 || team[location, teams[location]] != $5)
		wrong("end of team " $5 " which is not the innermost")
	else if (team_depth[location, teams[location]] != depth[location])
		wrong("end of team " $5 " between an enter and its leave")
	end[$5, location, team_count[location, teams[location]--]] = time
}

# Locks: the k-th owner has the lock before the next one, and gives back what it has.
$1 == "event" && $4 == "thread_acquire_lock" {
	nr_acquires++
	if (!(($6, $7) in acquired))
		acquired[$6, $7] = time
	order[$6] = $7 > order[$6] ? $7 : order[$6]
	has[location, $6, $7]++
}

$1 == "event" && $4 == "thread_release_lock" {
	released[$6, $7] = time
	if (has[location, $6, $7]-- <= 0)
		wrong("release of lock " $6 ", order " $7 ", which this thread does not have")
}

# Tasks: made, run and over, in this order; a task region is entered by the task it is of.
$1 == "event" && $4 == "thread_task_create" {
	nr_tasks++
	task = $5 SUBSEP $6 SUBSEP $7
	if (task in created)
		wrong("a task is made twice")
	created[task] = time
}

# What is told of the task that this thread has made last; another task is creator << 32 | number.
$1 == "parameter" {
	fact[$2] = $4
}

$1 == "event" && $4 == "thread_task_create" {
	last_task[location] = task
}

$1 == "event" && $4 == "parameter_unsigned_int" && fact[$5] ~ /^task\./ {
	found[fact[$5]]++
	if (!(location in last_task)) {
		wrong(fact[$5] " of no task")
		next
	}
	split(last_task[location], part, SUBSEP)
	if (fact[$5] == "task.parent" || fact[$5] == "task.dep") {
		task = part[1] SUBSEP int($6 / 4294967296) SUBSEP $6 % 4294967296
		if (!(task in created))
			wrong(fact[$5] " names a task that is not there")
	}
}

$1 == "event" && $4 == "thread_task_switch" {
	if ($7 > 0) {
		task = $5 SUBSEP $6 SUBSEP $7
		if (!(task in started) || time < started[task])
			started[task] = time
	}
}

$1 == "event" && $4 == "thread_task_complete" {
	task = $5 SUBSEP $6 SUBSEP $7
	if (task in completed)
		wrong("a task is over twice")
	completed[task] = time
}

function check_locks(	lock, k)
{
	for (lock in order) {
		nr_locks++
		for (k = 1; k <= order[lock]; k++) {
			if (!((lock, k) in acquired) || !((lock, k) in released))
				wrong("lock " lock ": owner " k " never had it or never gave it back")
			if (k > 1 && acquired[lock, k] < released[lock, k - 1])
				wrong("lock " lock ": owner " k " came before the one before had gone")
		}
	}
}

function check_tasks(	task)
{
	for (task in started)
		if (!(task in created) || started[task] < created[task])
			wrong("a task runs before it is made")
	for (task in created)
		if (!(task in completed))
			wrong("a task is never over")
	for (task in completed)
		if (!(task in created) || completed[task] < started[task])
			wrong("a task is over before it runs")
}

# Waits for work after its last region: it has not heard that the barrier at the end is over.
function is_idle(location)
{
	return teams[location] == 1 && !forks[location] && depth[location] == 2 && \
		role[region[location, 2]] == 16 # OTF2_REGION_ROLE_IMPLICIT_BARRIER
}

# Each instance of the team has each member once, between its fork and its join.
function check_team(comm,	list, size, nr_instances, i, k, at, sum)
{
	size = split(members[comm], list, ",")
	nr_instances = nr_in_team[comm, list[1]]
	if (master[comm] != list[1])
		wrong("team " comm ": the first member is not the master")
	for (i = 1; i <= size; i++) {
		is_member[comm, list[i]] = 1
		if (nr_in_team[comm, list[i]] != nr_instances)
			wrong("team " comm ": " list[i] " came " nr_in_team[comm, list[i]] + 0 \
				" times, the master " nr_instances)
		for (k = 1; k <= nr_instances; k++) {
			at = begin[comm, list[i], k]
			if (at < window_begin[comm, k] || end[comm, list[i], k] > window_end[comm, k])
				wrong("team " comm ", instance " k ": " list[i] \
					" is outside of fork and join")
		}
	}
}

END {
	for (comm in used) {
		if (comm in members)
			check_team(comm)
		else
			wrong("team " comm " is not described")
		nr_comms++
	}
	for (comm = 0; comm <= last_comm; comm++)
		if (!(comm in members))
			wrong("communicator " comm " was reserved in vain")
	for (pair in nr_in_team)
		if (!(pair in is_member)) {
			split(pair, part, SUBSEP)
			wrong("location " part[2] " began team " part[1] " and is not in it")
		}
	for (location in last)
		if ((depth[location] || forks[location] || teams[location]) && !is_idle(location))
			wrong("location " location " has open regions, forks or teams")
	check_locks()
	check_tasks()
	if (nr_parallels != nr_begins)
		wrong(nr_begins " begins of teams, " nr_parallels " of the region")
	found["forks"] = nr_forks
	found["begins"] = nr_begins
	found["barriers"] = nr_barriers
	found["ends"] = nr_of_role[16]
	found["comms"] = nr_comms
	found["acquires"] = nr_acquires
	found["locks"] = nr_locks
	found["tasks"] = nr_tasks
	found["loops"] = nr_of_role[3]
	found["sections"] = nr_of_role[6]
	found["singles"] = nr_of_role[9]
	found["executors"] = nr_of_role[10]
	found["masters"] = nr_of_role[11]
	for (what in expected)
		if (expected[what] >= 0 && found[what] + 0 != expected[what])
			wrong(found[what] + 0 " " what ", expected " expected[what])
	exit nr_wrong > 0
}
