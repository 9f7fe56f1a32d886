#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Description: measure-convert on hostile names, archives without events, damaged ones, times beyond 2^53 ns; locations and phases that are selected; files that are split, refused or cannot be written; mistakes in options
. "$(dirname "$0")/../lib.sh"
convert=$t_build/measure-convert
fabricate=$t_build/tests/unit/trace/fabricate
for python in /usr/bin/python3 python3; do
	"$python" -c 'import otf2, google.protobuf' 2>"$work/words" && break
	python=
done
[ -n "$python" ] || t_skip 'no otf2 or google.protobuf module of Python'
command -v protoc >/dev/null || t_skip 'no protoc'
command -v dot >/dev/null || t_skip 'no dot of Graphviz'
[ -x "$fabricate" ] || t_skip 'tests/unit/trace/fabricate is not built'
cd "$work" || exit 1
protoc -I "$t_here" --python_out=. perfetto.proto 2>words || t_skip "protoc: $(cat words)"
export PYTHONDONTWRITEBYTECODE=1 PYTHONPATH=$work

# all_of ARCHIVE STATUS OPTION...: each format is well-formed
all_of()
{
	for format in perfetto chrome speedscope folded dot; do
		timeout 60 "$convert" "$1" --to $format -o out.$format "${@:3}" 2>words
		t_equal "$1, $format: status, $(cat words)" "$2" $?
	done
	"$python" "$t_here/converted.py" same out.perfetto out.chrome out.speedscope out.folded 1 >said 2>&1 ||
		t_fail "$1: $(tail -n 2 said)"
	dot -Tsvg out.dot >out.svg 2>words || t_fail "$1: dot: $(cat words)"
	timeout 60 "$convert" "$1" --to dot --graph communication -o out.dot "${@:3}" 2>words
	dot -Tsvg out.dot >out.svg 2>words || t_fail "$1: dot: $(cat words)"
}

# What is no UTF-8 in a name is none of what is written.
"$t_build/tests/e2e/convert/odd_archive" raw names || t_fail 'odd_archive names'
for format in chrome speedscope folded dot; do
	"$convert" raw --to $format -o out.$format 2>words
	t_equal "raw, $format: status, $(cat words)" 0 $?
	iconv -f UTF-8 -t UTF-8 out.$format >out.words || t_fail "raw, $format: no UTF-8"
done

# refused WORDS ARGUMENT...: status 2, one line, and nothing is left over
refused()
{
	rm -rf out && mkdir out
	"$convert" "${@:2}" >said 2>words
	t_equal "${*:2}: status" 2 $?
	t_equal "${*:2}: lines" 1 "$(grep -vc '^Try ' words)"
	grep -qF -- "$1" words || t_fail "${*:2}: no word of '$1': $(cat words)"
	t_equal "${*:2}: left over" '' "$(ls -A out)"
}

"$python" "$t_tests/e2e/profile/odd_archives.py" odd 2>words || t_skip "Python cannot write archives: $(tail -n 1 words)"
"$python" "$t_here/hostile_archive.py" hostile || t_fail 'hostile archive'
for archive in odd/names odd/numbers hostile; do
	all_of $archive 0
done
"$convert" hostile --to perfetto -o out.perfetto && "$python" - "$t_here" <<'END' || t_fail 'names of the hostile archive'
import sys
sys.path.insert(0, sys.argv[1])
import converted, hostile_archive
calls = converted.read_perfetto("out.perfetto").calls
assert [name for _, name in calls[1] if name] == list(hostile_archive.NAMES), calls
assert calls[1][-1][0] == hostile_archive.LAST, calls[1][-1]
END
# Values that are no numbers are in none that a reader would refuse.
"$convert" hostile --to paje -o out.paje 2>words || t_fail "paje: $(cat words)"
grep -qiwE 'nan|-?inf' out.paje && t_fail "paje: $(grep -iwE 'nan|-?inf' out.paje | head -n 1)"
for archive in $("$fabricate" --list 2>/dev/null) sound; do
	rm -rf a
	"$fabricate" "$archive" a || continue
	timeout 60 "$convert" a --to chrome -o out.chrome 2>words
	status=$?
	[ $status -le 2 ] || t_fail "$archive: status $status: $(cat words)"
	[ $status = 2 ] || "$python" "$t_here/converted.py" read out.chrome >said 2>&1 || t_fail "$archive: $(cat said)"
