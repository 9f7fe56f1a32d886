#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Description: MPI, OpenMP, the program's own threads and a fork in one process: each is recorded once, by
# whoever makes it, with the OpenMP libraries of GCC and of LLVM.
set -u
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
. "$here/../../mpirun.sh"
mpicc=$(sed -n 's/^MPICC = //p' Makefile)

fail()
{
	echo "$compiler: $*"
	exit 1
}

# count KIND WHAT: in the events that were printed
count()
{
	case $1 in
	event) grep -c "^$(echo "$2" | tr a-z A-Z) " "$work/events" ;;
	region) grep -c "^ENTER .*\"$2\"" "$work/events" ;;
	esac
}

case $mpicc in *mpicc) ;; *) echo "no Open MPI"; exit 77 ;; esac
[ -x ./measure ] || { echo "measure is not built"; exit 77; }
command -v otf2-print >/dev/null || { echo "no otf2-print"; exit 77; }
nr_done=0
cat >"$work/first.c" <<'END'
#include <pthread.h>
static int nr;
static void *team(void *data)
{
	#pragma omp parallel num_threads(2)
	#pragma omp critical
	nr++;
	return data;
}
int main(void)
{
	pthread_t thread;
	for (int i = 0; i < 20; i++) {
		if (pthread_create(&thread, 0, team, 0) != 0 || pthread_join(thread, 0) != 0)
			return 1;
		team(0);
	}
	return nr != 80;
}
END
for compiler in gcc clang; do
	OMPI_CC=$compiler $mpicc -g -O1 -fopenmp -finstrument-functions -I"$here" -o "$work/hybrid" "$here/mpi_openmp_threads.c" \
		2>"$work/words" || continue
	mpirun -n 2 "$work/hybrid" >"$work/plain" 2>"$work/words" || continue
	mpirun -n 2 ./measure -o "$work/archive" "$work/hybrid" >"$work/traced" 2>"$work/words" ||
		fail "ends with $?: $(cat "$work/words")"
	cmp "$work/plain" "$work/traced" || fail "other output under measure"
	sh "$here/../../soundness.sh" --rectangles 1 "$work/archive" || fail "not sound"
	otf2-print "$work/archive/traces.otf2" >"$work/events"
	while read -r kind what number; do
		[ "$(count "$kind" "$what")" = "$number" ] ||
			fail "$kind $what: $(count "$kind" "$what") found, $number expected"
	done <"$work/plain"
	rm -r "$work/archive"

	# the thread that used OpenMP first is gone
	$compiler -fopenmp -o "$work/first" "$work/first.c" && "$work/first" || fail 'the second program'
	./measure -o "$work/archive" "$work/first" 2>"$work/words" || fail "second program: $(cat "$work/words")"
	sh "$here/../../soundness.sh" --rectangles 1 "$work/archive" || fail "second program: not sound"
	rm -r "$work/archive"
	nr_done=$((nr_done + 1))
done
[ $nr_done -gt 0 ] || { echo "no MPI with threads and OpenMP: $(head -n 1 "$work/words")"; exit 77; }
