#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Description: where clocks disagree, measure-analyze finds byte by byte what it finds in an archive that measure-sync has corrected, and says so; where they agree, or cannot be corrected, it leaves times alone
. "$(dirname "$0")/../lib.sh"
analyze=$t_build/measure-analyze
generate=$t_build/tests/sync/generate
cd "$work" || exit 1
t_need_mpirun
command -v python3 >/dev/null || t_skip 'no python3'
[ -x "$generate" ] || t_fail 'tests/sync/generate is not built'

# analyzed STATUS ARGUMENT...: into out and err; never longer than a minute
analyzed()
{
	timeout 60 "$analyze" "${@:2}" >out 2>err
	t_equal "${*:2}: status" "$1" $?
}

# found WHAT EXPRESSION: it is true of out
found()
{
	python3 "$t_here/waits.py" out "$2" >said 2>&1 || t_fail "$1: not so: $2: $(cat said)"
}

# kept FILE: out without what may differ between an archive and its correction
kept()
{
	sed -e 's/"archive": "[^"]*"//' -e '/^"clocks": {/d' out >"$1"
}

# corrects ARCHIVE [TEXT]: as measure-sync has corrected it, with any number of threads, and as a job; times as
# they are give something else. TEXT is in the results of measure-sync
corrects()
{
	rm -rf fixed
	"$t_build/measure-sync" -o fixed "$1" >results 2>&1
	[ -e fixed/traces.otf2 ] || t_fail "$1: measure-sync: $(cat results)"
	grep -q -e "${2-}" results || t_fail "$1: no '${2-}': $(cat results)"
	analyzed 0 --format json --sync=none fixed
	found "$1: measure-sync" 'found["clocks"]["sync"] == "none" and not found["clocks"]["is_corrected"] and found["waits"]'
	kept expected
	for threads in 1 2 3; do
		analyzed 0 --format json -t $threads "$1"
		found "$1" 'found["clocks"]["sync"] == "auto" and found["clocks"]["is_corrected"]'
		found "$1" 'found["clocks"]["violations_before"] > 0 and found["clocks"]["worst_before_ns"] > 0'
		kept now
		cmp -s expected now || t_fail "$1, -t $threads: differs: $(diff expected now | head -n 6)"
	done
	cp out corrected
	timeout 60 mpirun -n 3 "$analyze" -t 1 --format json "$1" >out 2>err || t_fail "$1: as a job: $?: $(cat err)"
	cmp -s corrected out || t_fail "$1: as a job: differs: $(diff corrected out | head -n 6)"
	analyzed 0 --format json --sync=none "$1"
	found "$1: as it is" 'not found["clocks"]["is_corrected"] and sum(row["violations"] for row in unknown["relations"]) == found["clocks"]["violations_before"] > 0'
	kept now
	! cmp -s expected now || t_fail "$1: --sync=none gives the same"
}

# One clock for each process, without offsets: these come from messages. Then with offsets that were measured.
"$generate" --program ring --ranks 4 --iterations 100 --clock offset=200000 ring || t_fail 'generate ring'
corrects ring
"$generate" --program mixed --ranks 5 --threads 4 --iterations 60 --clock offset=500,drift=20 mixed || t_fail 'generate mixed'
corrects mixed
"$generate" --program halo,collectives,nonblocking --ranks 6 --iterations 300 --clock offset=300,step=50,every=0.001 \
	--samples periodic --later 10000000 steps || t_fail 'generate steps'
corrects steps
"$generate" --program mixed --ranks 6 --threads 2 --iterations 100 --clock offset=300,drift=20 --renumber 1 --empty 2 \
	--samples ends --outliers 50 numbers || t_fail 'generate numbers'
corrects numbers

# Threads of a process whose clocks disagree.
"$generate" --program hybrid,tasks,locks,multiple --ranks 2 --threads 4 --iterations 60 --clock socket=5000 sockets || t_fail 'generate sockets'
corrects sockets

# Two times at one tick, which offsets cannot say.
"$generate" --program mixed --ranks 4 --threads 4 --iterations 100 --work 300 --local 0 \
	--clock offset=3000,tick=20000,step=50,every=0.0002 ticks || t_fail 'generate ticks'
corrects ticks 'rewritten for two offsets at one tick'

# A recorded program: messages and broadcasts, each millisecond, on clocks whose rates change each second.
mpicc -O1 -finstrument-functions -x c -o meet - <<'C' || t_fail 'meet does not compile'
#include <mpi.h>
#include <unistd.h>

