#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Description: the Kokkos example gives the same answer by itself and under measure, and its archive is sound and has as
# many kernels as it says, with the memory of its views and the bytes of its copies
set -eu
here=$(cd "$(dirname "$0")" && pwd)
top=$here/../..
build=$PWD
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
. "$top/tests/adapter/counts.sh"
unset KOKKOS_TOOLS_LIBS KOKKOS_PROFILE_LIBRARY
cxx=${CXX:-g++}
cd "$work"

# compiled LIBRARY FLAG...: as Debian has it, and as Kokkos installs itself
compiled()
{
	library=$1
	shift
	"$cxx" -O1 "$@" "$here/kokkos.cc" -o kokkos "-l$library" >words 2>&1
}

command -v "$cxx" >/dev/null || { echo 'no C++ compiler'; exit 77; }
command -v otf2-print >/dev/null || { echo 'otf2-print is not installed'; exit 77; }
if ! echo '#include <Kokkos_Core.hpp>' | "$cxx" -std=c++17 -E -I/usr/include/trilinos -x c++ - >/dev/null 2>&1; then
	echo 'Kokkos is not installed (Debian: libtrilinos-kokkos-dev)'
	exit 77
fi
compiled trilinos_kokkoscore -std=c++14 -I/usr/include/trilinos || compiled kokkoscore -std=c++17 || { cat words; exit 1; }
./kokkos >plain
"$build/measure" -o run ./kokkos >traced
cmp plain traced
MEASURE_CHECK=$build/measure-check "$top/tests/soundness.sh" run
otf2-print run/traces.otf2 >events
compare_counts plain events

count_lines events 1 '"range.name" <[0-9]*>, Value: "iterations"'
count_lines events 1 '"range.stop"'
# one of two views, one of a number; 2,000 doubles
count_lines events 1 '("TRANSFER_SIZE" <[0-9]*>; UINT64; 16000).*"DESTINATION" <[0-9]*>; STRING; "p".*"SOURCE" <[0-9]*>; STRING; "r"'
for view in x r p q; do
	count_lines events 1 "(\"ALLOCATION_SIZE\" <[0-9]*>; UINT64; 16000).*(\"VIEW\" <[0-9]*>; STRING; \"$view\""
done
sed -n 's/.*"Kokkos memory \[Host\]" <[0-9]*>; UINT64; \([0-9]*\)).*/\1/p' events | tail -n 1 | grep -q -x 0
[ -s run/traces.marker ]
! grep -E 'inserted|dropped|user regions' run/summary.txt || exit 1
