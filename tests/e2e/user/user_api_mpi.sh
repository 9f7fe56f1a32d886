#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Description: ranks tell their places in grids by measure.h, and what all of them leave out makes no archive unsound
. "$(dirname "$0")/../lib.sh"
[ -e .libs/libmeasure-mpi.so ] || t_skip 'built without MPI'
mpicc=$(sed -n 's/^MPICC = //p' Makefile)
t_need_mpirun
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
cd "$work" || exit 1
$mpicc -O2 -Wall -Wextra -Werror -I "$t_source/lib/api" -o program "$t_here/annotated_mpi.c" || t_skip 'the MPI compiler does not work'
mpirun -n 4 "$measure" -o trace ./program >out 2>&1 || t_fail "status: $(cat out)"
t_sound "$work/trace" --but clock.condition
otf2-print -G trace/traces.otf2 >definitions
otf2-print trace/traces.otf2 >events
t_equal 'grids' 2 "$(grep -c '^CART_TOPOLOGY' definitions)"
t_equal 'places in the plate' 4 "$(grep -c '^CART_COORDINATE.*"plate".*([01], [01])' definitions)"
t_equal 'places in the line' '0 1 2 3' "$(sed -n 's/^CART_COORDINATE.*"line".*Coordinate: (\([0-9]\)).*/\1/p' definitions | sort | tr '\n' ' ' | sed 's/ $//')"
t_equal 'messages' '8 8' "$(grep -c '^MPI_SEND ' events) $(grep -c '^MPI_RECV ' events)"
t_equal 'left out' 0 "$(grep -c 'Tag: 2' events)"
t_equal 'off' 4 "$(grep -c '^MEASUREMENT_ON_OFF .*OFF' events)"
otf2-print -I trace/traces.otf2 | grep -A 1 MPI_COMMUNICATION_COMPLETE | grep -qi true && t_fail 'said to be complete'
t_end
