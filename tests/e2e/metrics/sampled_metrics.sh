#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Description: metrics of processes and nodes are sampled beside the program, on locations of their own, however program and keeper end
. "$(dirname "$0")/../lib.sh"
cd "$work" || exit 1

${CC:-cc} -O1 -g -finstrument-functions -o sampled "$t_here/sampled_metrics.c" || t_skip 'no compiler'
metrics=proc:VmRSS,proc:minflt,proc:utime,proc:nonvoluntary_ctxt_switches,node:MemAvailable,node:load1

# lines DIR: "LOCATION TIME VALUE..." of each record of sampled metrics
lines()
{
	otf2-print "$1/traces.otf2" | awk '$1 == "METRIC" {
		nr = split($0, parts, /; (UINT64|INT64|DOUBLE); /)
		line = $2 " " $3
		for (i = 2; i <= nr; i++)
			line = line " " parts[i] + 0
		print line
	}' >"$1.lines"
}

# are_sampled DIR NODES: archive of one process, with so many locations of the node: every record is whole, within the
# run of the program, in the order of time; and the memory is seen
are_sampled()
{
	t_sound "$work/$1"
	lines "$1"
	otf2-print -G "$1/traces.otf2" >"$1.definitions"
	t_equal "$1: locations of processes" 1 "$(grep -c '^LOCATION .*"Metrics of the process".*Type: METRIC' "$1.definitions")"
	t_equal "$1: locations of nodes" "$2" "$(grep -c '^LOCATION .*"Metrics of node .*Type: METRIC' "$1.definitions")"
	t_equal "$1: scopes" 'node process ' "$(sed -n 's/^LOCATION_PROPERTY.*METRIC_SCOPE.*Value: "\([a-z]*\)".*/\1/p' "$1.definitions" | sort | tr '\n' ' ')"
	t_equal "$1: recorders" 2 "$(grep -c '^METRIC_CLASS_RECORDER.*"Metrics of ' "$1.definitions")"
	grep -q '^METRIC_CLASS.*ASYNCHRONOUS.*"VmRSS".*"minflt"' "$1.definitions" || t_fail "$1: no class"
	t_equal "$1: records of other lengths" 0 "$(awk 'NF != 6 && NF != 4' "$1.lines" | wc -l)"
	t_equal "$1: records out of order" 0 "$(awk '$2 < last[$1] { nr++ } { last[$1] = $2 } END { print nr + 0 }' "$1.lines")"
	awk 'NF == 6 && $3 > 65536 { nr++ } END { exit nr < 2 }' "$1.lines" || t_fail "$1: the memory is not seen: $(cat "$1.lines")"
	awk 'NF == 6 && $4 < last { nr++ } NF == 6 { last = $4 } END { exit nr > 0 }' "$1.lines" || t_fail "$1: page faults are taken back"
	awk 'NF == 4 && ($3 < 1000 || $4 < 0) { nr++ } END { exit nr > 0 }' "$1.lines" || t_fail "$1: the node has no memory"
	[ "$1" = repaired ] || otf2-print "$1/traces.otf2" | awk '$1 == "PROGRAM_BEGIN" { begin = $3 } $1 == "PROGRAM_END" { end = $3 }
		$1 == "METRIC" { if (!begin || end) exit 1 }' || t_fail "$1: samples outside of the program's run"
}

"$measure" -m $metrics --metric-interval 10 -o plain ./sampled plain || t_fail "plain: exit status $?"
are_sampled plain 1

# With values at each Enter and Leave as well; through several chunks of the file, which are written at an end of a run
# of any length.
"$measure" -m rusage:ru_minflt,$metrics --metric-interval 10 -o both ./sampled both || t_fail "both: exit status $?"
t_sound "$work/both"
otf2-print -G both/traces.otf2 | grep -q 'METRIC_CLASS.*SYNCHRONOUS_STRICT.*"ru_minflt"' || t_fail 'both: no metrics of threads'
t_equal 'both: locations' 3 "$(otf2-print -G both/traces.otf2 | grep -c '^LOCATION ')"

# Killed.
"$measure" -q -m $metrics --metric-interval 10 -o killed ./sampled killed file kill &
t_wait 20 test -e file || t_fail 'killed: does not come to its file'
rm -f file
wait $!
t_wait 20 test ! -e killed/.parts
are_sampled killed 1

# The keeper, or all that belongs to the recording.
"$measure" -q -m $metrics --metric-interval 10 -o keeper ./sampled keeper file 2>words &
wrapper=$!
t_wait 20 test -e file || t_fail 'keeper: does not come to its file'
kill -9 "$(t_keeper $wrapper)"
t_wait 30 grep -q 'died.*(1 of 3)' words || t_fail "keeper: nobody takes its place: $(cat words)"
rm -f file
wait $wrapper
are_sampled keeper 1

# What was sampled is in a file, also where events of threads are lost.
"$measure" -q -m $metrics --metric-interval 10 -o repaired ./sampled repaired file 2>words &
wrapper=$!
t_wait 20 test -e file || t_fail 'repaired: does not come to its file'
guard=$(t_guard $wrapper) keeper=$(t_keeper $wrapper) program=$(pgrep -P $wrapper -x sampled)
kill -9 $wrapper "$guard" "$keeper" "$program"
t_wait 10 test ! -e "/proc/$keeper/root" || true
rm -f file
"$t_build/measure-repair" repaired >words 2>&1 || [ $? = 1 ] || t_fail "repaired: $(cat words)"
are_sampled repaired 1

# Clocks are corrected on all locations of a process.
"$measure" --clock simulated:offset=5ms,drift=100ppm -m $metrics --metric-interval 10 -o skewed ./sampled skewed ||
	t_fail "skewed: exit status $?"
are_sampled skewed 1
"$t_build/measure-sync" -o corrected skewed >words 2>&1 || t_fail "corrected: $(cat words)"
are_sampled corrected 1
"$t_build/measure-sync" --exclude take -o filtered skewed >words 2>&1 || t_fail "filtered: $(cat words)"
are_sampled filtered 1

# Wrong names and intervals.
"$measure" --lenient -m proc:VmRS,node:MemAvailabel -o wrong true 2>words || t_fail "wrong: exit status $?"
grep -q 'proc:VmRS: unknown metric; similar names: VmRSS, ' words || t_fail "wrong: $(cat words)"
grep -q 'node:MemAvailabel: unknown metric; similar names: MemAvailable' words || t_fail "wrong: $(cat words)"
"$measure" --metric-interval 0 -m proc:VmRSS -o interval true 2>words
t_equal 'interval: exit status' 2 $?
[ ! -e interval ] || t_fail 'interval: it was recorded'
grep -q "metric-interval: '0' is not between 1 millisecond and 1 hour" words || t_fail "interval: $(cat words)"
t_end
