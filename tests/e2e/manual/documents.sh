#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Description: the commands of the documents that are chapters of the manual run, on small programs and runs
#
# DOCUMENTS='doc/waits.md ...' runs those of these only; pages.sh those of manual pages. mpirun starts at most four processes.
. "$(dirname "$0")/../lib.sh"
. "$t_here/run_blocks.sh"
t_begin_recipes
. "$t_tests/oshmem.sh"
for adapter in gomp kokkos ompt opencl python ranges; do
	[ -e "$t_build/.libs/libmeasure-$adapter.so" ] || t_skip "the $adapter adapter is not built"
done
command -v sqlite3 >/dev/null || t_skip 'no sqlite3'
! t_left_out_under_asan all 'adapters that must be first' || exit 77

mkdir "$work/bin"
cat >"$work/bin/mpirun" <<END
#!/bin/sh
[ "\$1" = -n ] && [ "\$2" -gt 4 ] && { shift 2; set -- -n 4 "\$@"; }
exec $(command -v mpirun) "\$@"
END
chmod +x "$work/bin/mpirun"
python3 -c 'import mpi4py' 2>/dev/null || ln -s /usr/bin/python3 "$work/bin/python3"
PATH=$work/bin:$PATH
{
	echo "fortran_c=$t_source/share/fortran/measure_fortran.c"
	echo "fortran_module=$t_source/share/fortran/measure.f90"
} >>"$work/pkgconfig/measure.pc"
export XDG_DATA_HOME="$work/data" MEASURE_EVENT_COSTS="$work/event-costs"

# What documents take for granted: ./app; run0 and run1, of MPI, with phases and tasks, and of more than two seconds; scripts; a
# library.
base=$work/base
mkdir "$base"
export LIBRARY_PATH="$base" LD_LIBRARY_PATH="$base"
(
	cd "$base" || exit
	ln -s "$t_source/doc" doc
	flags="-O1 -g -finstrument-functions -I$t_source/lib/api -I$t_source/doc/examples $t_here/app.c -lm"
	gcc -o app $flags && cp app app.old && cp app app.new && mpicc -DWITH_MPI -o mpi_app $flags || exit
	printf '%s\n' 'struct solver { int nr_rows; };' 'int solver_run(struct solver *solver, double *residual);' >solver.h
	printf '%s\n' '#include "solver.h"' '@library(solver)' 'int solver_run(struct solver *solver, double *residual)' \
		'	@args() @value(rows, solver->nr_rows) @out(residual) @errno;' >solver.wrap
	printf '%s\n' '#include "solver.h"' 'int solver_run(struct solver *solver, double *residual)' \
		'{ *residual = solver->nr_rows; return 0; }' >solver.c
	gcc -g -shared -fPIC -o libsolver.so solver.c || exit
	echo 'int main(void) { return 0; }' >app.c
	printf '%s\n' 'program app' 'use measure' 'end program' >app.f90
	echo 'print(sum(range(1000)))' >script.py
	cp script.py a.py
	printf '%s\n' 'from mpi4py import MPI' 'MPI.COMM_WORLD.Barrier()' >solver.py
	printf '%s\n' 'import subprocess' 'subprocess.run("true")' >pool.py
	echo 'exclude sweep' >rules
	echo 'exec ./app' >run.sh
	echo input >input.txt
	mpirun -n 4 measure -q -o run1 ./mpi_app 2.2 && mpirun -n 2 measure -q -o run0 ./mpi_app 0 &&
		cp -r run0 ranks8 && cp -r run1 ranks4 && cp -r run0 old && cp -r run0 new
) >"$work/log" 2>&1 || t_fail "the runs: $(cat "$work/log")"

# What single documents need besides.
job=
prepare()
{
	case $1 in
	*/compensation.md | */measure-profile.1) measure --calibrate-events -n 3 ;;
	*/hangs.md | */measure-repair.1)
		mv run1 run2
		mpirun -n 2 measure -q -o run1 ./mpi_app 60 &
		job=$!
		t_wait 30 measure-repair --live --roll-call run1
		;;
	*/tutorial-tasks.md) cp doc/examples/tiles.c . ;;
	esac >/dev/null 2>&1
}

for document in ${DOCUMENTS-$(sed -n 's,^\(doc/[a-z-]*\.md\)$,\1,p' "$t_source/doc/manual/manual.md")}; do
	directory=$work/$(basename "$document")
	cp -r "$base" "$directory"
	cd "$directory" || exit
	prepare "$document"
	t_run_blocks "$t_source/$document" "$directory"
	[ -z "$job" ] || { kill $job; wait $job; } 2>/dev/null
	job=
	cd "$work" && rm -rf "$directory"
done
t_end_of_blocks
