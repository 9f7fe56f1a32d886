#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Description: runs an MPI test program without and with the adapter, against the stub of the
# API (<name>.expected says what it records; MEASURE_UPDATE=1 rewrites it) and, where `measure` is
# built, end to end. The program's source says on how many ranks.
set -u
program=$1
name=$(basename "$program" .mpi)
here=$(cd "$(dirname "$0")" && pwd)
# The program lies below the build directory where its source lies below the source directory.
source=$here/${program##*tests/adapter/mpi/}
source=${source%.mpi}.c
expected=${source%.c}.expected
. "$here/mpirun.sh"
. "$here/records.sh"

check_program "$program"
exit 0
