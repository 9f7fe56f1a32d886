#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Description: metric plug-ins of Score-P, of threads, processes, nodes and jobs, with values at events, where there are new ones, and of times of their own; and what is wrong with one is said, or does no harm
. "$(dirname "$0")/../lib.sh"
cd "$work" || exit 1

${CC:-cc} -O1 -g -pthread -finstrument-functions -o metered "$t_programs/page_faults.c" || t_skip 'no compiler'

# plugin NAME SCOPE TIMING [FLAG...]: libNAME.so
plugin()
{
	name=$1 scope=$2 timing=$3
	shift 3
	${CC:-cc} -O1 -fPIC -shared -I"$t_source/lib" -DNAME="$name" -DSCOPE="MEASURE_SCOREP_$scope" \
		-DTIMING="MEASURE_SCOREP_$timing" "$@" -o "lib$name.so" "$t_here/scorep_plugins.c" 2>words ||
		t_fail "$name: not compiled: $(head -n 3 words)"
}

# values DIR METRIC: "LOCATION TIME VALUE" of each of its values
values()
{
	otf2-print "$1/traces.otf2" | sed -n "s/^METRIC *\([0-9]*\) *\([0-9]*\).*(\"$2\" <[0-9]*>; [A-Z0-9]*; \([0-9.]*\)).*/\1 \2 \3/p"
}

# counts_up WHAT DIR METRIC STEP: on each location its values go up by that, from there
counts_up()
{
	values "$2" "$3" >"$2.values"
	awk -v step="$4" '$3 != ++nr[$1] * step { bad++ } $2 < last[$1] { bad++ } { last[$1] = $2 } END { exit bad > 0 || NR == 0 }' \
		"$2.values" || t_fail "$1: $3: $(head -n 20 "$2.values")"
}

# Of threads, at each event: main() and, in 3 threads, work() and 20 times touch() and tiny();
# pthread_create() and pthread_join().
plugin always THREAD ALWAYS
"$measure" --strict -m ./libalways.so:all,rusage:ru_minflt -o always ./metered 2 20 2>words || t_fail "always: $? $(cat words)"
t_sound "$work/always"
counts_up always always count 1
t_equal 'always: values' 256 "$(t_lines always.values)"
otf2-print always/traces.otf2 | grep -q '^METRIC.*("count" <[0-9]*>; INT64; 3), ("half" <[0-9]*>; DOUBLE; 1.5)' ||
	t_fail "always: not together: $(otf2-print always/traces.otf2 | grep METRIC | head)"
otf2-print -G always/traces.otf2 >definitions
grep -q 'METRIC_MEMBER.*"count".*"how many there are".*ACCUMULATED_START, Value Type: INT64, Base: DECIMAL, Exponent: 3, Unit: "B"' definitions &&
	grep -q 'METRIC_MEMBER.*"half".*Value Type: DOUBLE, .*Unit: "#"' definitions &&
	grep -q 'METRIC_CLASS.*SYNCHRONOUS_STRICT.*"count".*"half"' definitions || t_fail "always: $(grep METRIC definitions)"
grep -q 'metrics could not be read' always/summary.txt && t_fail "always: $(cat always/summary.txt)"

# Compiled with hooks itself: what it calls while it is read is counted, not recorded, and needs no location.
locations() { otf2-print -G "$1/traces.otf2" | grep -c '^LOCATION .*CPU_THREAD'; }
plugin hooked THREAD ALWAYS -finstrument-functions
timeout 60 "$measure" --strict -m ./libhooked.so:all -o hooked ./metered 2 20 2>words || t_fail "hooked: $? $(cat words)"
t_sound "$work/hooked"
t_equal 'hooked: locations' "$(locations always)" "$(locations hooked)"
grep -q 'events that occurred while another one was being recorded were not recorded' hooked/summary.txt ||
	t_fail "hooked: $(cat hooked/summary.txt)"

# Where there is a new one, every other time; and that no other one is there is no loss.
plugin sometimes THREAD SOMETIMES -DVERSION=0
"$measure" --strict -m ./libsometimes.so:count,./libsometimes.so:half -o sometimes ./metered 2 20 2>words || t_fail "sometimes: $? $(cat words)"
t_sound "$work/sometimes"
counts_up sometimes sometimes half 0.5
counts_up sometimes sometimes count 1
t_equal 'sometimes: values' 128 "$(t_lines sometimes.values)"
otf2-print -G sometimes/traces.otf2 | grep -q 'METRIC_CLASS.*SYNCHRONOUS, .*"count"' || t_fail 'sometimes: no class'
grep -q 'metrics could not be read' sometimes/summary.txt && t_fail "sometimes: $(cat sometimes/summary.txt)"

