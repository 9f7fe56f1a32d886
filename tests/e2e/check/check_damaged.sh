#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# Description: measure-check on archives whose files are damaged: each kind of damage is named.
set -u

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

fail()
{
	echo "failed: $*"
	cat "$work/out" "$work/words"
	exit 1
}

fresh() { rm -rf "$work/a"; tests/unit/trace/fabricate sound "$work/a" || fail fabricate; }

# run STATUS WORDS: checks $work/a; WORDS must be in the output
run()
{
	./measure-check "$work/a" >"$work/out" 2>"$work/words"
	status=$?
	[ "$status" = "$1" ] || fail "exit status $status, not $1 ($2)"
	cat "$work/out" "$work/words" | grep -qF -- "$2" || fail "no word of '$2'"
	[ "$1" != 2 ] || [ "$(wc -l <"$work/words")" = 1 ] || fail "not one line on stderr"
}

# put FILE OFFSET BYTES: overwrites bytes, given in octal as printf takes them
put() { printf "$3" | dd of="$work/a/$1" bs=1 seek="$2" conv=notrunc 2>/dev/null; }

fresh
truncate -s 200 "$work/a/traces/0.evt"
run 1 "location.damaged"

fresh
rm "$work/a/traces/1.evt"
run 1 "location.damaged"

fresh
rm "$work/a/traces/1.def"
run 0 "local.missing"

fresh
truncate -s 4 "$work/a/traces/1.def"
run 1 "local."

# The number of locations is a 64-bit number behind magic, versions, chunk sizes and two bytes.
fresh
at=$(LC_ALL=C grep -obUaP '\003\000\000\000\000\000\000\000' "$work/a/traces.otf2" | head -1 | cut -d: -f1)
put traces.otf2 "$at" '\004'
run 1 "anchor.counts"

# The first timestamp behind the chunk header: the next one is earlier then.
fresh
at=$(LC_ALL=C grep -obUaP '\144\000\000\000\000\000\000\000' "$work/a/traces/0.evt" | tail -1 | cut -d: -f1)
put traces/0.evt "$at" '\164'
run 1 "time.backward_raw"

fresh
truncate -s 10 "$work/a/traces.otf2"
run 2 "traces.otf2"
fresh
: >"$work/a/traces.otf2"
run 2 "traces.otf2"
fresh
truncate -s 100 "$work/a/traces.def"
run 2 "traces.otf2"
fresh
rm "$work/a/traces.def"
run 2 "traces.otf2"
fresh
head -c 5000 /dev/urandom >"$work/a/traces.otf2"
run 2 "traces.otf2"
fresh
cp /bin/sh "$work/a/traces.def"
run 2 "traces.otf2"
fresh
chmod 0 "$work/a/traces.def"
[ -r "$work/a/traces.def" ] || run 2 "traces.otf2" # root may read everything
echo passed
