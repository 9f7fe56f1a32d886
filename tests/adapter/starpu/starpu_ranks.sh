#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Description: sends and receives of libstarpumpi, those that it makes for tasks included, are tasks in the traces of
# two ranks, and meet each other there.
. "$(dirname "$0")/t_starpu.sh"
program=tests/adapter/starpu/starpu_ranks
[ -x $program ] || { echo "there is no libstarpumpi"; exit 77; }
. "$here/../../mpirun.sh"
export STARPU_NCPU=1
# writes the machine model that both ranks read: each would read what the other one has not written to its end
tests/adapter/starpu/starpu_program data >/dev/null 2>&1
mpirun=$(sed -n 's/^MPIRUN = //p' Makefile)
launcher="${mpirun:-mpirun} -n 2 --bind-to none"

# one that libstarpumpi never completes in a communicator of the program, whether or not it is recorded
but=request.open
check ranks -- $program
check public --starpu-groups=-internal -- $program
