#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Description: measure-analyze as a job of any size and with any number of threads gives the same bytes; errors are told once
. "$(dirname "$0")/../lib.sh"
analyze=$t_build/measure-analyze
mpirun=$(sed -n 's/^MPIRUN = //p' Makefile)
[ -f .libs/libmeasure-sync-mpi.so ] || t_skip 'built without MPI'
. "$t_tests/mpirun.sh"
$mpirun -n 1 true >/dev/null 2>&1 || t_skip "$mpirun does not work here"
cd "$work" || exit 1

# same NAME STATUS "SIZE THREADS"...: as one process with one thread
same()
{
	name=$1 expected=$2
	shift 2
	"$analyze" -t 1 --format json "$name" >one
	t_equal "$name: alone: status" "$expected" $?
	for size; do
		timeout -k 5 120 $mpirun -n "${size% *}" "$analyze" -t "${size#* }" --format json "$name" >out 2>err
		t_equal "$name on $size: status" "$expected" $?
		cmp -s one out || t_fail "$name on $size: $(diff one out | head -n 5)"
	done
	nr_same=$((${nr_same:-0} + 1))
}

"$t_build/tests/sync/generate" --program ring,halo --ranks 8 --events 40000 generated >words || t_fail "generate: $(cat words)"
sizes=()
for size in 1 2 3 4; do
	for threads in 1 2 3 4; do
		sizes+=("$size $threads")
	done
done
same generated 0 "${sizes[@]}"

# All kinds of relations between processes. RANKS_ALL=yes: what all programs record.
few='blocking_p2p nonblocking_p2p persistent_p2p matched_probe threads_p2p blocking_coll nonblocking_coll neighborhood_coll
	intercommunicators spawn communicators rma_fence rma_pscw mpi_files synchronisation_points'
for program in "$t_build"/tests/adapter/mpi/*/*.mpi; do
	name=${program##*/} name=${name%.mpi}
	case " ${RANKS_ALL:+$name} $(echo $few) " in
	*" $name "*) ;;
	*) continue ;;
	esac
	source=$t_source/${program#"$t_build"/}
	ranks=$(sed -n 's/^ \* Ranks: //p' "${source%.mpi}.c")
	timeout 60 $mpirun -n "${ranks:-4}" "$measure" -o "$name" "$program" >words 2>&1
	if t_wait 5 ls "$name"/traces.otf2; then
		same "$name" 0 '2 1' '3 2'
	else
		echo "not compared: $name leaves no archive: $(tail -n 1 words)"
	fi
done
echo "$nr_same archives"
[ "$nr_same" -ge 3 ] || [ ! -d "$t_build/tests/adapter/mpi" ] || t_fail "only $nr_same archives"

# A part that cannot be read, in a process that is not the first one.
cp -r generated cut
events=$(find cut/ -name '*.evt' | sort | tail -n 1)
truncate -s $(($(stat -c %s "$events") / 2)) "$events"
same cut 1 '3 2' '4 1'
timeout -k 5 60 $mpirun -n 3 "$analyze" nothing >out 2>err
t_equal 'no archive: lines' 1 "$(grep -c '^measure-analyze: .*nothing' err)"
timeout -k 5 60 $mpirun -n 3 "$analyze" --top many generated >out 2>err
t_equal 'wrong option: lines' 1 "$(grep -c '^measure-analyze: ' err)"
t_end
