#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Description: a call with wrong arguments ends a program with MPI's own words and status, by
# MPI_ERRORS_ARE_FATAL. One of STEP calls of invalid_arguments.c (default 16) is made; STEP=1: all.
set -u
name=$(basename "$0" .sh)
here=$(cd "$(dirname "$0")/.." && pwd)
. "$here/mpirun.sh"
program=$PWD/tests/adapter/mpi/calls/invalid_arguments.mpi
preloaded="$PWD/.libs/libmeasure-stub.so $PWD/.libs/libmeasure-mpi.so"
[ -x "$program" ] || skip "invalid.mpi is not built"
cd "$work" || exit 1

# run HOW NUMBER COMMAND...: its output without numbers of processes and addresses, and its status
run()
{
	file=$1.$2
	shift 2
	timeout 60 "$@" >"$file.all" 2>&1
	echo "status $?" >>"$file.all"
	sed -E 's/^\[[^]:]*:[0-9]+\]/[process]/; s/process \[[0-9]+,/process [job,/
		s/0x[0-9a-f]+/address/g; s/^Abort\([0-9]+\)/Abort(code)/' "$file.all" >"$file"
}

# Open MPI's words get lost without a launcher; what MPICH's says of a process that has failed, it
# says with that one's number.
case $mpi_library in
open) launcher="$mpirun $mpirun_options -n 1" ;;
*) launcher= ;;
esac
# It says how many calls there are.
nr=$(timeout 60 $launcher "$program" 1000000 | sed -n 's/ calls$//p')
[ -n "$nr" ] || skip "MPI programs do not run here"
for ((number = 1; number <= nr; number += ${STEP:-16})); do
	run plain $number $launcher "$program" $number
	run measured $number $launcher env LD_PRELOAD="$preloaded" \
		MEASURE_STUB_LOG="$work/%p.log" "$program" $number
	diff "plain.$number" "measured.$number" || fail "call $number: other words or status"
	rm -f ./*.log
done
