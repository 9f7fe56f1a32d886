#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Description: without what its keeper has written, a run with --profile or --keep is repaired all the same, with the same profile: the states of the folds tell what a chunk is and what is kept
. "$(dirname "$0")/../lib.sh"
repair=$t_build/measure-repair
profile=$t_build/measure-profile
cd "$work" || exit 1
${CC:-cc} -g -O1 -finstrument-functions -o faults "$t_programs/counting_threads.c" -lpthread 2>/dev/null || t_skip 'no compiler'

# A chunk of each thread was folded at least.
has_folded()
{
	[ "$(find "$1/.parts" -name '*.fold' -size +0 | wc -l)" = 2 ] && [ "$(od -A n -t u8 -j 16 -N 8 "$1"/.parts/*/0.fold)" -gt 20000 ]
}

# killed NAME OPTION...: a run whose keeper was killed with everything else
killed()
{
	rm -f counts
	setsid "$measure" --chunk 256K "${@:2}" -o "$1" ./faults long counts >out 2>err &
	wrapper=$!
	t_wait 20 has_folded "$1" || { t_fail "$1: nothing is folded: $(cat err; ls -l "$1"/.parts/*)"; t_end; }
	keeper=$(t_keeper "$wrapper")
	kill -9 "$(t_guard "$wrapper")" "$wrapper" "$keeper" "$(pgrep -P "$wrapper" -x faults)"
	wait "$wrapper" 2>/dev/null
	t_wait 20 eval '! kill -0 $keeper 2>/dev/null'
}

# calls ARCHIVE: how often each function was called
calls()
{
	"$profile" --format json "$1" 2>words | sed -n 's/.*"name": "\([^"]*\)".*"visits": \([0-9]*\).*/\1 \2/p' | sort
}

for option in --profile --keep=512K; do
	name=run$option
	killed "$name" $option
	cp -r "$name" whole
	"$repair" -q whole
	t_equal "$option: status" 1 $?
	t_sound "$work/whole"
	calls whole >expected
	grep -q '^step_1 [0-9]\{4\}' expected || t_fail "$option: $(cat expected)"
	for how in truncate remove; do
		cp -r "$name" lost
		journal=$(echo lost/.parts/*/keeper)
		if [ $how = remove ]; then rm "$journal"; else : >"$journal"; fi
		"$repair" lost >said 2>&1
		t_equal "$option, $how: status" 1 $?
		[ -e lost/traces.otf2 ] || { t_fail "$option, $how: $(cat said)"; rm -rf lost; continue; }
		t_sound "$work/lost"
		calls lost | cmp -s - expected || t_fail "$option, $how: other calls: $(calls lost | diff - expected)"
		t_equal "$option, $how: event files" "$(cat whole/traces/*.evt | wc -c)" "$(cat lost/traces/*.evt | wc -c)"
		grep -q 'damaged parts, kept in part: 1' lost/summary.txt || t_fail "$option, $how: nobody says so: $(cat said lost/summary.txt)"
		rm -rf lost
	done
	echo "$option: $(tr '\n' ' ' <expected)"
	rm -rf whole
done
t_end