int main(void)
{
	int rank, size, sent = 1, received;

	MPI_Init(NULL, NULL);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &size);
	for (const double start = MPI_Wtime(); sent;) {
		usleep(1000);
		MPI_Sendrecv(&rank, 1, MPI_INT, (rank + 1) % size, 0, &received, 1, MPI_INT, (rank + size - 1) % size, 0,
			MPI_COMM_WORLD, MPI_STATUS_IGNORE);
		sent = MPI_Wtime() - start < 2.5;
		MPI_Bcast(&sent, 1, MPI_INT, 0, MPI_COMM_WORLD);
	}
	MPI_Finalize();
	return 0;
}
C
mpirun -n 3 "$measure" --clock simulated:offset=1ms,drift=20ppm,walk=20000 -o recorded ./meet || t_fail "meet: ended with $?"
corrects recorded
found 'recorded' 'found["clocks"]["violations_before"] > 50'
cp corrected out
found 'recorded: nothing is left' 'unknown["relations"] == [] and found["waits"]'

# What little memory does not hold lies in a file.
analyzed 0 --format json --memory 1M mixed
cp out little
analyzed 0 --format json mixed
cmp -s little out || t_fail "--memory 1M: differs: $(diff little out | head -n 5)"

# Words, in 80 columns.
analyzed 0 mixed
grep -q '^clocks: [0-9]* messages or other relations ended before they began,$' out || t_fail "no words: $(cat out)"
grep -q '^by up to .*; times are corrected, as by measure-sync$' out || t_fail "no words: $(cat out)"
! grep -q 'ends before it begins' out || t_fail "something is left: $(cat out)"
t_equal 'columns' 0 "$(grep -c '.\{81\}' out)"
t_equal 'stderr' '' "$(cat err)"
analyzed 0 --sync=none mixed
! grep -q '^clocks:' out || t_fail "--sync=none: $(cat out)"
grep -q -e '-> the clocks disagree: correct them with --sync=auto' out || t_fail "--sync=none: no remedy: $(cat out)"

# Clocks that agree: read once, and times are those that were recorded.
"$generate" --program mixed --ranks 4 --threads 2 --iterations 30 agree || t_fail 'generate agree'
analyzed 0 --format json agree
found 'agree' 'not found["clocks"]["is_corrected"] and found["clocks"]["violations_before"] == 0 and found["clocks"]["failure"] is None'
kept now
analyzed 0 --format json --sync=none agree
kept then
cmp -s now then || t_fail "agree: differs: $(diff now then | head -n 5)"
analyzed 0 agree
! grep -q -i 'clocks' out || t_fail "agree: $(cat out)"

# Event files that break off are corrected as far as they go, and still counted.
"$generate" --program mixed --ranks 6 --threads 2 --iterations 100 --clock offset=300,drift=20 --missing 1 --truncated 2 cut || t_fail 'generate cut'
"$t_build/measure-sync" -q -o cut.fixed cut || t_fail "cut: measure-sync: $?"
analyzed 0 --format json --sync=none cut.fixed
kept expected
analyzed 1 --format json cut
found 'cut' 'found["clocks"]["is_corrected"] and unknown["unreadable_locations"] == 3'
sed 's/"unreadable_locations": 3/"unreadable_locations": 0/' out >all && mv all out
kept now
cmp -s expected now || t_fail "cut: differs: $(diff expected now | head -n 5)"

# Clocks that cannot be corrected: nobody knows how long a tick is.
"$t_build/tests/e2e/programs/foreign_archive" ticks unknown || t_fail 'foreign_archive'
analyzed 0 --format json unknown
found 'unknown' 'not found["clocks"]["is_corrected"] and found["clocks"]["violations_before"] > 0'
found 'unknown: why' '"resolution of its clock" in found["clocks"]["failure"]'
kept now
t_equal 'unknown: lines' 1 "$(t_lines err)"
grep -q '^measure-analyze: times are not corrected: unknown/.*resolution' err || t_fail "unknown: $(cat err)"
analyzed 0 --format json --sync=none unknown
kept then
cmp -s now then || t_fail "unknown: differs: $(diff now then | head -n 5)"
analyzed 0 unknown
grep -q -e '-> the clocks disagree and cannot be corrected' out || t_fail "unknown: $(cat out)"

# Options.
analyzed 2 --sync=always mixed
analyzed 2 --memory=much mixed
t_end