# No more often than it wants.
plugin slow THREAD SOMETIMES -DINTERVAL=UINT64_MAX
"$measure" --strict -m ./libslow.so:count -o slow ./metered 0 20 2>words || t_fail "slow: $? $(cat words)"
t_equal 'slow: values' 1 "$(values slow count | wc -l | tr -d ' ')"

# Of the process: its main thread has them, and it is told what it may rely on, in that order.
plugin process PROCESS SOMETIMES
SCOREP_LOG=$work/log "$measure" --strict -m ./libprocess.so:count -o process ./metered 2 20 2>words || t_fail "process: $? $(cat words)"
t_sound "$work/process"
counts_up process process count 1
t_equal 'process: locations with values' 1 "$(cut -d' ' -f1 process.values | sort -u | wc -l | tr -d ' ')"
t_equal 'process: what it is told' 'start with a clock;metrics_of count;add count;begin reading;' \
	"$(awk '{ last = $1 } { $1 = ""; lines[last] = lines[last] substr($0, 2) ";" } END { print lines[last] }' log)"
grep -q 'metrics could not be read' process/summary.txt && t_fail "process: $(cat process/summary.txt)"

# A child that is followed has its own.
"$measure" --strict --children=follow -m ./libalways.so:count -o followed ./metered fork 20 2>words || t_fail "followed: $? $(cat words)"
t_wait 30 test ! -e followed/.parts
t_sound "$work/followed"
t_equal 'followed: locations' 2 "$(values followed count | cut -d' ' -f1 | sort -u | wc -l | tr -d ' ')"

# beside NAME SCOPE TIMING [FLAG...]: read beside the program, on a location of its own
beside()
{
	plugin "$@"
	rm -f log
	SCOREP_LOG=$work/log "$measure" --strict -m "./lib$1.so:all,./lib$1.so:count" --metric-interval 5 -o "$1" \
		sh -c 'sleep 0.3; grep -c '"lib$1"' /proc/self/maps' >maps 2>words || [ "$(cat maps)" = 0 ] || t_fail "$1: $(cat words)"
	t_equal "$1: loaded into the program" 0 "$(cat maps)"
	t_sound "$work/$1"
	counts_up "$1" "$1" half 0.5
	otf2-print -G "$1/traces.otf2" >definitions
	t_equal "$1: locations" 1 "$(grep -c "^LOCATION .*\"Metrics of node .* by $1\".*Type: METRIC" definitions)"
	t_equal "$1: recorders" 2 "$(grep -c "^METRIC_CLASS_RECORDER.*by $1" definitions)"
	grep -q '^LOCATION_PROPERTY.*METRIC_SCOPE.*Value: "node"' definitions || t_fail "$1: no scope"
	otf2-print "$1/traces.otf2" | awk '$1 == "PROGRAM_BEGIN" { begin = $3 } $1 == "PROGRAM_END" { end = $3 }
		$1 == "METRIC" { nr++; if (!begin || end) bad = 1 } END { exit bad || nr < 4 }' || t_fail "$1: values outside of the program's run"
	t_equal "$1: what it is told" 'start with a clock;metrics_of all;metrics_of count;add count;add half;add count;begin reading;end reading;stop;' \
		"$(awk '{ last = $1 } { $1 = ""; lines[last] = lines[last] substr($0, 2) ";" } END { print lines[last] }' log)"
}
beside node NODE ALWAYS
beside now JOB SOMETIMES
beside events NODE EARLIER
beside anytime JOB ANY_TIME
beside atend NODE ANY_TIME -DINTERVAL=UINT64_MAX
t_equal 'atend: values' 4 "$(values atend half | wc -l | tr -d ' ')"

# Metrics that come later than others keep their times, of which only the first four are the same.
beside late NODE ANY_TIME -DLATE
counts_up late late count 1
counts_up late late half 0.5
[ $(($(cut -d' ' -f2 late.values | sort -u | wc -l) + 4)) -gt "$(t_lines late.values)" ] || t_fail "late: times: $(cat late.values)"
grep -q 'late' words && t_fail "late: $(cat words)"

# The words that its users have in the environment.
SCOREP_METRIC_ALWAYS='count;half' SCOREP_METRIC_PLUGINS_SEP=';' "$measure" --strict -m ./libalways.so -o environment ./metered 0 20 2>words ||
	t_fail "environment: $? $(cat words)"
