#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Description: programs that call functions under locks, in handlers and in their own malloc end as ever and as soon, and all their calls are recorded
. "$(dirname "$0")/../lib.sh"
cd "$work" || exit 1
rounds=${HELD_ROUNDS:-1} # how often each is run with each options
case_rounds=${HELD_CASE_ROUNDS:-100}

cc=${CC:-cc}
"$cc" -O1 -g -pthread -finstrument-functions "$t_here/hooks_under_locks.c" -o held || exit 1
"$cc" -O1 -g -pthread -finstrument-functions -fno-builtin "$t_here/own_malloc.c" -o own_malloc || exit 1
echo 'void called(void) { }' >plugin.c
"$cc" -O1 -g -finstrument-functions -shared -fPIC plugin.c -o libplugin.so || exit 1
programs=("held handler $case_rounds" "held altstack $case_rounds" "held first $case_rounds" "held cached $case_rounds"
	"held callback 1 ./libplugin.so" "held cancelled $((10 * case_rounds))" "held namespace $case_rounds" own_malloc)
if ${CXX:-c++} -O1 -g -pthread -finstrument-functions "$t_here/thread_local_objects.cc" -o threads 2>/dev/null; then
	programs+=(threads)
else
	echo 'no C++ compiler: without its threads'
fi
options=('' '-a +memory' '-a +memory,+posixio,+pthread' '-m rusage:ru_minflt' '--sample 997'
	'-a +memory,+posixio,+pthread -m rusage:ru_minflt --sample 997')

ms()
{
	echo $(($(date +%s%N) / 1000000))
}

# calls DIR FUNCTION: Enters of it in the archive
calls()
{
	otf2-print "$1/traces.otf2" | grep -c "^ENTER .*\"$2\""
}

# The numbers of handlers that ran, and so of their calls, differ from run to run.
text()
{
	sed 's/^EXPECT \([^ ]*\) .*/EXPECT \1/' "$1"
}

# timed FILE COMMAND...: its output and status, and $took: ms; one that takes a minute is ended
timed()
{
	local begin

	begin=$(ms)
	timeout -s KILL 60 "${@:2}" >"$1" 2>&1
	status=$?
	took=$(($(ms) - begin))
}

# held OPTIONS PROGRAM...: one that took too long has two more tries, as the machine may have other things to do. Where
# threads are cancelled, plain runs take 0.3 to 4 s: the longest of the tries counts.
held()
{
	local plain_status plain=0 try

	for try in 1 2 3; do
		timed plain.out "./$2" "${@:3}"
		plain_status=$status
		[ $took -le $plain ] || plain=$took
		rm -rf run
		# shellcheck disable=SC2086 # several words
		timed run.out "$measure" -q -o run $1 "./$2" "${@:3}"
		[ $took -gt $((3 * plain + 2000)) ] || break
	done
	[ $took -le $((3 * plain + 2000)) ] || t_fail "$*: $took ms, plain $plain ms, in $try tries"
	t_equal "$* (measured with: $1): status" $plain_status $status
	t_equal "$*: output" "$(text plain.out)" "$(text run.out)"
	t_wait 30 test ! -e run/.parts
	"$MEASURE_CHECK" run >check || t_fail "$*: $(tail -n 20 check)"
	local missing function number before
	grep -q ^EXPECT run.out || t_fail "$*: says nothing of calls: $(cat run.out)"
	while read -r _ function number before; do
		missing=$((number - $(calls run "$function")))
		[ $missing -ge 0 ] && [ $missing -le "${before:-0}" ] || t_fail "$*: $missing calls of $function are missing"
	done < <(grep ^EXPECT run.out)
}

for round in $(seq "$rounds"); do
	for each in "${options[@]}"; do
		for program in "${programs[@]}"; do
			# shellcheck disable=SC2086 # several words
			held "$each" $program
		done
	done
	[ "$rounds" = 1 ] || echo "round $round: $t_failures failures"
done
t_end
