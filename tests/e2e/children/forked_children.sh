#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Description: forked children are recorded each as a process of its own, or not at all, and nobody notices
. "$(dirname "$0")/../lib.sh"
children=$t_build/tests/e2e/children/forked_children

# groups NAME: location groups by their creators, "0<- 1<-0"
groups()
{
	otf2-print -G "$work/$1/traces.otf2" | sed -n \
		's/^LOCATION_GROUP  *\([0-9]*\) .*Creator: \(UNDEFINED\|.*<\([0-9]*\)>\)$/\1<-\3/p' | tr '\n' ' '
}

# events NAME: events of a kind and of a region on a location
events()
{
	otf2-print "$work/$1/traces.otf2" | grep -c "^$2  *$3 .*$4"
}

# processes NAME NUMBER
processes()
{
	t_equal "$1: processes" "$2" "$(groups "$1" | wc -w)"
}

# Behaviour of parent and children.
for how in fork vfork-exec spawn forks; do
	t_followed "$how" "$behave" "$how"
	t_sound "$work/$how.follow"
done
threads='threads crowd'
t_left_out_under_asan "$threads" 'its allocator may be locked for ever in a child that was forked beside threads' && threads=
for how in region deep tree $threads handler told atfork refused cancelled replaced; do
	t_followed "$how" "$children" "$how"
	t_sound "$work/$how.follow"
done
"$measure" -q --sample -o "$work/sampled" "$children" replaced
t_equal 'replaced, sampled: status' 1 $?

# What is recorded.
t_equal 'fork: groups' '0<- 1<-0 ' "$(groups fork.follow)"
t_equal 'ignored: groups' '0<- ' "$(groups fork.ignore)"
t_equal 'tree: groups' '0<- 1<-0 2<-1 ' "$(groups tree.follow)"
processes forks.follow 21
[ -z "$threads" ] || {
	processes threads.follow 11
	processes crowd.follow 21
}
processes told.follow 4
processes cancelled.follow 4
processes replaced.follow 2
processes refused.follow 1

# A child begins in the functions that its parent was in, and leaves them.
t_equal 'region: entered' 4 "$(events region.follow ENTER 1 '"in_region"')"
t_equal 'region: left' 4 "$(events region.follow LEAVE 1 '"in_region"')"
t_equal 'region: work' 18 "$(events region.follow ENTER 1 '"work"')"
t_equal 'deep: entered' 2001 "$(events deep.follow ENTER 1 '"in_region"')"
t_equal 'tree: work of the grandchild' 41 "$(events tree.follow ENTER 2 '"work"')"
grep -q 'missing exit\|dropped' "$work/region.follow/summary.txt" &&
	t_fail 'region: exits of the child do not match'
otf2-print "$work/region.follow/traces.otf2" | grep -q '^PROGRAM_END  *1 .*Exit status: 35' ||
	t_fail 'region: exit status of the child'

# Of the handlers' children those are missing whose parent was in the middle of an event. The others
# have been in the handler.
nr=$(groups handler.follow | wc -w)
[ "$nr" -gt 4 ] || t_fail "handler: $nr processes"
otf2-print "$work/handler.follow/traces.otf2" | awk -v nr="$nr" '
	/^ENTER .*"fork_in_handler"/ { seen[$2]++ }
	END { for (i = 1; i < nr; i++) if (seen[i] != 1) exit 1 }' ||
	t_fail 'handler: a child was not in the handler'

# A filter holds in children too, also for what only they call.
"$measure" -q --children=follow --exclude work -o "$work/filtered" "$children" tree >/dev/null
t_sound "$work/filtered"
t_equal 'filtered: groups' '0<- 1<-0 2<-1 ' "$(groups filtered)"
t_equal 'filtered: work' 0 "$(events filtered ENTER '[12]' '"work"')"
t_equal 'filtered: main' 1 "$(events filtered ENTER 2 '"main"')"

# Without a word where there is nothing to say, and with one where there is.
grep -q 'use --children=follow' "$work/fork.ignore/summary.txt" || t_fail 'no advice to follow'
! grep -q 'use --children=follow' "$work/fork.follow/summary.txt" || t_fail 'advice to follow'

# One that lives on has measure end with the program, and is in the archive when it has ended.
plain=$("$children" daemon; echo "status $?")
measured=$(MEASURE_QUIET=no "$measure" --children=follow -o "$work/daemon" "$children" daemon 2>"$work/err"; echo "status $?")
t_equal 'daemon: output' "$(echo "$plain" | sort)" "$(echo "$measured" | sort)"
grep -q '1 child of the program still runs' "$work/err" || t_fail "daemon: $(cat "$work/err")"
t_wait 30 test -f "$work/daemon/traces.otf2" || t_fail 'daemon: no archive'
t_wait 30 test ! -e "$work/daemon/.parts"
t_sound "$work/daemon"
t_equal 'daemon: groups' '0<- 1<-0 ' "$(groups daemon)"
t_equal 'daemon: work' 109 "$(events daemon ENTER 1 '"work"')"
t_end
