#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Description: the template adapter records three calls as Enter and Leave, nothing of a forked
# child, and stays off where nothing records.
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
program=tests/adapter/none/yield
preload="$PWD/.libs/libmeasure-stub.so $PWD/.libs/libmeasure-none.so"

MEASURE_STUB_LOG=$work/log LD_PRELOAD=$preload $program >"$work/out"
[ "$(cat "$work/out")" = 7 ]
cut -d' ' -f1,4 "$work/log" >"$work/found"
cat >"$work/expected" <<END
adapter
region sched_yield
event enter
event leave
event enter
event leave
event enter
event leave
END
sed -i 's/^adapter .*/adapter/' "$work/found"
diff "$work/expected" "$work/found"

LD_PRELOAD=$preload $program >"$work/out"
[ "$(cat "$work/out")" = 7 ]
