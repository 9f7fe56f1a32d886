#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Description: programs that close descriptors, leave directories and rights, lock memory, forbid the clock, or run on other stacks do so as ever, and are recorded to their end
. "$(dirname "$0")/../lib.sh"
strange=$t_build/tests/e2e/transparency/unusual_programs
cd "$work" || exit 1

# both NAME [OPTION...]: the same with and without measure, and after() whole in the archive
both()
{
	name=$1
	shift
	plain=$("$strange" "$name" 2>&1; echo "status $?")
	[ "${plain##* }" != 97 ] || {
		echo "$name: not without rights"
		return
	}
	measured=$("$measure" -q "$@" -o "$work/$name" "$strange" "$name" 2>&1; echo "status $?")
	[ "$plain" = "$measured" ] || t_fail "$name: $(diff <(echo "$plain") <(echo "$measured"))"
	t_wait 30 test ! -e "$work/$name/.parts"
	t_sound "$work/$name"
	t_equal "$name: after()" 'ENTER LEAVE' "$(otf2-print "$work/$name/traces.otf2" |
		sed -n 's/^\(ENTER\|LEAVE\)  *0 .*"after".*/\1/p' | tr '\n' ' ' | sed 's/ $//')"
	t_equal "$name: work in after()" 1 "$(otf2-print "$work/$name/traces.otf2" | awk '
		/^LEAVE  *0 .*"after"/ { inside = 0 }
		inside && /^ENTER  *0 .*"work"/ { nr++ }
		/^ENTER  *0 .*"after"/ { inside = 1 }
		END { print nr == 80 * 177 }')"
}

for way in descriptors all-descriptors directory root rights environment nothing shells signal-stack jumps \
	locked-memory; do
	both $way
done
both coroutines
for way in all-descriptors rights environment nothing shells; do
	rm -rf "${work:?}/$way"
	both $way --children=follow
done
# Recording ends where reading the clock is forbidden, and says so.
for way in no-clock no-calls; do
	"$strange" $way
	plain=$?
	[ $plain != 97 ] || continue
	"$measure" -q -o "$work/$way" "$strange" $way >"$work/out" 2>&1
	t_equal "$way: status" $plain $?
	t_equal "$way: words" 'measure: recording stopped in the program: it forbids reading the clock (PR_SET_TSC, strict seccomp)' \
		"$(cat "$work/out")"
	t_wait 30 test ! -e "$work/$way/.parts"
	t_sound "$work/$way"
done
# Not these two kinds: nothing can be preloaded into them.
echo 'int main(void) { return 9; }' >"$work/still.c"
for kind in static static-pie; do
	${CC:-cc} -$kind -o "$work/still" "$work/still.c" 2>/dev/null || continue
	"$measure" -o "$work/$kind" "$work/still" >"$work/out" 2>"$work/err"
	t_equal "$kind: status" 9 $?
	grep -q 'is linked statically: link it dynamically: not recording' "$work/err" ||
		t_fail "$kind: $(cat "$work/err")"
	[ ! -e "$work/$kind" ] || t_fail "$kind: a directory is left over"
done
t_end
