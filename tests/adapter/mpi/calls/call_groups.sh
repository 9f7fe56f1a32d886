#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Description: --mpi-groups chooses which calls are recorded, and what is recorded stays whole:
# requests that are started are completed, communicators are known.
set -u
name=$(basename "$0" .sh)
here=$(cd "$(dirname "$0")/.." && pwd)
. "$here/mpirun.sh"

# groups LIST PROGRAM: $work/names has the calls that were entered, $work/events the records.
groups()
{
	rm -f "$work"/*.log
	run_mpi "$(sed -n 's/^ \* Ranks: //p' "$here/$2.c")" env MEASURE_MPI_GROUPS="$1" \
		MEASURE_STUB_LOG="$work/%p.log" \
		LD_PRELOAD="$PWD/.libs/libmeasure-stub.so $PWD/.libs/libmeasure-mpi.so" \
		"tests/adapter/mpi/$2.mpi" >"$work/output" 2>"$work/words" ||
		fail "$1 $2: ends with $?: $(cat "$work/words")"
	awk -v complete=yes -f "$here/check_log.awk" "$work"/*.log >"$work/records" ||
		fail "$1 $2: records do not fit together"
	awk '$1 == "region" { name[FILENAME, $2] = $4 }
		$1 == "event" && $4 == "enter" { print name[FILENAME, $5] }' "$work"/*.log |
		sort -u >"$work/names"
	awk '$1 == "event" { print $4 }' "$work"/*.log | sort -u >"$work/events"
}

has()
{
	for word in "$@"; do
		grep -q -x "$word" "$work/names" "$work/events" || fail "$list: no $word"
	done
}

has_not()
{
	for word in "$@"; do
		! grep -q -x "$word" "$work/names" "$work/events" || fail "$list: has $word"
	done
}

list=coll
groups $list p2p/nonblocking_p2p
has MPI_Barrier MPI_Ibarrier MPI_Wait MPI_Finalize non_blocking_collective_complete
has_not MPI_Isend MPI_Irecv mpi_isend mpi_irecv mpi_isend_complete
list=-coll
groups $list coll/nonblocking_coll
has MPI_Comm_idup MPI_Comm_dup MPI_Wait MPI_Sendrecv_replace mpi_send mpi_recv
has_not MPI_Ibarrier mpi_collective_complete
list=rma
groups $list p2p/nonblocking_p2p
has MPI_Init MPI_Finalize
has_not MPI_Isend MPI_Barrier MPI_Start mpi_isend
list=+env,-rma
groups $list calls/plain_calls
has MPI_Wtime MPI_Comm_rank MPI_File_open MPI_Pcontrol
has_not MPI_Put MPI_Type_contiguous MPI_Comm_c2f
list=all
groups $list calls/plain_calls
[ "$(nm -D tests/adapter/mpi/calls/plain_calls.mpi | grep -c f2c)" = 0 ] || has MPI_Comm_f2c MPI_Type_c2f # MPICH has macros
has MPI_Wtime MPI_Wtick MPI_Put MPI_File_close MPI_Dims_create \
	MPI_Type_contiguous MPI_Group_free MPI_Comm_get_attr MPI_Info_create MPI_Error_string \
	MPI_T_init_thread MPI_Grequest_start MPI_Pcontrol
[ -x ./measure ] || exit 0

run_mpi 2 ./measure -q --mpi-groups=all -o "$work/trace" tests/adapter/mpi/calls/plain_calls.mpi \
	>"$work/output" || fail "under measure: ends with $?"
otf2-print "$work/trace/traces.otf2" | grep -q "ENTER.*MPI_Wtime" ||
	fail "no MPI_Wtime in the trace"
./measure-check "$work/trace" >"$work/words" 2>&1 || fail "measure-check: $(cat "$work/words")"
