#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Description: pictures of measure-report show what is in the archive: in time lines the share of each function in each pixel column, and exactly the messages of the window; all charts are sound files in the size asked for, also with names that look like XML, with one event and with none
. "$(dirname "$0")/lib.sh"
"$report" --png x.png --chart timeline nothing 2>words
! grep -q 'no pictures' words || t_skip 'measure-report draws no pictures: no cairo'
inks=$t_source/lib/picture/inks.def

# draw OPTION...: exit status 0
draw()
{
	"$report" --sync none "$@" >words 2>&1 || t_fail "$*: status $?: $(cat words)"
}

# compared NAME OPTION... -- [FROM UNTIL]: the time line of archive NAME with its records
compared()
{
	name=$1
	shift
	options=()
	while [ "$1" != -- ]; do
		options+=("$1")
		shift
	done
	shift
	draw --svg "$name.svg" "${options[@]}" "$name"
	"$python" "$t_here/picture_truth.py" "$name.svg" "$name/traces.otf2" "$inks" "$@" >said 2>&1 ||
		t_fail "$name ${options[*]}: $(head -n 12 said)"
	echo "$name ${options[*]}: $(tail -n 1 said)"
}

# said WHAT: the last one that compared() has drawn had so many
said()
{
	grep -q "$1" said || t_fail "expected '$1', found $(tail -n 1 said)"
}

for seed in 1 2 3; do
	rm -rf few
	"$python" "$t_here/picture_archive.py" $seed $((1 + seed)) 40 few 2>words || t_skip "Python cannot write archives: $(tail -n 1 words)"
	compared few --
	said ' 40 messages'
	compared few --width 501 --
	compared few --from 0.001 --until 0.0012 -- 1000000 1200000
	compared few --from 0.002000 --until 0.002003s -- 2000000 2003000
done
"$python" "$t_here/picture_archive.py" 9 2 2003 many
compared many --
said ' 0 messages'
grep -q '2,003 messages are not drawn' words || t_fail "not said: $(cat words)"
compared many --from 0 --until 0.0029 -- 0 2900000
said ' 1[0-9]* messages'

# Calls of a region as the window.
draw --svg phase.svg --phase 'function 3#2' few
draw --svg phases.svg --phase 'function 3#2-3' few
cmp -s phase.svg phases.svg && t_fail '--phase: the same picture'
"$report" --svg phase.svg --phase 'function 3#9999' few 2>words
t_equal 'phase: status' 2 $?
grep -q 'not found' words || t_fail "phase: $(cat words)"

# size_of FILE: of a picture, by its own words; the file is what it should be
size_of()
{
	"$python" - "$1" <<-'END'
	import re, struct, sys, xml.etree.ElementTree
	with open(sys.argv[1], 'rb') as file:
	    data = file.read()
	if sys.argv[1].endswith('.png'):
	    assert data[:8] == b'\x89PNG\r\n\x1a\n' and data[-8:-4] == b'IEND'
	    print('%dx%d' % struct.unpack('>II', data[16:24]))
	elif sys.argv[1].endswith('.pdf'):
	    assert data[:5] == b'%PDF-' and data.rstrip().endswith(b'%%EOF')
	    print('x'.join(re.search(rb'/MediaBox\s*\[\s*0 0 (\d+) (\d+)', data).group(i).decode() for i in (1, 2)))
	else:
	    root = xml.etree.ElementTree.fromstring(data)
	    assert not any('script' in element.tag for element in root.iter())
	    print('x'.join(root.attrib[side].removesuffix('px') for side in ('width', 'height')))
	END
}

