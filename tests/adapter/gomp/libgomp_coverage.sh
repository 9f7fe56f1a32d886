#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Description: every function of the installed libgomp is recorded, or there is a reason why not;
# those of the adapter's table have the symbol versions that libgomp has.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
table=$here/../../../adapters/gomp/gomp_calls.def
adapter=.libs/libmeasure-gomp.so
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

[ -e $adapter ] || { echo "the gomp adapter is not built"; exit 77; }
libgomp=$(ldd tests/adapter/gomp/parallel_regions.omp | awk '/libgomp/ { print $3 }')
[ -e "$libgomp" ] || { echo "no libgomp found"; exit 77; }

nm -D --with-symbol-versions "$libgomp" | awk '$2 == "T" { sub("@+", " ", $3); print $3 }' |
	sort >"$work/has"
grep -oE '(GOMP|omp)_[a-z0-9_]+, "[A-Z]+_[0-9.]+"' "$table" | sed 's/[",]//g' | sort >"$work/rows"
nm -D $adapter | awk '$2 == "T" { print $3 }' | sort >"$work/exports"
cut -d' ' -f1 "$work/has" | grep -E '^(GOMP|omp)_' | sort -u >"$work/names"
# patterns, and the reasons behind them
awk '!/^#/ && NF { print "^" $1 "$" }' "$here/not_recorded" >"$work/patterns"

comm -13 "$work/has" "$work/rows" >"$work/unknown"
comm -23 "$work/names" "$work/exports" | grep -v -E -f "$work/patterns" >"$work/missing" || :
grep -E -f "$work/patterns" "$work/exports" >"$work/surplus" || :
awk '!/^#/ && NF == 1' "$here/not_recorded" >"$work/unfounded"

is_wrong=0
for what in unknown missing surplus unfounded; do
	[ ! -s "$work/$what" ] || { sed "s/^/$what: /" "$work/$what"; is_wrong=1; }
done
exit $is_wrong
