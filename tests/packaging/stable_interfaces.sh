#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Description: no option, variable, property, ABI or schema that doc/stability.md promises is gone
#
# stable.expected lists them. MEASURE_UPDATE=1 adds what is new, before a release; it also removes what is gone, which
# only a new major version may do.
set -u
here=$(cd "$(dirname "$0")" && pwd)
source=$here/../..
expected=$here/stable.expected
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# number NAME FILE: of a #define
number()
{
	sed -n "s/^#define $1 \([0-9]*\).*/$1 \1/p" "$source/$2"
}

{
	for tool in measure measure-*; do
		[ -x "$tool" ] && [ -f "$source/doc/man/$tool.1" ] || continue
		# A page in brackets or behind words is prose; an option begins a line of help, alone or after its letter.
		"./$tool" --help 2>/dev/null </dev/null | sed -n 's/^ \{1,8\}\(-.\), \(--[a-z][a-z-]*\).*/\1\n\2/p;
			s/^ \{2,8\}\(--[a-z][a-z-]*\).*/\1/p' | sed "s/^/$tool /"
	done
	./measure --help-config | grep -o -E 'MEASURE_[A-Z_]+'
	sed -n '/^| property/,$s/^| \(`[A-Z][^|]*\) |.*/\1/p' "$source/doc/properties.md" | grep -o -E '`[A-Z_:]+`' | tr -d '`' |
		sed 's/^/property /'
	number MEASURE_ADAPTER_ABI lib/api/adapter.h
	number MEASURE_METRIC_ABI lib/api/metric.h
	number MEASURE_WRAP_ABI lib/api/wrap.h
	number MEASURE_H_VERSION lib/api/measure.h
	number MEASURE_PROFILE_SCHEMA lib/analysis/report/profile_report.h
	number MEASURE_WAITS_SCHEMA lib/analysis/waits/waits_report.h
	number MEASURE_COMPARISON_SCHEMA lib/analysis/compare/comparison_report.h
	number TABLES_SCHEMA lib/export/tables/tables.h
	# Of the functions and macros those that are documented: others are parts of them.
	sed -n 's/^MEASURE_INLINE .*[ *]\(measure_[a-z0-9_]*\)(.*/\1/p; s/^#define \(MEASURE_[A-Z0-9_]*\).*/\1/p' \
		"$source/lib/api/measure.h" | sort -u >"$work/names"
	grep -h -w -o -F -f "$work/names" "$source/doc/user-api.md" "$source/doc/man/measure.h.3" | sed 's/^/measure.h /'
} | LC_ALL=C sort -u >"$work/found"
if [ "${MEASURE_UPDATE-}" ]; then
	cp "$work/found" "$expected"
fi
[ "$(wc -l <"$work/found")" -ge 250 ] || {
	echo "only $(wc -l <"$work/found") interfaces found"
	exit 1
}
LC_ALL=C comm -13 "$work/found" "$expected" >"$work/gone"
LC_ALL=C comm -23 "$work/found" "$expected" >"$work/new"
[ ! -s "$work/gone" ] || sed 's/^/gone: /' "$work/gone"
[ ! -s "$work/new" ] || sed 's/^/new, to be added by MEASURE_UPDATE=1: /' "$work/new"
[ ! -s "$work/gone" ]
