#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Description: the annotated examples in C, C++ and Fortran give the same answers by themselves and under measure, and what they say is in sound archives
set -eu
here=$(cd "$(dirname "$0")" && pwd)
top=$here/../..
build=$PWD
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

# record NAME ENTERS RECORDS: those of the kinds that measure.h adds
record()
{
	"./$1" >"$1.plain"
	"$build/measure" -o "$1.trace" "./$1" >"$1.traced"
	cmp "$1.plain" "$1.traced"
	MEASURE_CHECK=$build/measure-check "$top/tests/soundness.sh" "$1.trace"
	otf2-print "$1.trace/traces.otf2" >events
	enters=$(grep -c '^ENTER' events)
	records=$(grep -c -E '^(PARAMETER|METRIC|THREAD_TASK|MEASUREMENT_ON_OFF)' events)
	[ "$enters $records" = "$2 $3" ] || { echo "$1: $enters entries and $records records, not $2 and $3"; exit 1; }
	[ -s "$1.trace/traces.marker" ] || { echo "$1: no markers"; exit 1; }
	! grep -E 'inserted|dropped|user regions' "$1.trace/summary.txt" || exit 1
}

command -v "${CC:-cc}" >/dev/null || { echo 'no compiler'; exit 77; }
command -v otf2-print >/dev/null || { echo 'otf2-print is not installed'; exit 77; }
# shellcheck disable=SC2086 # several words
${CC:-cc} -O2 -Wall -Wextra -Werror -I "$top/lib/api" "$here/annotated.c" -o c -lm
nr=$(./c | sed 's/ sweeps.*//')
record c $((2 * nr + 7)) $((2 * nr + 37))
if command -v "${CXX:-g++}" >/dev/null; then
	"${CXX:-g++}" -std=c++11 -O2 -Wall -Wextra -Werror -I "$top/lib/api" "$here/annotated.cc" -o cxx
	record cxx 19 22
else
	echo 'left out: C++'
fi
if command -v "${FC:-gfortran}" >/dev/null; then
	${CC:-cc} -O2 -Wall -Wextra -Werror -I "$top/lib/api" -c "$top/share/fortran/measure_fortran.c"
	"${FC:-gfortran}" -O2 -Wall -Werror "$top/share/fortran/measure.f90" "$here/annotated.f90" measure_fortran.o -o fortran
	record fortran 103 115
else
	echo 'left out: Fortran'
fi
