#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Description: the adapter exports exactly the functions of its table; and those of the C library that have several
# versions are the same function in all of them, but for condition variables.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
table=$here/../../../adapters/pthread/pthread_calls.def
adapter=.libs/libmeasure-pthread.so
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

command -v nm >/dev/null || { echo "no nm"; exit 77; }
sed -n -e 's/^\(PLAIN\|POINT\|LOCK\|TRY\|GATHER\|UNLOCK\|WAIT\|JOIN\)(\([a-z0-9_]*\),.*/\2/p' \
	-e 's/^\(DESTROY\|OTHER\)([a-z]*, \([a-z0-9_]*\),.*/\2/p' "$table" | sort >"$work/rows"
nm -D --defined-only $adapter | awk '{ sub("@.*", "", $3); print $3 }' | sort >"$work/exports"
diff "$work/rows" "$work/exports"

libc=$(ldd $adapter | awk '/libc\.so/ { print $3 }')
[ -e "$libc" ] || { echo "no C library found"; exit 77; }
nm -D --with-symbol-versions "$libc" | awk '{ split($3, name, "@"); print name[1], $1 }' | sort -u >"$work/has"
awk 'FILENAME ~ /rows$/ { is_row[$1] = 1; next }
	$1 in is_row && $1 !~ /^pthread_cond_/ && seen[$1]++ { print $1 ": several functions"; wrong = 1 }
	END { exit wrong }' "$work/rows" "$work/has"
