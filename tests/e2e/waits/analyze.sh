#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Description: measure-analyze finds the waits that a program was made to have, names who caused them, finds the same with any number of threads, and answers about archives that were cut short
. "$(dirname "$0")/../lib.sh"
analyze=$t_build/measure-analyze
cd "$work" || exit 1
t_need_mpirun
command -v python3 >/dev/null || t_skip 'no python3'

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

# Three delays of 50 ms each; a busy machine makes some of it no waiting.
mpicc -g -O1 -finstrument-functions -o delays "$t_here/delays.c" || t_fail 'delays.c does not compile'
mpirun -n 4 "$measure" -o mpi ./delays || t_fail "delays: ended with $?"
analyzed 0 --format json mpi
found 'schema' 'found["schema"] == 1 and 0 < found["waiting_ns"] < found["all_locations_ns"]'
found 'sum' 'is_near(added(), found["waiting_ns"])'
found 'late sender' 'time("late_sender", "send_late", "MPI Rank 1") > 75e6'
found 'late sender: nobody else' 'time("late_sender") == time("late_sender", "send_late", "MPI Rank 1")'
found 'late sender: cause' 'is_near(caused("late_sender", "send_late", "MPI Rank 2"), time("late_sender"))'
found 'late sender: worst' 'worst_regions("late_sender") == ["MPI_Send"]'
found 'barrier' 'time("mpi_barrier", "come_late") > 3 * 75e6'
found 'barrier: cause' 'caused("mpi_barrier", "come_late", "MPI Rank 3") > 0.9 * caused("mpi_barrier", "come_late")'
found 'barrier: not who comes late' 'time("mpi_barrier", "come_late", "MPI Rank 3") < 0.1 * time("mpi_barrier", "come_late")'
found 'broadcast' 'time("late_broadcast", "broadcast_late") > 3 * 75e6'
found 'broadcast: cause' 'is_near(caused("late_broadcast", "broadcast_late", "MPI Rank 0"), time("late_broadcast"))'
found 'longest' 'len(found["longest"]) == 10 and all(row["time_ns"] > 25e6 for row in found["longest"])'
found 'longest: in order' '(lambda times: times == sorted(times, reverse=True))([row["time_ns"] for row in found["longest"]])'
found 'longest: the worst' 'found["longest"][0]["time_ns"] == max(row["worst"]["time_ns"] for row in found["waits"] if row["pattern"] in added_patterns())'
found 'nothing unknown' 'unknown["cut_processes"] == 0 and unknown["gaps"] == [] and unknown["relations"] == []'
found 'product' 'abs(efficiency["parallel_efficiency"] - efficiency["load_balance"] * efficiency["communication_efficiency"]) < 1e-9'
found 'efficiency' '0 < efficiency["load_balance"] < 1 and 0 < efficiency["communication_efficiency"] < 1'
found 'processes' 'len(efficiency["processes"]) == 4 and efficiency["most_region"] == "compute"'
# Each delay is found where it was made, with what it cost directly and, for the first one, in the barrier that follows.
found 'delays: sum' 'is_near(found["delay_total_ns"] + found["unattributed_ns"], found["waiting_ns"]) and is_near(delay(), found["delay_total_ns"])'
found 'delays: sum of waits' 'is_near(sum(row["propagating_ns"] + row["terminal_ns"] for row in found["waits"] if "terminal_ns" in row), found["waiting_ns"])'
found 'delays: send' 'delay("send_late", "MPI Rank 2", ["short_term_ns"]) > 75e6 and delay("send_late", "MPI Rank 2", ["long_term_ns"]) > 75e6'
found 'delays: barrier' 'delay("come_late", "MPI Rank 3") > 3 * 75e6'
found 'delays: broadcast' 'delay("broadcast_late", "MPI Rank 0") > 3 * 75e6'
found 'delays: nobody else' 'delay("compute", "MPI Rank 1") < 0.1 * delay("compute")'
found 'delays: propagating' 'sum(row["propagating_ns"] for row in found["waits"] if row["pattern"] == "late_sender") > 75e6'
found 'critical path' 'path["time_ns"] == found["time_ns"] and is_near(critical(), path["time_ns"]) and is_near(sum(row["time_ns"] for row in path["locations"]), path["time_ns"])'
found 'critical path: delays' 'all(critical(region) > 3 * 45e6 for region in ("send_late", "come_late", "broadcast_late"))'
found 'critical path: impact' 'critical("compute", "impact_ns") > 0.5 * critical(None, "impact_ns") and all(row["impact_ns"] >= row["impact_inter_ns"] for row in path["paths"])'
found 'critical path: segments' 'len(path["segments"]) == 10 and all(row["until_ns"] - row["from_ns"] >= row["path_ns"] > 0 for row in path["segments"])'
found 'ideal network' 'max(p["useful_ns"] for p in efficiency["processes"]) <= efficiency["ideal_ns"] <= efficiency["time_ns"]'
found 'window' 'efficiency["window"] == "mpi" and efficiency["time_ns"] < found["time_ns"]'
cp out one