# All charts of an archive that has all but phases, clocks and files.
"$t_build/tests/sync/generate" --program mixed --ranks 4 --threads 2 --nodes 2 --iterations 20 mixed || t_fail 'generate'
for chart in $("$report" --chart list | cut -d ' ' -f 1); do
	if "$report" --chart $chart --png $chart.png --svg $chart.svg --pdf $chart.pdf --width 640 --height 480 mixed 2>words; then
		drawn="${drawn-} $chart"
		for format in png svg pdf; do
			t_equal "$chart.$format" 640x480 "$(size_of $chart.$format)"
		done
		draw --chart $chart --svg dark.svg --width 640 --height 480 --dark mixed
		cmp -s $chart.svg dark.svg && t_fail "$chart: --dark is the same"
		draw --chart $chart --svg small.svg --width 100 --height 100 mixed
		t_equal "$chart: small" 100x100 "$(size_of small.svg)"
	else
		t_equal "$chart: message" "measure-report: mixed: has nothing that --chart=$chart can show" "$(cat words)"
		[ ! -e $chart.svg ] || t_fail "$chart: there is a file"
	fi
done
for chart in timeline profile balance regions efficiencies waits critical-path matrix sizes collectives; do
	case " $drawn " in
	*" $chart "*) ;;
	*) t_fail "not drawn: $chart" ;;
	esac
done
draw --svg - mixed
t_equal 'standard output' '<?xml' "$(head -c 5 words)"

# Odd archives: names, no events, one.
for kind in names one long plain empty; do
	"$python" "$t_here/odd_archive.py" $kind $kind || t_fail "$kind: cannot be made"
done
for kind in names one long plain; do
	charts='timeline profile regions critical-path'
	[ $kind != one ] || charts=timeline
	for chart in $charts; do
		draw --chart $chart --svg odd.svg --png odd.png --pdf odd.pdf $kind
		size_of odd.svg >/dev/null && size_of odd.png >/dev/null && size_of odd.pdf >/dev/null || t_fail "$kind: $chart"
	done
done
"$report" --svg empty.svg empty 2>words
t_equal 'empty: status' 2 $?
t_equal 'empty: message' 'measure-report: empty: has nothing that --chart=timeline can show' "$(cat words)"

# An archive of a profile has charts, but no time line.
"$t_build/measure-profile" --save saved mixed || t_fail 'profile'
draw --chart profile --svg saved.svg saved
"$report" --svg saved.svg saved 2>words
t_equal 'saved: status' 2 $?

# Mistakes. refused MESSAGE OPTION...
refused()
{
	message=$1
	shift
	"$report" "$@" >out 2>words
	t_equal "$*: status" 2 $?
	grep -q -- "$message" words || t_fail "$*: $(cat words)"
	[ ! -e wrong.svg ] || t_fail "$*: there is a file"
}
refused 'nothing of the run' --svg wrong.svg --from 1000 few
refused '--until is before --from' --svg wrong.svg --from 60% --until 40% few
refused 'neither seconds' --svg wrong.svg --from 5ms few
refused 'nor a share' --svg wrong.svg --until 140% few
for calls in 'function 3#0' 'function 3#3-2' 'function 3#2-' 'function 3#2x' '#2' ''; do
	refused 'give NAME' --svg wrong.svg --phase "$calls" few
done
refused 'nothing of this name' --svg wrong.svg --phase 'function 3#' few
refused 'two outputs' --svg - --png - few
refused 'two outputs' --svg - --text few
refused 'two outputs' --svg - -o page.html few
refused 'two outputs' --svg wrong.svg --pdf wrong.svg few
refused 'give its name' -o - few
refused 'for the page' --svg wrong.svg --title x few
refused 'for the page' --text --size 5 few
refused '--width' --svg wrong.svg --width 5 few
refused '--chart' --svg wrong.svg --chart profil few
refused 'need --png' --chart profile few
refused 'one archive' --svg wrong.svg few many
refused '--chart=timeline' --svg wrong.svg --chart profile --from 1% few
refused 'Is a directory' --svg few few
# before a long time of reading, which would fail here
refused 'cannot create' --svg nowhere/wrong.svg missing
t_end
