#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Description: the same OpenMP programs, recorded by both adapters, agree on what adapters_agree.table says.
#
# Each is built by gcc, and recorded on GCC's library by the one adapter and on LLVM's by the other;
# and built by clang and recorded there too.
set -u
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export OMP_WAIT_POLICY=passive KMP_WARNINGS=false
unset OMP_NUM_THREADS OMP_DYNAMIC OMP_PROC_BIND OMP_PLACES OMP_THREAD_LIMIT OMP_CANCELLATION
gcc=$(sed -n 's/^CC = //p' Makefile)
clang=$(sed -n 's/^CLANG = //p' Makefile)
libs=$PWD/.libs
failures=0

fail()
{
	echo "$*"
	failures=$((failures + 1))
}

# record HOW PROGRAM PRELOADED...: counts into $work/counts.HOW
record()
{
	how=$1 program=$2
	shift 2
	rm -f "$work/log"
	MEASURE_STUB_LOG="$work/log" LD_PRELOAD="$libs/libmeasure-stub.so $*" timeout 120 \
		"$program" >/dev/null 2>"$work/words" ||
		fail "$how: ends with $?: $(cat "$work/words")"
	awk -f "$here/count_log.awk" "$work/log" | sort >"$work/counts.$how"
}

# compare NAME HOW WHAT...: with what the gomp adapter has counted
compare()
{
	name=$1 how=$2
	shift 2
	for what in forks joins 'team_of_[0-9]*' "$@"; do
		for file in gomp "$how"; do
			grep -x "$what [0-9]*" "$work/counts.$file" >"$work/some.$file"
		done
		cmp -s "$work/some.gomp" "$work/some.$how" ||
			fail "$name, $how: $(tr '\n' ' ' <"$work/some.$how"), gomp: $(tr '\n' ' ' <"$work/some.gomp")"
	done
}

[ -e "$libs/libmeasure-ompt.so" ] && [ -e "$libs/libmeasure-gomp.so" ] ||
	{ echo 'the adapters for OpenMP are not both built'; exit 77; }

while IFS='|' read -r source both all; do
	case $source in '#'*|'') continue ;; esac
	source=$(echo $source)
	name=$(basename "$source" .c)
	$gcc -g -O1 -fopenmp -pthread -o "$work/$name.gcc" "$here/../$source" &&
		$clang -g -O1 -fopenmp -fopenmp-version=51 -pthread -o "$work/$name.clang" "$here/../$source" ||
		{ fail "$source: cannot be built"; continue; }
	libomp=$(ldd "$work/$name.clang" | sed -n 's/.*libomp.* => \([^ ]*\) .*/\1/p')
	record gomp "$work/$name.gcc" "$libs/libmeasure-gomp.so"
	record ompt "$work/$name.gcc" "$libs/libmeasure-ompt.so" "$libomp" "$libs/libmeasure-libgomp.so"
	record clang "$work/$name.clang" "$libs/libmeasure-ompt.so"
	# shellcheck disable=SC2086
	compare "$name" ompt $both $all
	# shellcheck disable=SC2086
	compare "$name" clang $all
done <"$here/adapters_agree.table"
[ $failures = 0 ]
