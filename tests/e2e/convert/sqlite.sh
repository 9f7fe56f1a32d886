#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Description: measure-convert writes a database of SQLite whose counts and sums are those of otf2-print, measure-profile and measure-analyze, whose columns the documentation describes, and which is the same each time
. "$(dirname "$0")/../lib.sh"
convert=$t_build/measure-convert
cd "$work" || exit 1
for tool in python3 otf2-print sqlite3; do
	command -v $tool >/dev/null || t_skip "no $tool"
done
"$convert" --help | grep -q '^ *sqlite ' || t_skip 'measure-convert is built without SQLite'

# written STATUS ARCHIVE [OPTION]...: as out.sqlite, which is sound
written()
{
	rm -f out.sqlite
	"$convert" "$2" --to sqlite "${@:3}" -o out.sqlite >words 2>&1
	t_equal "${*:2}: status" "$1" $?
	python3 "$t_here/tables.py" sound out.sqlite >words 2>&1 || t_fail "${*:2}: $(tail -n 1 words)"
}

# answer STATEMENT: by somebody else's program
answer()
{
	sqlite3 -batch -separator ' ' out.sqlite "$1" || t_fail "sqlite3: $1"
}

# recorded KIND...: records in otf2-print's list
recorded()
{
	awk -v kinds=" $* " 'index(kinds, " " $1 " ") { n++ } END { print n + 0 }' printed
}

# analyzed ARCHIVE: sums are those of the other tools
analyzed()
{
	"$t_build/measure-analyze" --format json "$1" >analysis.json && "$t_build/measure-profile" --format json "$1" >profile.json ||
		t_fail "$1: cannot be analyzed"
	python3 "$t_here/tables.py" analyzed out.sqlite analysis.json profile.json >words 2>&1 || t_fail "$1: $(tail -n 1 words)"
}

generate=$t_build/tests/sync/generate
odd=$t_build/tests/e2e/convert/odd_archive
foreign=$t_build/tests/e2e/programs/foreign_archive
for program in "$generate" "$odd" "$foreign"; do
	[ -x "$program" ] || t_fail "$program is not built"
done

"$generate" --program ring,halo,collectives --ranks 6 --threads 2 --nodes 2 --iterations 20 ring || t_fail 'generate ring'
otf2-print ring/traces.otf2 >printed 2>/dev/null
written 0 ring --calls
t_equal 'integrity' ok "$(answer 'PRAGMA integrity_check')"
t_equal 'calls' "$(recorded ENTER)" "$(answer 'SELECT count(*) FROM calls')"
t_equal 'messages' "$(recorded MPI_RECV MPI_IRECV)" "$(answer 'SELECT count(*) FROM messages')"
t_equal 'members of collectives' "$(grep '^MPI_COLLECTIVE_END' printed | grep -vc 'Sent: 0, Received: 0$')" \
	"$(answer 'SELECT count(*) FROM collective_members WHERE sent + received > 0')"
t_equal 'bytes of messages' "$(awk '$1 ~ /^MPI_I?RECV$/ { sub(/.*Length: /, ""); n += $1 } END { print n + 0 }' printed)" \
	"$(answer 'SELECT sum(bytes) FROM messages')"
t_equal 'bytes of collectives' "$(awk '$1 == "MPI_COLLECTIVE_END" { sub(/.*Sent: /, ""); n += $1 } END { print n + 0 }' printed)" \
	"$(answer 'SELECT sum(sent) FROM collective_members')"
t_equal 'locations' '12 6 2' "$(answer 'SELECT count(*), count(DISTINCT rank), count(DISTINCT host) FROM locations')"
analyzed ring
python3 "$t_here/tables.py" documented out.sqlite "$t_source/doc/convert.md" >words 2>&1 || t_fail "doc/convert.md: $(tail -n 1 words)"

# The same, byte by byte, with any number of threads.
mv out.sqlite one.sqlite
written 0 ring --calls -t 1
cmp -s one.sqlite out.sqlite || t_fail 'ring: differs the second time'
written 0 ring
t_equal 'without --calls' 0 "$(answer 'SELECT count(*) FROM calls')"

# Tasks, windows, files, threads, and clocks that had to be corrected.
"$generate" --program mixed --ranks 4 --threads 3 --iterations 30 --clock offset=200000 mixed || t_fail 'generate mixed'
written 0 mixed --calls
analyzed mixed

