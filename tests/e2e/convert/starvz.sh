#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Description: measure-convert writes the tables that StarVZ reads in its phase 1: their columns, and what is in them agrees with itself and with the program
. "$(dirname "$0")/../lib.sh"
convert=$t_build/measure-convert
cd "$work" || exit 1
command -v python3 >/dev/null || t_skip 'no python3'
"$convert" --help | grep -q '^ *starvz ' || t_skip 'measure-convert is built without zlib'
[ -x "$t_build/doc/examples/tiles" ] || t_skip 'no MPI'
. "$t_here/../../mpirun.sh"
mpirun=$(sed -n 's/^MPIRUN = //p' "$t_build/Makefile")

"$mpirun" -n 2 "$measure" -q -o tiles "$t_build/doc/examples/tiles" -n 6 -w 2 >/dev/null || t_fail 'tiles'
"$convert" tiles --to starvz -o tiles.starvz || t_fail 'status'
python3 "$t_here/starvz.py" tiles.starvz --types potrf=6,trsm=15,syrk=15,gemm=20 --nodes 2 || t_fail 'tables'
"$convert" tiles --to starvz -o again.starvz -t 1
diff <(zcat tiles.starvz/*.gz) <(zcat again.starvz/*.gz) || t_fail 'the same trace gives other tables'

# nothing that is there is overwritten; what is no program of tasks, and parts, are refused
t_equal 'twice' 2 "$("$convert" tiles --to starvz -o tiles.starvz 2>/dev/null; echo $?)"
t_equal 'a part' 2 "$("$convert" tiles --to starvz --from 10% -o part.starvz 2>/dev/null; echo $?)"
"$t_build/tests/sync/generate" --program mixed --ranks 2 --threads 1 --iterations 3 mixed || t_fail 'generate mixed'
t_equal 'no tasks' 2 "$("$convert" mixed --to starvz -o mixed.starvz 2>/dev/null; echo $?)"
t_equal 'nothing is left' '' "$(ls -d part* mixed.s* .mixed* .part* 2>/dev/null)"
t_end