# What would have been: rank 2 sends late in three rounds of 50 ms; nothing else changes without it.
analyzed 0 --format json --what-if 'latency=1x' mpi
found 'what if nothing' 'found["what_if"]["predicted_ns"] == efficiency["time_ns"] and found["what_if"]["factor"] == 1'
analyzed 0 --format json --what-if 'region:compute=0x' mpi
found 'what if nobody is late' '0 <= found["what_if"]["predicted_ns"] < efficiency["time_ns"] - 300e6'
analyzed 0 --format json --what-if 'network=ideal' mpi
found 'what if ideal' 'found["what_if"]["predicted_ns"] == efficiency["ideal_ns"] and found["what_if"]["transfer_efficiency"] == 1'
analyzed 0 --what-if 'compute=balanced latency=0.5x' mpi
grep -q '^what if: compute=balanced latency=0.5x$' out || t_fail "what if: $(cat out)"
t_equal 'what if: columns' 0 "$(grep -c '.\{81\}' out)"
for wrong in '' 'latency' 'latncy=1x' 'latency=1' 'region:nothing=0.8x' 'rank:4=0.8x' 'rank:3=2us'; do
	analyzed 2 --what-if "$wrong" mpi
	t_equal "what if '$wrong': lines" '0 1' "$(t_lines out) $(t_lines err)"
done

# Windows, and another run to compare with: itself.
analyzed 0 --format json --windows 7 --reference mpi mpi
found 'windows' 'len(efficiency["windows"]) == 7 and efficiency["windows"][6]["until_ns"] == efficiency["until_ns"]'
found 'windows: mean' 'abs(sum(w["parallel_efficiency"] or 0 for w in efficiency["windows"]) / 7 - efficiency["parallel_efficiency"]) < 1e-6'
found 'reference' 'efficiency["scalability"]["computation_scaling"] == 1 and efficiency["scalability"]["ipc_scaling"] is None'
analyzed 0 --windows 7 --windows phases --reference mpi --weak mpi
grep -q '^7 equal windows' out || t_fail "--windows: $(cat out)"
grep -q '^No process has a phase' out || t_fail "--windows phases: $(cat out)"
grep -q '^weak scaling, from 4 processes to 4' out || t_fail "--reference: $(cat out)"
t_equal 'windows: columns' 0 "$(grep -c '.\{81\}' out)"
analyzed 2 --windows 0 mpi
analyzed 2 --windows some mpi
analyzed 2 --reference nothing mpi

# Nothing tells how many threads have read.
for threads in 1 2 3; do
	analyzed 0 --format json -t "$threads" mpi
	cmp -s one out || t_fail "-t $threads: differs: $(diff one out | head -n 5)"
done

