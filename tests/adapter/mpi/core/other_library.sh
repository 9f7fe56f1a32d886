#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Description: in a program of another MPI library, be it linked to that or opening it later, the
# adapter says one line and stays out of the way.
set -u
name=$(basename "$0" .sh)
here=$(cd "$(dirname "$0")/.." && pwd)
. "$here/mpirun.sh"
command -v cc >/dev/null || skip "no compiler"

# A whole MPI library, as far as this test's program goes, under a name of its own.
cat >"$work/other.c" <<'END'
#include <stdio.h>
int PMPI_Init(int *argc, char ***argv) { (void)argc; (void)argv; return puts("other init") < 0; }
int PMPI_Send(const void *b, int n, int t, int d, int g, int c)
{
	return printf("other send %d %d %d %d %d %d\n", b != 0, n, t, d, g, c) < 0;
}
int PMPI_Finalize(void) { return puts("other finalize") < 0; }
int MPI_Init(int *argc, char ***argv) { return PMPI_Init(argc, argv); }
int MPI_Send(const void *b, int n, int t, int d, int g, int c) { return PMPI_Send(b, n, t, d, g, c); }
int MPI_Finalize(void) { return PMPI_Finalize(); }
END
cat >"$work/program.c" <<'END'
int MPI_Init(int *, char ***), MPI_Send(const void *, int, int, int, int, int), MPI_Finalize(void);
int main(void)
{
	return MPI_Init(0, 0) + MPI_Send("", 1, 2, 3, 4, 5) + MPI_Finalize();
}
END
cc -shared -fPIC -Wl,-soname,libmpi-other.so.1 "$work/other.c" -o "$work/libmpi-other.so.1" &&
	cc "$work/program.c" "$work/libmpi-other.so.1" -Wl,-rpath,"$work" -o "$work/program" ||
	skip "cannot compile"

# The same, opened by a program that is not linked to it.
cat >"$work/opens.c" <<'END'
#include <dlfcn.h>
int main(int argc, char **argv)
{
	void *opened = argc > 1 ? dlopen(argv[1], RTLD_NOW | RTLD_LOCAL) : 0;
	int (*run)(void) = opened ? (int (*)(void))dlsym(opened, "run") : 0;

	return run ? run() : 1;
}
END
cc -shared -fPIC -Dmain=run "$work/program.c" "$work/libmpi-other.so.1" -Wl,-rpath,"$work" \
	-o "$work/plugin.so" && cc "$work/opens.c" -o "$work/opens" -ldl || skip "cannot compile"

check()
{
	rm -f "$work/log"
	"$@" >"$work/plain" || fail "$1: ends with $?"
	MEASURE_STUB_LOG=$work/log \
		LD_PRELOAD="$PWD/.libs/libmeasure-stub.so $PWD/.libs/libmeasure-mpi.so" \
		"$@" >"$work/traced" 2>"$work/words" || fail "$1 with the adapter: ends with $?"
	cmp "$work/plain" "$work/traced" || fail "$1: other output with the adapter"
	[ "$(wc -l <"$work/words")" = 1 ] && grep -q libmpi-other.so.1 "$work/words" ||
		fail "$1: not one line about it: $(cat "$work/words")"
	! grep -q '^event' "$work/log" || fail "$1: records something"
}

check "$work/program"
check "$work/opens" "$work/plugin.so"
