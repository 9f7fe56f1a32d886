#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# Description: measure-check --clock gives the times that a look at each message gives, in text of
# 80 columns too.
here=$(cd "$(dirname "$0")" && pwd)
command -v python3 >/dev/null || {
	echo 'no python3'
	exit 77
}
PYTHONDONTWRITEBYTECODE=1 python3 "$here/oracle/message_times.py" || exit
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
tests/sync/generate --program ring,halo --ranks 8 --nodes 4 --clock offset=100 "$work/archive" || exit 1
./measure-check --clock "$work/archive" >"$work/out"
grep -q '^  ! .* arrive before they are sent' "$work/out" && grep -q 'more pairs of nodes' "$work/out" ||
	{ cat "$work/out"; exit 1; }
! sed -n '/messages take/,/arrive before/p' "$work/out" | grep -E '.{81}' || exit 1
! ./measure-check --lmin=node=fast "$work/archive" 2>"$work/err" || exit 1
grep -q "'node=fast' is not a list like process=0" "$work/err"
