#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Description: measure-report makes sound pages of archives without events, with one event, without MPI, with a rank that is missing, with times beyond 2^53, with names that look like HTML or are no UTF-8, and of a profile; it says in one line what it cannot do, and never replaces what is no page
. "$(dirname "$0")/lib.sh"

# made KIND STATUS: the page of the odd archive
made()
{
	[ -d "$1" ] || "$python" "$t_here/odd_archive.py" "$1" "$1" || t_fail "$1: cannot be made"
	"$report" -o "$1.html" "$1" >out 2>err
	t_equal "$1: status" "$2" $?
	t_equal "$1: lines" 1 "$(wc -l <out)"
}

made empty 0
t_equal 'empty: blocks' '{}' "$(page_says empty.html "timeline['blocks']")"
t_equal 'empty: complete' 'True 0' "$(page_says empty.html "str(timeline['complete']) + ' ' + str(timeline['ticks'])")"
made one 0
t_equal 'one: segments' '[[(0, 1, True)]]' "$(page_says one.html 'run.segments()')"
made plain 0
t_equal 'plain: segments' '[[(0, 1, True), (100, 0, False)], [(10, 1, True), (50, 0, False)]]' "$(page_says plain.html 'run.segments()')"
t_equal 'plain: nothing of MPI' 'critical_path groups path_times pyramid segments' "$(page_says plain.html "' '.join(sorted(run.ids))")"

# A page tick is 64 ticks; what has less than 2^52 of them stays exact.
made long 0
t_equal 'long: tick' '6 2251799813685248' "$(page_says long.html "str(timeline['shift']) + ' ' + str(timeline['ticks'])")"
t_equal 'long: segments' "[[(0, 1, True), (2251799813685248, 0, False)], [(16384, 1, True), (140737488355520, 2, True), (1125899906842623, 1, False), (1125899906842625, 0, False)]]" "$(page_says long.html 'run.segments()')"

made names 0
t_equal 'names: regions' '</script><script>document.title = "run"</script>' "$(page_says names.html "timeline['regions'][0]['name']")"
t_equal 'names: all' True "$(page_says names.html "[r['name'] for r in timeline['regions'][:6]] == [name if name != 'bytes XYZ' else 'bytes ' + 2 * chr(0xfffd) + '(' for name in __import__('odd_archive').NAMES]")"
t_equal 'names: scripts' 0 "$(grep -o '<script>' names.html | wc -l)"
t_equal 'names: title' '</title>' "$("$report" --title '</title>' -o title.html plain >out && page_says title.html "page.header['title']")"

# A rank whose file is missing, one whose file is cut in half.
"$t_build/tests/sync/generate" --program halo,collectives --ranks 4 --missing 1 missing || t_fail 'generate'
made missing 1
t_equal 'missing: events' 'True' "$(page_says missing.html "[l['events'] > 0 for l in timeline['locations']] == [True, True, True, False]")"
"$t_build/tests/sync/generate" --program halo,collectives --ranks 4 --truncated 1 truncated || t_fail 'generate'
made truncated 1
t_equal 'truncated: complete' 'True' "$(page_says truncated.html "timeline['complete'] and all(l['events'] > 0 for l in timeline['locations'])")"

# An archive of a profile.
"$t_build/tests/sync/generate" --program halo --ranks 2 whole && "$t_build/measure-profile" --save profile whole || t_fail 'profile'
made profile 0
t_equal 'profile' 'None None True' "$(page_says profile.html "f\"{timeline} {run.analysis} {run.profile['events'] > 0}\"")"

# What is there already.
echo mine >mine.html
"$report" -o mine.html plain >out 2>err
t_equal 'mine.html: status' 2 $?
t_equal 'mine.html' 'mine' "$(cat mine.html)"
t_equal 'mine.html: message' 'measure-report: mine.html: exists already and is no report; choose a new name (-o)' "$(cat err)"
"$report" plain >out 2>err && "$report" plain >out 2>err
t_equal 'plain.html, twice: status' 0 $?
t_equal 'plain.html: mode' "$(touch other && stat -c %a other)" "$(stat -c %a plain.html)"
"$report" -o nowhere/page.html plain >out 2>err
t_equal 'nowhere: status' 2 $?
t_equal 'nowhere: lines' 1 "$(wc -l <err)"
"$report" -o new.html nothing >out 2>err
t_equal 'nothing: status' 2 $?
t_equal 'left behind' '' "$(ls new.html* 2>/dev/null)"

# Without a template.
MEASURE_DATADIR=$work/none "$report" -o new.html plain >out 2>err
t_equal 'no template: status' 2 $?
t_equal 'no template: lines' 1 "$(grep -c 'this build has no page' err)"
echo nothing >template/report-page.html
"$report" -o new.html plain >out 2>err
t_equal 'no place: status' 2 $?
t_equal 'no place: nothing is written' '' "$(ls new.html* 2>/dev/null)"
[ $t_failures -eq 0 ]