# The text: 80 columns, and as many rows as were asked for.
analyzed 0 mpi
grep -q '^parallel efficiency *[0-9.]* %' out || t_fail "no efficiency: $(cat out)"
grep -q 'late sender: main/send_late/MPI_Recv' out || t_fail "no late sender: $(cat out)"
grep -q '^MPI Rank [0-3] computes [0-9]* % longer than the mean' out || t_fail "no verdict: $(cat out)"
grep -q '^in compute (' out || t_fail "no region: $(cat out)"
grep -A 2 '^ .*  main/send_late/compute$' out | grep -q '^ *most on MPI Rank 2, .*%)$' || t_fail "no delay: $(cat out)"
grep -q '^critical path: [0-9.]* m\{0,1\}s, as long as the run; ' out || t_fail "no critical path: $(cat out)"
grep -q '^ *for:     MPI Rank 2' out || t_fail "no cause: $(cat out)"
t_equal 'columns' 0 "$(grep -c '.\{81\}' out)"
t_equal 'rows that round to nothing' 0 "$(grep -c '^ *[0-9.]* [mun]*s *0\.0  ' out)"
analyzed 0 --top 1 mpi
t_equal '--top 1: rows' 1 "$(grep -c '^  *waiting: ' out)"
t_equal '--top 1: causes, segments' '1 1' "$(grep -c '^ *most on MPI' out) $(grep -c '^ *at .* s on MPI' out)"
grep -q '^([0-9]* more: --top 0 shows all)$' out || t_fail "--top 1: $(cat out)"
analyzed 0 --top 0 mpi
! grep -q 'more: --top' out || t_fail "--top 0: $(cat out)"

# Whoever reads the output wants no more of it: nothing is wrong with the archive.
{
	sleep 0.3
	"$analyze" mpi 2>err
	echo $? >status
} | true
t_equal 'pipe: status' 141 "$(cat status)"
t_equal 'pipe: lines' 0 "$(t_lines err)"

# A killed process, and what it has left: an answer.
mpirun -n 4 "$measure" -o killed ./delays die >/dev/null 2>&1
t_wait 30 test -e killed/traces.otf2 || t_fail "killed: no archive: $(ls killed)"
analyzed 0 --format json killed
found 'killed: late sender' 'time("late_sender", "send_late", "MPI Rank 1") > 75e6'
found 'killed' 'unknown["cut_processes"] > 0'
analyzed 0 killed
grep -q '^not known$' out || t_fail "killed: nothing unknown: $(cat out)"

# A file that breaks off: what can be read is analyzed, and the status says so.
cp -r mpi cut
events=$(find cut/ -name '*.evt' | sort | head -n 1)
truncate -s $(($(stat -c %s "$events") / 2)) "$events"
analyzed 1 --format json cut
found 'cut' 'unknown["unreadable_locations"] == 1 and unknown["gaps"]'
analyzed 1 cut
rm "$events"
analyzed 1 cut

# A loop in which the second thread has more to do, then a critical section that both want.
gcc -fopenmp -g -O1 -o imbalance "$t_here/imbalance.c" || t_fail 'imbalance.c does not compile'
"$measure" -o openmp ./imbalance || t_fail "imbalance: ended with $?"
analyzed 0 --format json openmp
found 'OpenMP: loop' 'time("openmp_implicit_barrier") + time("openmp_barrier") > 25e6'
found 'OpenMP: critical' 'time("openmp_critical") > 10e6'
found 'OpenMP: delay' 'delay(None, "Process 0 (imbalance), OpenMP thread 1") > 25e6 and delay("(idle)") == 0'
found 'OpenMP: critical path' 'is_near(critical(), found["time_ns"]) and len(path["locations"]) == 2'
found 'OpenMP: the slower thread is the cause' 'caused("openmp_", None, "Process 0 (imbalance), OpenMP thread 1") > 25e6'

# Threads of the only process go by their own names.
analyzed 0 openmp
grep -q '^ *for:     OpenMP thread 1 (' out || t_fail "OpenMP: whom it waited for: $(cat out)"
grep -q '^ *most on OpenMP thread 1 (' out || t_fail "OpenMP: who caused it: $(cat out)"