counts_up environment environment count 1
counts_up environment environment half 0.5
SCOREP_METRIC_NODE=half,count "$measure" --strict -m ./libnode.so --metric-interval 5 -o beside sh -c 'sleep 0.1' 2>words || t_fail "beside: $? $(cat words)"
counts_up beside beside half 0.5

# More than one, with what Measure samples itself.
"$measure" --strict -m ./libnode.so:half,./libatend.so:half,./libanytime.so:count,node:load1,proc:VmRSS --metric-interval 5 -o many \
	sh -c 'sleep 0.2' 2>words || t_fail "many: $? $(cat words)"
t_sound "$work/many"
t_equal 'many: locations' 6 "$(otf2-print -G many/traces.otf2 | grep -c '^LOCATION ')"

# One of them for the job, or for the node, also where there are several processes; clocks are corrected.
rm -f log
SCOREP_LOG=$work/log "$measure" --children=follow --clock simulated:offset=5ms,drift=100ppm -m ./libanytime.so:half,./libatend.so:half --metric-interval 5 -o several \
	sh -c 'sleep 0.2; (sleep 0.2) & (sleep 0.2); wait' 2>words || t_fail "several: $? $(cat words)"
t_wait 20 test ! -e several/.parts
t_sound "$work/several"
t_equal 'several: begun' 2 "$(grep -c begin log)"

# Of a program that is recorded in place of the one that was named.
printf '#include <unistd.h>\nstatic void stay(void) { usleep(300000); }\nint main(void) { stay(); return 0; }\n' >staying.c
${CC:-cc} -O1 -finstrument-functions -o staying staying.c || t_fail 'a third program is not compiled'
"$measure" --strict --exec -m ./libnode.so:half --metric-interval 5 -o exec sh -c './staying; exec env NOTHING=1 ./staying' 2>words || t_fail "exec: $? $(cat words)"
t_wait 20 test ! -e exec/.parts
t_sound "$work/exec"
t_equal 'exec: processes' 2 "$(otf2-print -G exec/traces.otf2 | grep -c '^LOCATION_GROUP  *[0-9]')"
counts_up exec exec half 0.5
# One that becomes another by itself: its plug-in does not start once more. It lives long enough for its keeper to say so.
"$measure" --children=follow -m ./libnode.so:half --metric-interval 5 -o became sh -c 'sleep 0.3; exec sleep 1' 2>words || t_fail "became: $? $(cat words)"
t_wait 20 test ! -e became/.parts
t_sound "$work/became"
grep -q 'libnode.so: plug-in cannot be restarted after exec' words ||
	t_fail "became: $(cat words)"

# It dies beside the program: another keeper goes on without it, and nothing else is lost.
${CC:-cc} -O1 -g -finstrument-functions -o sampled "$t_here/sampled_metrics.c" || t_fail 'the other program is not compiled'
"$measure" -m ./libnode.so:never,proc:VmRSS --metric-interval 5 -o dead ./sampled dead file 2>words &
wrapper=$!
t_wait 20 test -e file || t_fail 'dead: does not come to its file'
t_wait 30 grep -q 'died.*(1 of 3)' words || t_fail "dead: no other keeper: $(cat words)"
rm -f file
wait $wrapper || t_fail "dead: exit status $?"
t_sound "$work/dead"
t_equal 'dead: calls' 3 "$(otf2-print dead/traces.otf2 | grep -c '^LEAVE.*"\(main\|take\|await\)"')"
otf2-print dead/traces.otf2 | grep -q '^METRIC.*"VmRSS"' || t_fail 'dead: nothing else is sampled'

# It does not come back from being stopped: the archive is made without it.
plugin hanging NODE ALWAYS -DHANG
timeout 60 "$measure" -m ./libhanging.so:half,./libnode.so:count,proc:VmRSS --metric-interval 5 -o hanging sh -c 'sleep 0.3; exit 5' 2>words
t_equal 'hanging: exit status' 5 $?
grep -q 'libhanging.so: plug-in has not returned for 10 s since the program ended: .*last values are missing' words ||
	t_fail "hanging: $(cat words)"
t_equal 'hanging: parts' '' "$(ls -d hanging/.parts 2>/dev/null)"
t_sound "$work/hanging"
for metric in half count VmRSS; do
	otf2-print hanging/traces.otf2 | grep -q "^METRIC.*\"$metric\"" || t_fail "hanging: nothing of $metric"
