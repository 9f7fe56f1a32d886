#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Description: where an archive is too large for its page, the most important messages, waits and collectives are in it, and it says how many of how many; two runs are compared as by measure-compare; clocks that disagree are corrected, and shown
. "$(dirname "$0")/lib.sh"
generate=$t_build/tests/sync/generate
"$generate" --program halo,collectives,ring --ranks 16 --nodes 4 --events 400000 large || t_fail 'generate'
"$report" -o all.html --size 200 large >all.out || t_fail "all: $?"
"$report" -o some.html --size 1 large >some.out || t_fail "some: $?"
t_equal 'all: said' '' "$(grep shows all.out)"
grep -q 'some.html: .*; shows [0-9,]* of [0-9,]* .*messages.* intervals of [0-9.]* [num]*s instead of single calls$' some.out || t_fail "said: $(cat some.out)"
[ "$(stat -c %s some.html)" -le 1100000 ] || t_fail "some.html: $(stat -c %s some.html) bytes"
"$python" - "$t_here" <<'END' || t_fail 'shares'
import collections, sys
sys.path.insert(0, sys.argv[1])
from page import Page

whole, part = (Page(f'{name}.html').runs[0] for name in ('all', 'some'))
assert whole.timeline['complete'] and not part.timeline['complete'] and part.timeline['note']
assert 'segments' not in part.ids
for name, rank in (('messages', lambda m: (m.waiting, m.bytes)), ('waits', lambda w: w.ticks),
                   ('collectives', lambda c: sum(m.waiting for m in c.members))):
    things, shown, block = getattr(whole, name)(), getattr(part, name)(), part.timeline['blocks'][name]
    assert block['total'] == len(things) == whole.timeline['blocks'][name]['total'], name
    assert block['shown'] == len(shown) and 0 < len(shown), name
    assert name != 'messages' or len(shown) < len(things)
    if name == 'collectives':
        continue
    left = collections.Counter(things)
    left.subtract(shown)
    assert min(left.values()) == 0, f'{name}: one that is not among all'
    assert not +left or min(map(rank, shown)) >= max(map(rank, +left)), f'{name}: not the first ones'
# The pyramid without its finest levels.
for fine, coarse in zip(whole.pyramid(), part.pyramid()):
    assert fine[-len(coarse):] == coarse and len(coarse) > 4
END

# Two runs.
"$generate" --program halo --ranks 4 --work 20000 before && "$generate" --program halo --ranks 4 --work 30000 after || t_fail 'generate'
"$report" --title 'then and now' -o two.html before after >out || t_fail "two: $?"
"$t_build/measure-compare" --format json before after >comparison.json
t_equal 'two: names' 'then and now: before, after' "$(page_says two.html "page.header['title'] + ': ' + ', '.join(run.header['name'] for run in page.runs)")"
t_equal 'two: comparison' True "$(page_says two.html "page.comparison == __import__('json').load(open('comparison.json'))")"
for run in before after; do
	"$report" -o $run.html $run >out || t_fail "$run: $?"
done
t_equal 'two: as each alone' True "$(page_says two.html "all(run.messages() == Page(f'{name}.html').runs[0].messages() and run.segments() == Page(f'{name}.html').runs[0].segments() for run, name in zip(page.runs, ('before', 'after')))")"
# Clocks that disagree, and were not measured; clocks that were.
"$generate" --program halo,ring --ranks 4 --iterations 40 --nodes 0 --clock offset=500,drift=20 wrong || t_fail 'generate'
"$report" -o wrong.html wrong >out || t_fail "wrong: $?"
t_equal 'wrong: clocks' 'True True 0' "$(page_says wrong.html "' '.join(map(str, (run.header['clocks']['is_corrected'], run.header['clocks']['violations_before'] > 0, run.header['clocks']['violations_after'])))")"
t_equal 'wrong: messages' True "$(page_says wrong.html "all(m.receive > m.send for m in run.messages()) and len(run.messages()) > 100")"
"$report" --sync none -o left.html wrong >out || t_fail "left: $?"
t_equal 'left: messages' True "$(page_says left.html "run.header['clocks']['violations_after'] > 0 and any(m.receive < m.send for m in run.messages())")"
"$generate" --program halo,ring --ranks 4 --iterations 40 --nodes 0 --clock offset=500,drift=20 --samples ends --first-right 1 measured || t_fail 'generate'
"$report" -o measured.html measured >out || t_fail "measured: $?"
offsets=$(otf2-print -C measured/traces.otf2 2>/dev/null | awk '$1 == "CLOCK_OFFSET" { sub(/,/, "", $6); print $2, $6 + 0 }')
t_equal 'measured: offsets' "$offsets" "$(page_says measured.html "'\n'.join(f'{i} {round(point[1] * 1e9)}' for i, host in enumerate(run.header['clocks']['hosts']) for point in host['points'])")"
t_equal 'measured: drift' True "$(page_says measured.html "all(abs(h['drift'] - (h['points'][-1][1] - h['offset_s']) / (h['points'][-1][0] - h['points'][0][0]) * 1e9) < 2e-5 for h in run.header['clocks']['hosts'])")"
[ $t_failures -eq 0 ]
