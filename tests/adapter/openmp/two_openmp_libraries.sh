#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Description: programs of GCC on LLVM's OpenMP library (--openmp=ompt); two OpenMP libraries in one process; one
# that is opened, and closed at exit; one that the program pauses. What happened is said in summary.txt.
set -u
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export OMP_WAIT_POLICY=passive KMP_WARNINGS=false
unset OMP_NUM_THREADS OMP_DYNAMIC MEASURE_OPENMP MEASURE_ADAPTERS
gcc=$(sed -n 's/^CC = //p' Makefile)
clang=$(sed -n 's/^CLANG = //p' Makefile)
failures=0

fail()
{
	echo "$*"
	failures=$((failures + 1))
}

# build PROGRAM COMPILER ARGUMENTS...
build()
{
	program=$1
	shift
	"$@" -g -fopenmp -o "$work/$program" || { echo "$program: cannot be built"; exit 1; }
}

# record NAME OPTIONS... -- PROGRAM...: it does what it does without us, and the trace is sound
record()
{
	name=$1 options=
	shift
	while [ "$1" != -- ]; do
		options="$options $1"
		shift
	done
	shift
	rm -rf "$work/trace"*
	# shellcheck disable=SC2086
	timeout 120 ./measure $options -o "$work/trace" "$@" >"$work/said" 2>"$work/words" ||
		fail "$name: ends with $?: $(cat "$work/words")"
	[ "$(cat "$work/said")" = done ] || fail "$name: says $(cat "$work/said")"
	./measure-check "$work/trace/traces.otf2" >"$work/check" 2>&1 || fail "$name: $(cat "$work/check")"
	awk '/^Losses/ { getline; exit $1 != "none" }' "$work/trace/summary.txt" || fail "$name: losses"
}

# says NAME WORDS FILE
says()
{
	grep -q "$2" "$3" || fail "$1: does not say '$2': $(cat "$3")"
}

# forks NAME NUMBER
forks()
{
	found=$(otf2-print "$work/trace/traces.otf2" | grep -c '^THREAD_FORK')
	[ "$found" = "$2" ] || fail "$1: $found forks, expected $2"
}

[ -e .libs/libmeasure-ompt.so ] && [ -e .libs/libmeasure-gomp.so ] && [ -x ./measure ] ||
	{ echo 'the adapters for OpenMP are not both built'; exit 77; }

build gcc $gcc "$here/t_use.c"
build clang $clang "$here/t_use.c"
build libbuilt-by-gcc.so $gcc -shared -fPIC "$here/t_share.c"
build libbuilt-by-clang.so $clang -shared -fPIC "$here/t_share.c"
build both $clang -DT_LINKED "$here/t_use.c" -L"$work" -l:libbuilt-by-gcc.so -Wl,-rpath,"$work"
build both-gcc $gcc -DT_LINKED "$here/t_use.c" -L"$work" -l:libbuilt-by-clang.so -Wl,-rpath,"$work"
build missing $gcc -DT_MISSING "$here/t_use.c"
build device $clang -DT_TARGET "$here/t_use.c"
build paused $clang -DT_PAUSE "$here/t_use.c"
build paused-gcc $gcc -DT_PAUSE "$here/t_use.c"
# its own run path wins over any other library path, but for what is there already
mkdir "$work/own"
cp -L "$($gcc -print-file-name=libgomp.so.1)" "$work/own/libgomp.so.1"
build rpath $gcc "$here/t_use.c" -Wl,--disable-new-dtags,-rpath,"$work/own"

in_place='LLVM OMP.* in place of libgomp.so.1'
record gcc --openmp=ompt -- "$work/gcc"
says gcc "$in_place" "$work/trace/summary.txt"
forks gcc 3
record rpath --openmp=ompt -- "$work/rpath"
says rpath "$in_place" "$work/trace/summary.txt"
record clang --openmp=ompt -- "$work/clang"
says clang 'LLVM OMP.*libomp' "$work/trace/summary.txt"
forks clang 3
record 'clang, by gomp' --openmp=gomp -- "$work/clang"
forks 'clang, by gomp' 0

record missing --openmp=ompt -- "$work/missing"
says missing 'omp_display_env.* lacks: recording the program' "$work/words"
forks missing 3
record 'paused, gcc' --openmp=ompt -- "$work/paused-gcc"
says 'paused, gcc' 'omp_pause_resource_all.*: recording the program' "$work/words"
record 'paused, gomp' -- "$work/paused-gcc"
forks 'paused, gomp' 4
record paused -- "$work/paused"
forks paused 4

record device -- "$work/device"
record both -- "$work/both"
says both 'and .*libgomp.*: each has threads of its own' "$work/trace/summary.txt"
forks both 3
record 'both, gcc first' -- "$work/both-gcc"
forks 'both, gcc first' 3
record 'both as one' --openmp=ompt -- "$work/both"
says 'both as one' "$in_place" "$work/trace/summary.txt"
forks 'both as one' 3

record 'opened, gcc' -- "$work/gcc" "$work/libbuilt-by-gcc.so"
forks 'opened, gcc' 4
record 'opened, gcc in place' --openmp=ompt -- "$work/gcc" "$work/libbuilt-by-gcc.so"
forks 'opened, gcc in place' 4
record 'opened, clang' -- "$work/clang" "$work/libbuilt-by-clang.so"
forks 'opened, clang' 4
[ $failures = 0 ]
