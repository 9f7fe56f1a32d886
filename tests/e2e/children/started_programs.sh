#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Description: programs that are started by exec(), posix_spawn(), system() and popen() are recorded each as a process of its own, or not at all, and nobody notices
. "$(dirname "$0")/../lib.sh"
starts=$t_build/tests/e2e/programs/starts
cd "$work" || exit 1

# groups DIRECTORY: location groups with their programs and creators
groups()
{
	otf2-print -G "$1/traces.otf2" | sed -n \
		's/^LOCATION_GROUP  *\([0-9]*\)  Name: "[^(]*(\(.*\))" .*Creator: \(UNDEFINED\|.*<\([0-9]*\)>\)$/\1:\2<-\4/p' | tr '\n' ' '
}

# events DIRECTORY KIND LOCATION TEXT
events()
{
	otf2-print "$1/traces.otf2" | grep -c "^$2  *$3 .*$4"
}

# In its own process: what it was ends, and what it becomes begins there.
for way in execve execv execvp execvpe execl execlp execle fexecve path; do
	t_followed $way "$starts" $way
	t_equal "$way: groups" '0:starts<- 1:starts<-0 ' "$(groups $way.follow)"
	t_equal "$way: work" '15 177' \
		"$(events $way.follow ENTER 0 '"work"') $(events $way.follow ENTER 1 '"work"')"
	t_equal "$way: end" 1 "$(events $way.follow PROGRAM_END 1 'Exit status: 3')"
done
grep -q 'became another program' execv.follow/summary.txt || t_fail 'nothing is said of exec'
t_followed thread "$starts" thread
t_equal 'thread: groups' '0:starts<- 1:starts<-0 ' "$(groups thread.follow)"

# In children. Those of fork() have been in a function of their own before, those of vfork() are nobody.
t_followed forked "$starts" forked
t_equal 'forked: processes' 19 "$(groups forked.follow | wc -w)"
t_followed vforked "$starts" vforked
t_equal 'vforked: groups' '0:starts<- 1:starts<-0 2:starts<-0 3:starts<-0 4:starts<-0 5:starts<-0 6:starts<-0 7:starts<-0 8:starts<-0 ' \
	"$(groups vforked.follow)"
t_equal 'vforked: work of the parent' 30 "$(events vforked.follow ENTER 0 '"work"')"
t_followed vfork "$starts" vfork
for mode in ignore follow; do
	t_equal "vfork, $mode: work" 16 "$(events vfork.$mode ENTER 0 '"work"')"
	t_equal "vfork, $mode: groups" '0:starts<- ' "$(groups vfork.$mode)"
	sed -n '/^Losses/,/^$/p' vfork.$mode/summary.txt | grep -q 'not recorded\|dropped\|inserted' && t_fail "vfork, $mode: $(cat vfork.$mode/summary.txt)"
done
t_followed spawned "$starts" spawned
t_equal 'spawned: groups' '0:starts<- 1:starts<-0 2:starts<-0 ' "$(groups spawned.follow)"
t_followed many "$starts" many
t_equal 'many: processes' 101 "$(groups many.follow | wc -w)"
grep -q 'process creation  *100  *100  *0' many.check || t_fail "many: $(cat many.check)"
# The last one goes past us, and so is no more than the child that was forked for it.
t_followed environment "$starts" environment
t_equal 'environment: processes' 5 "$(groups environment.follow | wc -w)"

# By shells, which dash replaces by the last command, and other shells need not.
t_followed shell "$starts" shell
t_followed pipe "$starts" pipe
for way in shell pipe; do
	t_equal "$way: work of the command" 1 "$(otf2-print "$way.follow/traces.otf2" | awk '
		$1 == "ENTER" && $2 > 0 && /"work"/ { nr++ }
		END { print nr == 177 }')"
done
t_followed deep sh -c 'sh -c "sh -c \"$0 target 3\"; exit 2"; exit 1' "$starts"
case $(groups deep.follow) in
*:starts'<-'[0-9]*) ;;
*) t_fail "deep: $(groups deep.follow)" ;;
esac

# What fails leaves everything as it was.
t_followed failing "$starts" failing
t_equal 'failing: groups' '0:starts<- ' "$(groups failing.follow)"
t_equal 'failing: work' 192 "$(events failing.follow ENTER 0 '"work"')"

# One that is killed, of which only the kernel knows how it ended, and one that is there when measure has gone.
"$measure" -q --children=follow -o outlived "$starts" outlived >out
t_wait 20 test -f outlived/traces.otf2 || t_fail 'outlived: no archive'
t_wait 30 test ! -e outlived/.parts
grep -q 'killed: signal 9' out || t_fail "outlived: $(cat out)"
t_sound "$work/outlived"
ends=$(otf2-print outlived/traces.otf2 |
	sed -n 's/^PROGRAM_END  *[0-9]* .*Exit status: \([1-9][0-9]*\)$/\1/p' | sort -rn | paste -sd' ')
t_kernel_tells || [ "$ends" != 4 ] || ends='137 4'
t_equal 'outlived: ends' '137 4' "$ends"

# Nothing is preloaded into programs that get rights, nor can be into others: they run, and are no part of it. The summary
# says so, and how often.
t_alone()
{
	"$measure" -q --children=follow -o "$1.twice" sh -c "$starts other $2; $starts other $2" >out 2>&1
	t_wait 30 test ! -e "$1.twice/.parts"
	t_equal "$1: said" "unrecorded  2 programs that were started, but cannot be recorded:
            $2: is $3 (2 times)" "$(grep -A1 '^unrecorded' "$1.twice/summary.txt")"
	"$starts" other "$2" >plain 2>&1
	"$measure" -q --children=follow -o "$1" "$starts" other "$2" >out 2>&1
	cmp -s plain out || t_fail "$1: $(diff plain out)"
	t_equal "$1: groups" '0:starts<- ' "$(groups "$1")"
}
cat >alone.c <<'END'
#include <stdio.h>
#include <stdlib.h>
int main(void) { return printf("%s %s\n", getenv("LD_PRELOAD") ? "preloaded" : "alone", getenv("MEASURE_PART") ? "told" : "not told") < 0; }
END
${CC:-cc} -o alone alone.c || t_fail 'no program'
if [ "$(id -u)" = 0 ] && chown nobody alone 2>/dev/null && chmod 4755 alone; then
	t_alone set-uid "$work/alone" 'set-uid or has capabilities: run a copy without them'
fi
if ${CC:-cc} -static -o still alone.c 2>/dev/null; then
	t_alone static "$work/still" 'linked statically: link it dynamically'
fi
# With all that interrupts, counts, and interposes more.
adapters=+posixio,+memory
! t_left_out_under_asan 'the adapter of memory' 'its allocator has to be the first one' || adapters=+posixio
for way in execvp forked vforked spawned shell pipe; do
	"$measure" -q --children=follow -a $adapters --sample wall:500 -m rusage:ru_minflt,proc:VmRSS \
		-o $way.all "$starts" $way >$way.out 2>&1
	echo "status $?" >>$way.out
	("$starts" $way 2>&1; echo "status $?") | cmp -s - $way.out || t_fail "$way, with all: $(cat $way.out)"
	t_wait 30 test ! -e $way.all/.parts
	t_equal "$way, with all: processes" "$(groups $way.follow | wc -w)" "$(groups $way.all | wc -w)"
	"$MEASURE_CHECK" $way.all >$way.words 2>&1 || t_fail "$way, with all: $(cat $way.words)"
done
t_end
