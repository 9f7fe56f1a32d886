#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Description: the run directory gets its name from the template, and no older run is ever overwritten
. "$(dirname "$0")/../lib.sh"
cd "$work" || exit 1

"$measure" -o run true
"$measure" -o run sh -c :
"$measure" -o run echo >/dev/null
t_equal 'three runs' 'run run.1 run.2' "$(echo run*)"
for run in run run.1 run.2; do
	t_sound "$work/$run"
done
grep -q '^output = run$' run/measure.cfg || t_fail 'measure.cfg: no output'
grep -q '^buffer = [0-9]*[KMG]$' run/measure.cfg || t_fail 'measure.cfg: no effective buffer'

"$measure" true
[ -f measure-true-20*/traces.otf2 ] || t_fail "default name: $(ls)"
"$measure" -o 'a/%p/x%%y' true
[ -f 'a/true/x%y/traces.otf2' ] || t_fail "template: $(find a)"
mkdir empty
"$measure" -o empty true
[ -f empty/traces.otf2 ] || t_fail 'an empty directory is not used'
"$measure" -o "$work/absolute/" true
[ -f absolute/traces.otf2 ] || t_fail 'slash at the end'

# Beside a run that is still going on.
"$measure" -o live "$behave" long >out &
t_wait 20 grep -q ready out
"$measure" -o live true
[ -f live.1/traces.otf2 ] || t_fail "beside a live run: $(ls)"
[ -d live/.parts ] || t_fail 'the live run was moved'
pkill -P $! -x behave
wait
t_sound "$work/live"

# At the same moment.
for i in 1 2 3 4 5 6 7 8; do
	"$measure" -o crowd true &
done
wait
t_equal 'crowd' 8 "$(ls -d crowd*/traces.otf2 | wc -l)"

# A name longer than a socket address.
long=$(printf '%0200d' 7)
"$measure" -o "$long/$long" true
t_sound "$work/$long/$long"

# A relative name, and the program changes directory.
"$measure" -o here sh -c 'cd /; :'
t_sound "$work/here"

# On a file system that has neither symbolic links nor others.
cat >linkless.c <<'C'
#include <errno.h>

int symlinkat(const char *text, int directory, const char *name)
{
	(void)text, (void)directory, (void)name;
	errno = EPERM;
	return -1;
}

int linkat(int from, const char *name, int to, const char *other, int flags)
{
	(void)from, (void)name, (void)to, (void)other, (void)flags;
	errno = EPERM;
	return -1;
}
C
if ${CC:-cc} -shared -fPIC -o linkless.so linkless.c 2>/dev/null; then
	LD_PRELOAD=$work/linkless.so "$measure" -o linkless "$behave" exit 0 2>err
	t_equal 'linkless: words' '' "$(cat err)"
	t_sound "$work/linkless"
fi

# Dry run: nothing is made.
mkdir dry
(cd dry && "$measure" --dry-run "$behave" exit 0) >out || t_fail 'dry run: status'
grep -q '^preload: .*/libmeasure.so' out || t_fail 'dry run: no preload'
t_equal 'dry run' '' "$(ls -A dry)"
t_end
