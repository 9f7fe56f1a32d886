#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Description: threads that come and go are sampled, and do what they do without. Of most use when it is built with ThreadSanitizer.
set -u
[ -x ./measure ] || { echo "measure is not built"; exit 77; }
here=$(cd "$(dirname "$0")" && pwd)
. "$here/../../asan.sh"
! left_out_under_asan "$PWD" sampling 'handlers do not run at once' || exit 77
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
program=tests/adapter/sample/threads

fail()
{
	echo "$*"
	exit 1
}

[ "$("$program")" = done ] || fail 'does not run by itself'
[ "$(./measure --sample 997 -o "$work/archive" "$program")" = done ] || fail 'does not run under measure'
sh "$here/../../soundness.sh" "$work/archive" || fail 'not sound'
command -v otf2-print >/dev/null || exit 0
otf2-print "$work/archive/traces.otf2" | grep -q '^CALLING_CONTEXT_SAMPLE ' || fail 'no samples'