done

# What has other times than the clock says is left out, with a word.
plugin own JOB ANY_TIME -DOWN_CLOCK
"$measure" -m ./libown.so:count --metric-interval 5 -o own sh -c 'sleep 0.1' 2>words || t_fail "own: $? $(cat words)"
grep -q 'libown.so: dropped all [0-9]* values: their times are outside the recording' words || t_fail "own: $(cat words)"
t_sound "$work/own"
plugin future JOB ANY_TIME -DFUTURE
"$measure" -m ./libfuture.so:count --metric-interval 5 -o future sh -c 'sleep 0.1' 2>words || t_fail "future: $? $(cat words)"
grep -q 'libfuture.so: dropped all [0-9]* values: their times are outside the recording' words || t_fail "future: $(cat words)"
t_sound "$work/future"
t_equal 'future: values' 0 "$(values future count | wc -l | tr -d ' ')"
otf2-print -G future/traces.otf2 | sed -n 's/^CLOCK_PROPERTIES.*Ticks per Seconds: \([0-9]*\).* Length: \([0-9]*\).*/\1 \2/p' >length
awk '{ bad = $2 > 60 * $1 } END { exit bad || NR != 1 }' length || t_fail "future: it stretches the trace: $(cat length)"

# What is wrong with it is said, and the program is recorded without it.
wrong()
{
	"$measure" -m "$1,rusage:ru_minflt" -o wrong ./metered 0 5 2>words || t_fail "$1: exit status $?"
	grep -q "metrics.*: .*$1: .*$2.*: recording without it" words || t_fail "$1: $(cat words)"
	otf2-print wrong/traces.otf2 | grep -q '^METRIC.*"ru_minflt"' || t_fail "$1: the others are lost"
}
wrong ./libalways.so:nothing 'the plug-in has no such metric (plug-ins of Score-P cannot list theirs)'
wrong ./libalways.so 'give a metric after a colon, or set SCOREP_METRIC_NAME'
wrong ./libalways.so:die 'the plug-in crashes when queried (Segmentation fault)'
wrong ./libnode.so:die 'the plug-in crashes when queried (Segmentation fault)'
wrong ./libnode.so:exit 'the plug-in exits instead of answering'
t_equal 'strict: exit status' 2 "$("$measure" --strict -m ./libnode.so:die -o strict ./metered 2>words; echo $?)"
SCOREP_REFUSE=1
export SCOREP_REFUSE
wrong ./libnode.so:count 'the plug-in reports that it cannot run here'
unset SCOREP_REFUSE

# It starts where `measure` asks it, and not where it is to be read.
SCOREP_ONCE=$work/first "$measure" -m ./libnode.so:half -o once sh -c 'sleep 0.1' 2>words || t_fail "once: exit status $?"
grep -q 'libnode.so: it no longer starts: recording without it' words || t_fail "once: $(cat words)"
grep -q '1 metric plug-in did not start' once/summary.txt || t_fail "once: $(cat once/summary.txt)"
SCOREP_ONCE=$work/second "$measure" -m ./libalways.so:count,rusage:ru_minflt -o inside ./metered 0 5 2>words || t_fail "inside: exit status $?"
grep -q '1 metric plug-in did not start' inside/summary.txt || t_fail "inside: $(cat inside/summary.txt)"
otf2-print inside/traces.otf2 | grep -q '^METRIC.*"ru_minflt"' || t_fail 'inside: the others are lost'

plugin newer THREAD ALWAYS -DVERSION=2
wrong ./libnewer.so:count "built for a newer interface of Score-P than 1"
plugin apart THREAD ANY_TIME
wrong ./libapart.so:count 'with their own timestamps are not supported'
plugin odd JOB TIMINGS
wrong ./libodd.so:count "lacks functions of Score-P's interface"
cp libalways.so libother.so
wrong ./libother.so:count "not a metric plug-in: it defines neither measure_metric_source() nor a get_info function of Score-P"
list=
for name in p1 p2 p3 p4 p5; do
	plugin $name NODE ALWAYS
	list=$list,./lib$name.so:count
done
"$measure" -q -m "$list" -o five ./metered 0 5 2>words || t_fail "five: exit status $?"
grep -q 'libp5.so:count: at most 4 plug-ins of Score-P can be read by the keeper: recording without it' words &&
	[ "$(t_lines words)" = 1 ] || t_fail "five: $(cat words)"
t_sound "$work/five"
t_end
