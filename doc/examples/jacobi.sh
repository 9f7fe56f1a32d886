#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Description: the protocol of doc/clocks.md, short: jacobi gives the right answer on 3 ranks x 2 threads
# whose clocks drift, its messages are reversed by that and OpenMP's order is not, and after the
# correction nothing is.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
mpirun=$(sed -n 's/^MPIRUN = //p' Makefile)
command -v "$mpirun" >/dev/null || { echo "no launcher of MPI programs"; exit 77; }
command -v python3 >/dev/null || { echo "python3 is not installed"; exit 77; }
[ -x ./measure-sync ] || { echo "no ./measure-sync"; exit 77; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export OMP_WAIT_POLICY=passive
. "$here/../../tests/mpirun.sh"
case $("$mpirun" --version 2>&1) in
*Open*MPI* | *OpenRTE*) mpirun="$mpirun --bind-to none" ;;
esac

# Clocks that change their rates by percents every second: the line through both ends is wrong by
# milliseconds in between, more than messages take even on a busy machine.
PYTHONDONTWRITEBYTECODE=1 python3 "$here/jacobi_protocol.py" --bin . --launcher "$mpirun" --jacobi doc/examples/jacobi \
	--grid 60 --runs 1 --iterations 40 --sleep 0.6 --keep "$work" --clock offset=1ms,drift=20ppm,walk=50000ppm 3x2 >"$work/table"
cat "$work/table"

# is ROW VALUE
is()
{
	grep -qxF "| $1 | $2 |" "$work/table" || { echo "not so: $1 $2"; exit 1; }
}
is 'reversed messages, in the input: MPI, %' 100
is 'OpenMP, with one clock per process' 0
is 'violated in the result' 0
./measure-sync -q "$work/3x2.1" -o "$work/corrected"
"$here/../../tests/soundness.sh" "$work/corrected"
