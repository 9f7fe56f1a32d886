#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Description: the commands of the manual's recipes for trouble run, on a run that was killed and on one that hangs
. "$(dirname "$0")/../lib.sh"
. "$t_here/run_blocks.sh"
t_begin_recipes
"$t_build/tests/scale/make_parts" --ranks 4 --killed 2 killed || t_fail 'make_parts'
{
	mpicc -O2 -g -fopenmp -finstrument-functions -o app heat2d.c -lm && mpirun -n 2 measure -q -o run1 ./app 100 50 &&
		mpicc -g -O1 -fopenmp -pthread -finstrument-functions -o hangs "$t_tests/e2e/live/hangs.c"
} >"$work/log" 2>&1 || t_fail "the recipes' runs: $(cat "$work/log")"
mpirun -n 2 measure -q -o hanging ./hangs send 0 >/dev/null 2>&1 &
job=$!
t_wait 30 measure-repair --live --roll-call hanging || t_fail 'no job hangs'
t_run_blocks "$t_source/doc/manual/mending.md" "$work/recipes"
kill $job
wait $job 2>/dev/null
t_wait 30 test -e hanging/traces.otf2 -a ! -e hanging/.parts || t_fail 'the hanging job goes on'
t_end_of_blocks