done

# Selections.
"$fabricate" sound sound
refused "--locations: no location is 'nobody'" sound --to folded -o out/x --locations 0,nobody
refused "no location is '7000-8000'" sound --to folded -o out/x --locations 7000-8000
refused "--phase: 'nothing': nothing of this name is called" sound --to folded -o out/x --phase nothing
refused "--phase: 'a#0': give NAME" sound --to folded -o out/x --phase a#0
refused '--locations: no location given' sound --to folded -o out/x --locations ''
refused '--graph: folded has no such option, but these have: dot' sound --to folded -o out/x --graph tasks
refused '--flows: csv has no such option, but these have: perfetto chrome' sound --to csv -o out/x --flows none
for option in '--file-size 1M' '--prune 1%' --flat --calls --align; do
	# shellcheck disable=SC2086 # a word and its value
	refused "${option%% *}: speedscope has no such option" sound --to speedscope -o out/x $option
done
refused '--until is before --from' sound --to folded -o out/x --from 50% --until 20%
refused '--from is after the end of the trace' sound --to folded -o out/x --from 1e6
refused "'x' is neither seconds like 1.5 nor a share" sound --to folded -o out/x --from x
"$convert" odd/phases --phase phase#19999 --to chrome -o out.chrome || t_fail 'phase'
t_equal 'phase: calls, the ones around it too' 20001 "$(grep -c '"ph":"B"' out.chrome)"

# Mistakes, and files that cannot be written.
refused "--to: 'perfeto': unknown format: did you mean perfetto?" sound --to perfeto -o out/x
refused 'no format given' sound -o out/x
refused 'no output given' sound --to folded
refused 'no archive given' --to folded -o out/x
refused '-o -: perfetto is no text' sound --to perfetto -o -
refused 'mutually exclusive' sound --to folded -o out/x --phase a --from 1
refused 'cannot write: No such file or directory' sound --to folded -o out/none/x
refused 'cannot write: No space left on device' sound --to chrome -o /dev/full
refused 'more than' odd/phases --to chrome -o out/x --file-size 64K
refused 'No such file' missing --to folded -o out/x
refused "nothing was written" sound --to folded -o out/x --filter missing
refused 'a device, a directory or a link' sound --to sqlite -o "$work"
refused 'more than' sound --to chrome -o out/x --file-size 1K
refused 'has no tasks' sound --to dot --graph tasks -o out/x
[ -c /dev/full ] || t_fail '/dev/full was replaced'

# A link stays one, and what it names is written to.
echo before >named.folded
ln -s named.folded link.folded
"$convert" sound --to folded -o link.folded || t_fail 'link'
[ -L link.folded ] || t_fail 'link: was replaced'
! grep -q before named.folded || t_fail 'link: what it names was not written'

# Standard output, and a reader that has enough.
"$convert" odd/phases --to chrome -o - | cmp - <("$convert" odd/phases --to chrome -o /dev/stdout) || t_fail '-o -'
"$convert" odd/phases --to chrome -o - 2>words | head -n 1 >said
t_equal 'closed pipe: status, stderr' '0 ' "${PIPESTATUS[0]} $(cat words)"

# A file is there as a whole or not at all; and several of them are the same calls.
echo before >old.folded
"$convert" sound --to folded -o old.folded || t_fail 'existing file'
! grep -q before old.folded || t_fail 'existing file: is not replaced'
"$convert" odd/phases --to perfetto -o whole.perfetto
"$convert" odd/phases --to perfetto -o split.perfetto --file-size 256K 2>words
grep -q 'perfetto: [0-9]* files' words || t_fail "split: $(cat words)"
"$python" "$t_here/converted.py" read split.perfetto* >said 2>&1 || t_fail "split: $(cat said)"
"$python" - "$t_here" whole.perfetto split.perfetto split.perfetto.[0-9]* <<'END' || t_fail 'split: other times'
import collections, sys
sys.path.insert(0, sys.argv[1])
from converted import exclusive_times, read_perfetto
parts = [exclusive_times(read_perfetto(path)) for path in sys.argv[3:]]
assert len(parts) > 2, len(parts)
assert sum(parts, collections.Counter()) == +exclusive_times(read_perfetto(sys.argv[2]))
END
"$convert" --help >said || t_fail '--help'
t_end
