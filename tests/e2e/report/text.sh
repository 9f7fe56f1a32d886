#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Description: measure-report --text prints one screen with the numbers of measure-profile and measure-analyze, in the characters that the locale has, and nothing that the run does not have
. "$(dirname "$0")/lib.sh"
generate=$t_build/tests/sync/generate
"$generate" --program mixed --ranks 4 --threads 2 --nodes 2 --iterations 20 mixed || t_fail 'generate'

# text NAME LOCALE: into the file text
text()
{
	LC_ALL=$2 "$report" --sync none --text "$1" >text 2>words || t_fail "$1: status $?: $(cat words)"
	[ "$(wc -l <text)" -le 65 ] || t_fail "$1: $(wc -l <text) lines"
	LC_ALL=C.UTF-8 "$python" -c "print(*[line for line in open(\"text\") if len(line) > 81], sep=\"\")" >long
	t_equal "$1: lines of more than 80 columns" "" "$(cat long)"
	! grep -q "$(printf '\033')" text || t_fail "$1: escape sequences in a file"
}

text mixed C
! LC_ALL=C grep -q '[^ -~]' text || t_fail 'C: other characters than ASCII'
grep -q '^Rank 0 .*[#mwo]\{20\}' text || grep -q '^[^ ].* [#mwot.-]\{40,64\}$' text || t_fail "no time line: $(head -n 8 text)"
"$t_build/measure-profile" --format json mixed >profile.json
"$t_build/measure-analyze" --sync none --format json mixed >analysis.json
"$python" - <<'END' || t_fail 'other numbers'
import json
import re

text = open('text').read()
profile, analysis = json.load(open('profile.json')), json.load(open('analysis.json'))
found = lambda pattern: [int(word.replace(',', '')) for word in re.search(pattern, text).groups()]
assert found(r'messages +([\d,]+), ') == [sum(row['count'] for row in profile['messages'])], 'messages'
assert found(r'collectives +([\d,]+) calls') == [sum(row['calls'] for row in profile['collectives'])], 'collectives'
assert found(r'([\d,]+) events') == [profile['events']], 'events'
factors = [float(word) for word in re.search(
    r'efficiency ([\d.]+) % = balance ([\d.]+) % x serialisation ([\d.]+) % x transfer ([\d.]+) %', text).groups()]
names = 'parallel_efficiency', 'load_balance', 'serialisation_efficiency', 'transfer_efficiency'
assert all(abs(found - 100 * analysis['efficiency'][name]) < 0.051 for found, name in zip(factors, names)), factors
assert 'wait state' in text and 'critical path' in text
END

text mixed C.UTF-8
grep -q '[█▒▓░]' text || t_fail 'UTF-8: no blocks'

# Only what is there; names of any bytes.
for kind in plain one empty names; do
	"$python" "$t_here/odd_archive.py" $kind $kind || t_fail "$kind: cannot be made"
	text $kind C.UTF-8
	grep -q 'messages\|collectives\|wait state\|clocks\|files  \|memory  ' text && t_fail "$kind: says what is not there: $(cat text)"
done

# What a thread did, in characters: a from 0 to 50 %, then nothing.
"$python" - <<'END' || t_fail 'halves'
import otf2
with otf2.writer.open('halves', timer_resolution=10 ** 9) as trace:
    root = trace.definitions.system_tree_node('node')
    group = trace.definitions.location_group('half', system_tree_parent=root)
    region = trace.definitions.region('a', source_file='x')
    writer = trace.event_writer('thread', group=group)
    for time in (0, 500000), (999000, 1000000):
        writer.enter(1000 + time[0], region)
        writer.leave(1000 + time[1], region)
END
text halves C
grep -q '^half  *#\{32\}-\{32\}$' text || grep -q '^half  *#\{31,33\}-\{31,33\}$' text || t_fail "halves: $(grep ^half text)"

# An archive of a profile has no time line.
"$t_build/measure-profile" --save saved mixed && text saved C
grep -q 'most of the time' text && t_fail 'profile: a time line'
grep -q 'function (measure-profile)' text || t_fail 'profile: no functions'
t_end