# A part: everything lies in it, and what is known of whole runs only is left out.
written 0 ring --calls --from 25% --until 50% --locations 'rank:0-2'
t_equal 'part: locations' '0 1 2' "$(answer "SELECT group_concat(DISTINCT rank) FROM locations" | tr , ' ')"
t_equal 'part: calls outside' 0 "$(answer "SELECT count(*) FROM calls, meta AS a, meta AS b WHERE a.key = 'from_ns' AND b.key = 'until_ns'
	AND (start_ns < CAST(a.value AS INTEGER) OR end_ns > CAST(b.value AS INTEGER))")"
[ "$(answer 'SELECT count(*) > 0 FROM messages')" = 1 ] || t_fail 'part: no messages'
t_equal 'part: delays, efficiencies' '0 0' "$(answer 'SELECT (SELECT count(*) FROM delays), (SELECT count(*) FROM efficiencies)')"

# The example asks ten questions.
written 0 ring
python3 "$t_source/doc/examples/sqlite_tour.py" out.sqlite >answers 2>words || t_fail "sqlite_tour.py: $(tail -n 1 words)"
t_equal 'example: answers' 10 "$(grep -c '^[0-9]*\. .*[?)]$' answers)"
t_equal 'example: empty answers' 0 "$(grep -c '^  nothing$' answers)"
python3 "$t_source/doc/examples/sqlite_tour.py" nothing.sqlite >/dev/null 2>words
t_equal 'example: no file' '1 1' "$? $(t_lines words)"

# Archives of another tool, in several states.
for kind in eztrace apart homeless ticks repeated; do
	"$foreign" $kind foreign.$kind || t_fail "foreign_archive $kind"
	written 0 foreign.$kind --calls
	[ $kind = homeless ] || t_equal "$kind: messages" 20 "$(answer 'SELECT count(*) FROM messages')"
done
written 0 foreign.apart
[ "$(answer 'SELECT count(*) > 0 FROM markers')" = 1 ] || t_fail 'apart: no markers'

# Odd archives; the example copes with them.
for kind in empty one names late; do
	"$odd" odd.$kind $kind || t_fail "odd_archive $kind"
	written 0 odd.$kind --calls
	python3 "$t_source/doc/examples/sqlite_tour.py" out.sqlite >answers 2>words || t_fail "$kind: sqlite_tour.py: $(tail -n 1 words)"
	t_equal "$kind: control characters" 0 "$(LC_ALL=C grep -c '[[:cntrl:]]' answers)"
done
t_equal 'late: the last time' 384307168202283325 "$(answer 'SELECT max(end_ns) FROM calls')"
written 0 odd.names --calls
t_equal 'names' 1 "$(python3 "$t_here/tables.py" true out.sqlite "one('SELECT count(*) FROM regions') == 9 \
	and one('SELECT name FROM regions WHERE id = 0') == 'quote \" and \'quote\'' and one('SELECT name FROM regions WHERE id = 1') == 'two\nlines\r\n, tab\t' \
	and one('SELECT name FROM regions WHERE id = 6') == 'no \ufffd UTF-8' and one('SELECT length(name) FROM regions WHERE id = 8') == 10000" && echo 1)"
t_equal 'values' '-7.0 1.84467440737096e+19 0.333333333333333' \
	"$(answer 'SELECT 1.0 * value FROM metric_values' | tr '\n' ' ' | sed 's/ $//')"

# A rank is missing.
cp -r ring lost
rm lost/traces/4.evt
written 1 lost --calls
[ "$(answer 'SELECT count(*) > 0 FROM calls')" = 1 ] || t_fail 'lost: no calls'

# What cannot be written, and what is there.
"$convert" ring --to sqlite -o no/such/out.sqlite >words 2>&1
t_equal 'no directory' '2 1' "$? $(t_lines words)"
"$convert" ring --to sqlite -o - >words 2>&1
t_equal 'standard output' 2 $?
echo old >out.sqlite
"$convert" ring --to sqlite -o out.sqlite && answer 'SELECT 1' >/dev/null || t_fail 'a file in the place is not replaced'
! ls ./*.part >/dev/null 2>&1 || t_fail "files are left over: $(ls ./*.part)"
t_end
