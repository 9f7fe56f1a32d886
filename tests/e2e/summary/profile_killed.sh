#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Description: measure-profile may crash, be killed or be absent: the archive is sound, the program's exit status is its own, measure says so in one line, and the summary can be made later, also of a copy
. "$(dirname "$0")/../lib.sh"
cd "$work" || exit 1
export MEASURE_QUIET=no

cat >work.c <<'C'
#include <stdlib.h>
static volatile int sink;
__attribute__((noinline)) static void tiny(int n) { sink += n; }
int main(int argc, char **argv)
{
	int nr = argc > 1 ? atoi(argv[1]) : 0;

	for (int i = 0; i < nr; i++)
		tiny(i);
	return 3;
}
C
${CC:-cc} -O1 -g -finstrument-functions -o work work.c || t_skip 'no compiler'

# A measure of its own, with another measure-profile beside it.
mkdir tools
cp "$measure" "$t_build/measure-repair" tools
MEASURE_LIBDIR=$(cd "$t_build/.libs" && pwd)
export MEASURE_LIBDIR

# fails NAME WORDS: a run with what stands in tools/measure-profile; WORDS (of grep) say what was wrong with it
fails()
{
	tools/measure -o "$1" ./work 1000 >out 2>err
	t_equal "$1: status" 3 $?
	t_equal "$1: stdout" '' "$(cat out)"
	t_sound "$work/$1"
	t_equal "$1: lines" 2 "$(t_lines err)"
	t_equal "$1: recorded" "measure: recorded 2,004 events of 1 process ($(sed -n '1s/.*(\(.*\)).*/\1/p' err)) in $1/traces.otf2" \
		"$(sed -n 1p err)"
	sed -n 2p err | grep -q "^measure: $1: the archive is complete, but has no summary: $2; to make one, run: measure-profile --write $1\$" ||
		t_fail "$1: $(cat err)"
	[ ! -e "$1/summary.txt" ] && [ ! -e "$1/suggested.filter" ] || t_fail "$1: a summary nevertheless"
	t_equal "$1: files" 'measure.cfg traces traces.def traces.otf2' "$(ls -A "$1" | tr '\n' ' ' | sed 's/ $//')"
}

# profile SCRIPT
profile()
{
	printf '#!/bin/sh\n%s\n' "$1" >tools/measure-profile
	chmod +x tools/measure-profile
}

profile 'kill -9 $$'
fails killed 'measure-profile was killed by signal 9 (.*)'
profile 'kill -SEGV $$'
fails crashed 'measure-profile was killed by signal 11 (.*)'
profile 'echo half a line; echo "measure-profile: no, thanks" >&2; exit 2'
fails refused 'half a line'
profile 'exit 2'
fails silent 'measure-profile ended with status 2'
rm tools/measure-profile
tools/measure -o absent ./work 1000 >out 2>err
t_equal 'absent: status' 3 $?
t_sound "$work/absent"

# A repair as well.
cp "$t_build/measure-profile" tools
profile='kill -9 $$'
printf '#!/bin/sh\n%s\n' "$profile" >tools/measure-profile
rm -rf whole && "$measure" -q -o whole ./work 1000
cp -r whole without && rm without/summary.txt
tools/measure-repair without >said 2>&1
t_equal 'repair: status' 0 $?
grep -q 'already exists' said && grep -q 'has no summary: measure-profile was killed by signal 9' said || t_fail "repair: $(cat said)"
"$t_build/measure-repair" without >said 2>&1
sed 's,without/,whole/,' without/summary.txt | diff - whole/summary.txt || t_fail 'repair: another summary'

# Later, and of a copy elsewhere: the same summary as at once, printed or written.
"$t_build/measure-profile" --write killed >said || t_fail "later: ended with $?"
t_equal 'later: what next' 'next: measure-profile killed; for 99 % fewer events: measure --filter=killed/suggested.filter ...' "$(tail -n 1 said)"
"$t_build/measure-profile" --summary killed | diff - killed/summary.txt || t_fail 'later: printed and written differ'
mkdir elsewhere
cp -r whole elsewhere/whole
rm elsewhere/whole/summary.txt elsewhere/whole/suggested.filter
"$t_build/measure-profile" --write elsewhere/whole/traces.otf2 >said || t_fail "copy: ended with $?"
diff whole/summary.txt elsewhere/whole/summary.txt || t_fail 'copy: another summary'
diff whole/suggested.filter elsewhere/whole/suggested.filter || t_fail 'copy: another filter'

# The real one, killed at work: until that has been in time twice.
cp "$t_build/measure-profile" tools/measure-profile
nr_killed=0
for turn in $(seq 20); do
	[ $nr_killed -lt 2 ] || break
	rm -rf large
	MEASURE_OVERHEAD=off tools/measure -o large ./work 1000000 >out 2>err &
	wrapper=$!
	until victims=$(pgrep -f "^measure-profile --write -- $work/large") || ! kill -0 $wrapper 2>/dev/null; do
		sleep 0.01
	done
	[ -n "$victims" ] && kill -9 $victims 2>/dev/null
	wait $wrapper
	t_equal "large $turn: status" 3 $?
	"$MEASURE_CHECK" --quiet large || t_fail "large $turn: not sound"
	[ ! -e large/summary.txt ] || grep -q '^  measure-check checks it' large/summary.txt || t_fail 'large: half a summary'
	[ -e large/summary.txt ] || grep -q 'has no summary: ' err || t_fail "large: $(cat err)"
	! grep -q 'has no summary: ' err || nr_killed=$((nr_killed + 1))
done
echo "killed $nr_killed times at work"
[ $nr_killed -gt 0 ] || t_fail 'was never killed at work'

# The keeper, killed while measure-profile works: another one does it again.
profile 'while [ ! -e '"$work"'/go-on ]; do sleep 0.05; done; exec '"$t_build"'/measure-profile "$@"'
tools/measure -o again ./work 1000 >out 2>err &
wrapper=$!
t_wait 20 test -e again/traces.otf2
t_wait 20 pgrep -f "tools/measure-profile --write -- $work/again"
kill -9 "$(t_keeper $wrapper)"
: >go-on
wait $wrapper
t_equal 'again: status' 3 $?
t_wait 30 test ! -e again/.parts
t_sound "$work/again"
t_wait 10 test -e again/summary.txt

# What cannot be read, and wrong use.
for arguments in '' 'nowhere' 'whole killed' '--wriet whole' '--write --properties whole'; do
	"$t_build/measure-profile" $arguments >out 2>err
	t_equal "'$arguments': status" 2 $?
	t_equal "'$arguments': lines" '0 1' "$(t_lines out) $(grep -c '^measure-profile: ' err)"
done
head -c 100 whole/traces.def >cut && cp -r whole damaged && cp cut damaged/traces.def
"$t_build/measure-profile" damaged >out 2>err
t_equal 'damaged definitions: status' 2 $?
cp -r whole shorter && for file in shorter/traces/*.evt; do head -c 3000 "$file" >cut && cp cut "$file"; done
"$t_build/measure-profile" --summary shorter >out 2>err
t_equal 'damaged events: status' 1 $?
grep -q '^Records' out || t_fail 'damaged events: nothing is counted'
t_end
