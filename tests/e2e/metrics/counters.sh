#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Description: with --metrics the values of counters stand before each Enter and Leave, at the same time, and are right; names that are wrong are said, with the nearest ones
. "$(dirname "$0")/../lib.sh"
cd "$work" || exit 1

${CC:-cc} -O1 -g -pthread -finstrument-functions -o metered "$t_programs/page_faults.c" || t_skip 'no compiler'

# lines DIR: "LOCATION TIME ENTER|LEAVE FUNCTION VALUE..." of each Enter and Leave, with the values of
# the Metrics right before it at its time
lines()
{
	otf2-print "$1/traces.otf2" | awk '
		$1 == "METRIC" {
			if (place != $2 " " $3)
				values = ""
			place = $2 " " $3
			nr = split($0, parts, /; U?INT64; /)
			for (i = 2; i <= nr; i++)
				values = values " " parts[i] + 0
			next
		}
		$1 == "ENTER" || $1 == "LEAVE" {
			name = $0
			sub(/.*Region: "/, "", name)
			sub(/".*/, "", name)
			print $2, $3, $1, name (place == $2 " " $3 ? values : "")
		}
		{ place = "" }' >"$1.lines"
}

# counts DIR: records of metrics, and of Enter and Leave
counts()
{
	otf2-print "$1/traces.otf2" | awk '$1 == "METRIC" { metrics++ } $1 == "ENTER" || $1 == "LEAVE" { others++ }
		END { print metrics + 0, others + 0 }'
}

# faults DIR: page faults in each call of touch(), by how many calls
faults()
{
	awk '$4 == "touch" { if ($3 == "ENTER") begin[$1] = $5; else nr[$5 - begin[$1]]++ }
		END { for (faults in nr) print faults, nr[faults] }' "$1.lines" | sort -rn -k2 | head -n 1
}

# Of each thread its own.
"$measure" -m rusage:ru_minflt,rusage:ru_nvcsw -o rusage ./metered 2 50 || t_fail "rusage: exit status $?"
t_sound "$work/rusage"
lines rusage
t_equal 'rusage: lines without both values' 0 "$(awk 'NF != 6' rusage.lines | wc -l)"
# A page table or the recording itself may cost a fault now and then.
set -- $(faults rusage)
[ "$1" = 16 ] && [ "$2" -gt 100 ] || t_fail "rusage: of 150 calls most ($2) have $1 page faults"
t_equal 'rusage: values that go down' 0 "$(awk '$5 < last[$1] { nr++ } { last[$1] = $5 } END { print nr + 0 }' rusage.lines)"
otf2-print -G rusage/traces.otf2 | grep -q 'METRIC_CLASS.*SYNCHRONOUS_STRICT.*"ru_minflt".*"ru_nvcsw"' ||
	t_fail "rusage: $(otf2-print -G rusage/traces.otf2 | grep METRIC)"

# Kernel's events: a group, of which all count from the beginning.
if "$measure" --strict -q -m perf:page-faults,perf:task-clock -o perf ./metered 2 50 2>words; then
	t_sound "$work/perf"
	lines perf
	t_equal 'perf: lines without both values' 0 "$(awk 'NF != 6' perf.lines | wc -l)"
	set -- $(faults perf)
	[ "$1" = 16 ] && [ "$2" -gt 100 ] || t_fail "perf: of 150 calls most ($2) have $1 page faults"
	t_equal 'perf: task-clock stands still' 0 "$(awk '$6 <= last[$1] { nr++ } { last[$1] = $6 } END { print nr + 0 }' perf.lines)"

	# A thread that cannot have them is recorded without, and that is counted: of 41 entries and as many exits.
	"$measure" -a compiler -m perf:page-faults -o starved ./metered starve 20 || t_fail "starved: exit status $?"
	t_sound "$work/starved"
	lines starved
	t_equal 'starved: lines without a value' 82 "$(awk 'NF != 5' starved.lines | wc -l)"
	grep -q '82 times metrics could not be read' starved/summary.txt || t_fail "starved: $(cat starved/summary.txt)"
else
	grep -q 'does not allow it\|not available on this machine' words || t_fail "perf: $(cat words)"
fi

# PAPI: a counter that the program has itself, and a component of the kernel's; two event sets.
papi=sde:::counted::steps,perf::PERF_COUNT_SW_PAGE_FAULTS
if [ ! -e "$t_build/.libs/libmeasure-papi.so" ]; then
	echo 'not tested: PAPI, without which this Measure was built'
elif ! ${CC:-cc} -O1 -g -finstrument-functions -o counted "$t_here/papi_sde.c" -l:libsde.so.1 2>words; then
	echo "not tested: PAPI: $(head -n 1 words)"
elif ! "$measure" --strict -q -m $papi -o papi ./counted 2>words; then
	echo "not tested: PAPI: $(cat words)"
	grep -q 'not available on this machine\|PAPI cannot be initialised' words || t_fail "papi: $(cat words)"
else
	t_equal 'papi: words' '' "$(cat words)"
	t_sound "$work/papi"
	lines papi
	t_equal 'papi: lines without both values' 0 "$(awk 'NF != 6' papi.lines | wc -l)"
	t_equal 'papi: steps in calls of step()' '10 3' "$(awk '$4 == "step" { if ($3 == "ENTER") begin = $5; else nr[$5 - begin]++ }
		END { for (steps in nr) print nr[steps], steps }' papi.lines)"
	"$measure" -m perf::NO_SUCH -o none ./counted 2>words || t_fail "papi: exit status $?"
	grep -q 'perf::NO_SUCH: unknown metric.*: recording without it' words || t_fail "papi: $(cat words)"
	# known to PAPI, whether this machine has it or not
	"$measure" -m PAPI_TOT_IN -o none ./counted 2>words
	t_equal 'papi: exit status' 2 $?
	grep -q 'PAPI_TOT_IN: unknown metric; similar names: PAPI_TOT_INS' words || t_fail "papi: $(cat words)"
fi

# Two sources, more values than one record has, through many chunks.
all=rusage:ru_utime,rusage:ru_stime,rusage:ru_maxrss,rusage:ru_minflt,rusage:ru_majflt,rusage:ru_inblock,rusage:ru_oublock,rusage:ru_nvcsw,rusage:ru_nivcsw
"$measure" --chunk 256K -m $all -o many ./metered 0 8000 || t_fail "many: exit status $?"
t_sound "$work/many"
lines many
t_equal 'many: lines without all values' 0 "$(awk 'NF != 13' many.lines | wc -l)"
t_equal 'many: records' "$((2 * $(t_lines many.lines))) $(t_lines many.lines)" "$(counts many)"

# What an event costs is told with its metrics, and by its kind: more than 40 ns here.
awk '/ entries of functions/ { found = $2 != "ns" || $1 > 40 } END { exit !found }' many/summary.txt || t_fail "many: $(cat many/summary.txt)"

# What the filter leaves out or takes back has none either.
"$measure" -m rusage:ru_minflt --exclude 'tiny' --exclude 'touch shorter=10s' -o filtered ./metered 0 100 ||
	t_fail "filtered: exit status $?"
t_sound "$work/filtered"
t_equal 'filtered: records' '4 4' "$(counts filtered)"

# A followed child has values of its own.
"$measure" --children=follow -m rusage:ru_minflt -o followed ./metered fork 20 || t_fail "followed: exit status $?"
t_wait 30 test ! -e followed/.parts
t_sound "$work/followed"
lines followed
t_equal 'followed: lines without a value' 0 "$(awk 'NF != 5 && $4 != "main"' followed.lines | wc -l)"
t_equal 'followed: processes' 2 "$(awk '{ print $1 }' followed.lines | sort -u | wc -l)"

# Names that are wrong: it does not start; or the run goes on.
"$measure" --lenient -m rusage:ru_minfl,nobody:here,rusage:ru_minflt -o wrong ./metered 2>words || t_fail "wrong: exit status $?"
grep -q 'rusage:ru_minfl: unknown metric; similar names: ru_minflt, ' words || t_fail "wrong: $(cat words)"
grep -q 'nobody:here: unknown metric source; available are ' words || t_fail "wrong: $(cat words)"
grep -q 'available are rusage, perf, sched, proc, node, papi (recording without it)$' words || t_fail "wrong: $(cat words)"
"$measure" --lenient -m pthread:x,offset:x -o modules ./metered 2>words || t_fail "modules: exit status $?"
t_equal 'modules: words' 2 "$(grep -c 'unknown metric source' words)"
"$measure" --lenient -q -m "$(yes rusage:x | head -n 65 | tr '\n' ,)" -o more ./metered 2>words || t_fail "more: exit status $?"
grep -q 'rusage:x: at most 64 metrics' words || t_fail "more: $(cat words)"
lines wrong
t_equal 'wrong: lines without the value' 0 "$(awk 'NF != 5' wrong.lines | wc -l)"
for policy in '' --strict '--strict --lenient'; do
	"$measure" $policy -m rusage:ru_minfl -o refused ./metered >out 2>words
	t_equal "$policy refused: exit status" 2 $?
	t_equal "$policy refused: words of the program" '' "$(cat out)"
done
[ ! -e refused ] || t_fail 'it was recorded'
t_end
