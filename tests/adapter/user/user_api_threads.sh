#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Description: threads that use measure.h at once, each thing for the first time, lose and mix up nothing. Of most use when
# it is built with ThreadSanitizer.
set -u
[ -x ./measure ] || { echo "measure is not built"; exit 77; }
here=$(cd "$(dirname "$0")" && pwd)
. "$here/../counts.sh"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
program=tests/adapter/user/threads

fail()
{
	echo "$*"
	exit 1
}

"$program" >"$work/plain" || fail "ends with $? by itself"
./measure -a +pthread -o "$work/archive" "$program" >"$work/traced" || fail "ends with $?"
cmp "$work/plain" "$work/traced" || fail 'other output under measure'
sh "$here/../../soundness.sh" "$work/archive" || fail 'not sound'
command -v otf2-print >/dev/null || exit 0
otf2-print "$work/archive/traces.otf2" >"$work/events"
compare_counts "$work/plain" "$work/events"