# Of the last events that a run has kept, and of none.
gcc -O1 -finstrument-functions -x c -o many - <<'C' || t_fail 'many does not compile'
__attribute__((noinline)) static void call(void) { __asm__ volatile(""); }
int main(void)
{
	for (int i = 0; i < 1000000; i++)
		call();
	return 0;
}
C
"$measure" --keep=1M -o kept ./many || t_fail "--keep: ended with $?"
analyzed 0 --format json kept
found 'kept' 'unknown["dropped_events"] > 100000 and found["events"] + unknown["dropped_events"] == 2000004'
analyzed 0 kept
grep -q 'events were dropped (--keep)' out || t_fail "kept: $(cat out)"
"$measure" --profile -o no_events ./many || t_fail "--profile: ended with $?"
analyzed 2 no_events
grep -q 'without --profile' err || t_fail "no events: $(cat err)"

# Every kind of record, on several processes with several threads: nobody waits longer than he was there.
generate=$t_build/tests/sync/generate
[ -x "$generate" ] || t_fail 'tests/sync/generate is not built'
"$generate" --program mixed --ranks 5 --threads 4 --iterations 60 mixed || t_fail 'generate mixed'
analyzed 0 --format json -t 1 mixed
cp out one
found 'mixed' 'not unknown["relations"] and len(set(row["pattern"] for row in found["waits"])) > 12'
found 'mixed: delays' 'is_near(found["delay_total_ns"] + found["unattributed_ns"], found["waiting_ns"]) and is_near(delay(), found["delay_total_ns"])'
found 'mixed: critical path' 'is_near(critical(), found["time_ns"]) and path["nr_segments"] > 20'
found 'mixed: time' 'all(added(location) <= found["time_ns"] for location in range(20))'
for threads in 2 3; do
	analyzed 0 --format json -t "$threads" mixed
	cmp -s one out || t_fail "mixed, -t $threads: differs: $(diff one out | head -n 5)"
done

"$generate" --program ring --ranks 4 --iterations 2000 ring || t_fail 'generate ring'
analyzed 0 ring
grep -q '^All processes compute about equally long.$' out || t_fail "ring: no verdict: $(cat out)"

# Clocks that disagree: messages arrive before they are sent. That is no waiting, and the remedies help.
"$generate" --program ring --ranks 4 --iterations 100 --clock offset=200000 --samples none clocks || t_fail 'generate clocks'
analyzed 0 --format json --sync=none clocks
found 'clocks' 'unknown["relations"][0]["relation"] == "message" and unknown["relations"][0]["violations"] > 50 and found["waits"] == []'
analyzed 0 --sync=none clocks
grep -q 'correct them with --sync=auto' out || t_fail "clocks: no remedy: $(cat out)"
analyzed 0 --format json clocks
found 'corrected' 'unknown["relations"] == [] and found["waits"]'
"$t_build/measure-sync" -o synchronised clocks >words 2>&1 || t_fail "clocks: measure-sync: $(cat words)"
analyzed 0 --format json synchronised
found 'synchronised' 'unknown["relations"] == []'

# What it cannot read.
analyzed 2
analyzed 2 mpi openmp
analyzed 2 --format csv mpi
analyzed 2 -t 0 mpi
analyzed 2 --top -1 mpi
analyzed 2 nothing
t_equal 'nothing: lines' '0 1' "$(t_lines out) $(t_lines err)"
head -c 100 /dev/zero >zero.otf2
analyzed 2 zero.otf2
t_equal 'zero: lines' '0 1' "$(t_lines out) $(t_lines err)"
"$t_build/measure-profile" --save profile mpi || t_fail 'cannot save a profile'
analyzed 2 profile
grep -q 'holds a profile' err || t_fail "profile: $(cat err)"
"$measure" -o serial true
analyzed 0 serial
grep -q '^no waiting found$' out || t_fail "serial: $(cat out)"
t_end
