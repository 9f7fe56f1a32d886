#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Description: measure-analyze --save writes a sound copy of an archive, in corrected time, whose metrics are the waits of each call, whose markers are the longest ones, and which is analyzed as the original is
. "$(dirname "$0")/../lib.sh"
analyze=$t_build/measure-analyze
generate=$t_build/tests/sync/generate
cd "$work" || exit 1
t_need_mpirun
command -v python3 >/dev/null || t_skip 'no python3'
command -v otf2-marker >/dev/null || t_skip 'no otf2-marker'
[ -x "$generate" ] || t_fail 'tests/sync/generate is not built'

# saved NAME STATUS [ARGUMENT...]: a copy, NAME.waits, and what the analysis of NAME says: NAME.json
saved()
{
	rm -rf "$1.waits"
	timeout 60 "$analyze" --format json --save "$1.waits" "${@:3}" "$1" >"$1.json" 2>err
	t_equal "$1: status" "$2" $?
	ls "$1.waits"/*.otf2 >/dev/null 2>&1 || t_fail "$1: no copy: $(cat err)"
	t_equal "$1: left over" '' "$(ls -d "$1".waits.measure-sync.* 2>/dev/null)"
}

# without FILE: the JSON without what differs between an archive and its copy
without()
{
	sed -e 's/"archive": "[^"]*", "events": [0-9]*//' -e '/^"clocks": {/d' "$1"
}

# analyzed NAME: the copy says of its waits what the original says of them, and is sound
analyzed()
{
	t_sound "$1.waits"
	timeout 60 "$analyze" --format json --sync=none "$1.waits" >again 2>err
	t_equal "$1.waits: status" 0 $?
	cmp -s <(without "$1.json") <(without again) || t_fail "$1.waits: differs: $(diff <(without "$1.json") <(without again) | head -n 6)"
}

# agree NAME [NANOSECONDS]: metrics and markers with the JSON, up to rounding
agree()
{
	python3 "$t_here/saved_copy.py" "$1.waits" "$1.json" "${2-0}" >said 2>&1 || t_fail "$1: $(tail -n 3 said)"
}

# A recorded program: a late sender, a barrier, a broadcast.
mpicc -g -O1 -finstrument-functions -o delays "$t_here/delays.c" || t_fail 'delays.c does not compile'
mpirun -n 4 "$measure" -o mpi ./delays || t_fail "delays: ended with $?"
saved mpi 0
analyzed mpi
agree mpi 1000
otf2-marker mpi.waits/traces.otf2 >markers
grep -q 'MARKER_DEF *Group: "measure-analyze", Category: "wait", Severity: HIGH' markers || t_fail "no severity: $(cat markers)"
grep -q 'Scope: LOCATION:[0-9]*, Text: "late sender: [0-9]* ms in main/send_late/MPI_Recv: MPI Rank 1 waits for MPI Rank 2"' markers ||
	t_fail "no late sender: $(cat markers)"
saved mpi 0 --top 3
t_equal '--top 3: markers' 3 "$(otf2-marker mpi.waits/traces.otf2 | grep -c '^MARKER ')"
saved mpi 0 --top 0
agree mpi 1000
read -r waits markers <said
t_equal '--top 0: markers' "$waits" "$markers"
cmp -s <(sed -n 's/^ *MEASURE/MEASURE/p' mpi/measure.cfg) <(sed -n 's/^ *MEASURE/MEASURE/p' mpi.waits/measure.cfg) || t_fail 'another measure.cfg'

# Metrics of its own, by ids of the processes.
mpirun -n 4 "$measure" -m rusage:ru_utime,rusage:ru_nvcsw -o metrics ./delays || t_fail "delays with metrics: ended with $?"
saved metrics 0
analyzed metrics
agree metrics 1000
[ "$(otf2-print -G metrics.waits/traces.otf2 | grep -c '^METRIC_CLASS')" -gt "$(otf2-print -G metrics/traces.otf2 | grep -c '^METRIC_CLASS')" ] ||
	t_fail 'metrics: no class more'

# All kinds of waits; then on clocks that disagree, with offsets, or with two times at one tick.
"$generate" --program mixed --ranks 5 --threads 4 --iterations 60 mixed || t_fail 'generate mixed'
saved mixed 0
analyzed mixed
agree mixed
"$generate" --program mixed --ranks 6 --threads 2 --iterations 100 --clock offset=300,drift=20 --renumber 1 --empty 2 \
	--samples ends --outliers 50 numbers || t_fail 'generate numbers'
saved numbers 0
analyzed numbers
agree numbers
"$generate" --program mixed --ranks 4 --threads 4 --iterations 100 --work 300 --local 0 \
	--clock offset=3000,tick=20000,step=50,every=0.0002 ticks || t_fail 'generate ticks'
saved ticks 0
analyzed ticks
agree ticks
saved numbers 0 --sync=none
agree numbers

# As a job: the same files.
if [ -f "$t_build/.libs/libmeasure-sync-mpi.so" ]; then
	saved mixed 0
	timeout 60 mpirun -n 3 "$analyze" --save mixed.job mixed >out 2>err
	t_equal 'job: status' 0 $?
	diff -r -x '*.otf2' mixed.waits mixed.job >said || t_fail "job: $(head -n 3 said)"
fi

# Markers, snapshots and a thumbnail of others; a file that breaks off.
"$t_build/tests/e2e/programs/foreign_archive" apart apart || t_fail 'foreign_archive'
saved apart 0
t_equal 'markers of others' 4 "$(otf2-marker apart.waits/eztrace_log.otf2 | grep -c '^MARKER ')"
saved mixed.waits 0
t_equal 'a copy of a copy: markers' '1 20' "$(otf2-marker mixed.waits.waits/traces.otf2 |
	awk '/^MARKER_DEF/ {kinds++} /^MARKER / {markers++} END {print kinds, markers}')"
t_sound mixed.waits.waits
cp -r mixed cut
events=$(find cut/ -name '*.evt' | sort | head -n 1)
truncate -s $(($(stat -c %s "$events") / 2)) "$events"
saved cut 1
agree cut

# What is there already is left alone, before anything is read.
mkdir there
for archive in mixed nothing; do
	"$analyze" --save there "$archive" >out 2>err
	t_equal "there, $archive: status" 2 $?
	t_equal "there, $archive: lines" '0 1' "$(t_lines out) $(t_lines err)"
	grep -q -e '--save: there: exists already' err || t_fail "there: $(cat err)"
done
rmdir there || t_fail 'there: something was written'
"$analyze" --save nowhere/copy mixed >out 2>err
t_equal 'nowhere: status' 2 $?
grep -q 'another output with --save' err || t_fail "nowhere: $(cat err)"
"$analyze" --save copy nothing >out 2>err
t_equal 'nothing: status' 2 $?
[ ! -e copy ] || t_fail 'nothing: a copy'
t_end
