// SPDX-License-Identifier: BSD-3-Clause
// Where locations waited, for whom, and which delays were the cause.
import { locationNames } from '../data/location_names.js';
import { pathNames } from '../data/path_tree.js';
import { h } from '../dom.js';
import { nanoseconds, percent } from '../format.js';
import { choice } from '../state.js';
import { countColumn, locationColumn, pathColumn, shareColumn, timeColumn } from '../ui/columns.js';
import { choiceControl, toolbar } from '../ui/controls.js';
import { facts, note } from '../ui/elements.js';
import { jumpLink, timelineLocation } from '../ui/jump.js';
import { createTable } from '../ui/table.js';

// Sums rows that have the same key; the worst instance is kept.
function sumBy(rows, keyOf) {
	const sums = new Map();
	for (const row of rows) {
		const key = keyOf(row);
		const sum = sums.get(key);
		if (!sum) {
			sums.set(key, { ...row, locations: new Set([row.location]) });
			continue;
		}
		for (const name of ['time_ns', 'instances', 'direct_ns', 'indirect_ns', 'propagating_ns', 'terminal_ns'])
			sum[name] = (sum[name] ?? 0) + (row[name] ?? 0);
		if (row.worst && (!sum.worst || row.worst.time_ns > sum.worst.time_ns)) {
			sum.worst = row.worst;
			sum.location = row.location;
		}
		sum.locations.add(row.location);
	}
	return [...sums.values()];
}

// A link to the longest wait of a row.
function worstLink(run, state, { worst, location }) {
	if (!worst)
		return '';
	return jumpLink(state, run, {
		fromNs: worst.enter_ns, untilNs: worst.until_ns, location: timelineLocation(run, location),
	}, nanoseconds(worst.time_ns));
}

function waitColumns(run, state, titles, total, by) {
	const { analysis } = run;
	const names = locationNames(run);
	const place = by === 'location'
		? locationColumn('location', 'Location', names)
		: { key: 'locations', title: 'Locations', value: (row) => row.locations.size, isNumber: true };
	return [
		{ key: 'pattern', title: 'Wait state', value: (row) => titles.get(row.pattern) ?? row.pattern },
		by !== 'pattern' && pathColumn('Call path', (row) => pathNames(analysis.paths, row.path)),
		place,
		timeColumn('time_ns', 'Waiting', { share: (row) => row.time_ns / total }),
		shareColumn('time_ns', analysis.all_locations_ns, { hint: 'of the time of all locations' }),
		countColumn('instances', 'Calls'),
		{ key: 'worst', title: 'Longest', value: (row) => row.worst?.time_ns ?? 0, isNumber: true,
			text: (row) => worstLink(run, state, row), hint: 'opens the time line there' },
		locationColumn('cause', 'Longest was for', names, (row) => row.worst?.cause),
		timeColumn('indirect_ns', 'Indirect', { hint: 'part that is waiting for somebody who waited' }),
		timeColumn('propagating_ns', 'Propagating', { hint: 'part that made others wait' }),
	].filter(Boolean);
}

const GROUPINGS = {
	path: (row) => `${row.pattern} ${row.path}`,
	pattern: (row) => row.pattern,
	location: (row) => `${row.pattern} ${row.path} ${row.location}`,
};

function waitTable(run, state) {
	const { analysis } = run;
	const titles = new Map(analysis.patterns.map(({ pattern, title }) => [pattern, title]));
	const counts = new Map(analysis.patterns.map(({ pattern, counts: how }) => [pattern, how]));
	const isAdded = (pattern) => (counts.get(pattern) ?? 'added') === 'added';
	const added = analysis.waits.filter(({ pattern, time_ns: ns }) => ns > 0 && isAdded(pattern));
	const by = state.get('waits.by');
	const rows = sumBy(added, GROUPINGS[by]);
	const total = rows.reduce((most, row) => Math.max(most, row.time_ns), 1);
	return createTable({ id: 'waits', caption: 'Wait states', rows, state, sort: '-time_ns',
		columns: waitColumns(run, state, titles, total, by) });
}

// Delays: the root causes, by call path or by location.
function delayTable(run, state) {
	const { delays, delay_total_ns: total, paths } = run.analysis;
	const names = locationNames(run);
	if (!(delays?.length > 0))
		return [];
	const sums = new Map();
	for (const { path, location, short_term_ns: direct, long_term_ns: indirect } of delays) {
		const sum = sums.get(path) ?? { path, direct: 0, indirect: 0, cost: 0, by: new Map() };
		sum.direct += direct;
		sum.indirect += indirect;
		sum.cost += direct + indirect;
		sum.by.set(location, (sum.by.get(location) ?? 0) + direct + indirect);
		sums.set(path, sum);
	}
	const rows = [...sums.values()].filter(({ cost }) => cost > 0);
	for (const row of rows)
		[row.most, row.mostCost] = [...row.by].reduce((a, b) => (b[1] > a[1] ? b : a));
	return [h('h3', null, 'Causes: delays that made others wait'), createTable({
		id: 'delays', caption: 'Delays that made others wait', rows, state, sort: '-cost', nrFirst: 20,
		columns: [
			pathColumn('Call path', (row) => pathNames(paths, row.path), 56),
			timeColumn('cost', 'Cost', { share: (row) => row.cost / (total || 1), hint: 'waiting of others' }),
			shareColumn('cost', total), timeColumn('direct', 'Direct'),
			timeColumn('indirect', 'Indirect', { hint: 'those it delayed delayed others' }),
			{ key: 'most', title: 'Mostly on', value: (row) => row.most,
				text: (row) => `${names[row.most]} (${percent(row.mostCost / row.cost)})` },
		],
	})];
}

function longestTable(run, state) {
	const { longest, paths, patterns } = run.analysis;
	const names = locationNames(run);
	if (!(longest?.length > 0))
		return [];
	const titles = new Map(patterns.map(({ pattern, title }) => [pattern, title]));
	return [h('h3', null, 'Longest waits'), createTable({
		id: 'longest', caption: 'Longest waits', rows: longest, state, sort: '-time_ns',
		columns: [
			timeColumn('time_ns', 'Waiting', { text: (row) => jumpLink(state, run, {
				fromNs: row.enter_ns, untilNs: row.until_ns, location: timelineLocation(run, row.location),
			}, nanoseconds(row.time_ns)) }),
			timeColumn('enter_ns', 'At'),
			{ key: 'pattern', title: 'Wait state', value: (row) => titles.get(row.pattern) ?? row.pattern },
			pathColumn('Call path', (row) => pathNames(paths, row.path)),
			locationColumn('location', 'Location', names), locationColumn('cause', 'for', names),
		],
	})];
}

export const waits = {
	id: 'waits',
	title: 'Waits',
	has: ({ runs }) => runs.some(({ analysis }) => analysis?.waits?.some(({ time_ns: ns }) => ns > 0)),
	create(container, { state, run }) {
		const { analysis } = run;
		if (!analysis) {
			container.append(note(`${run.name} was not analyzed.`));
			return;
		}
		state.define('waits.by', choice(['path', 'pattern', 'location']));
		const table = h('div');
		const show = () => table.replaceChildren(waitTable(run, state));
		state.subscribe(['waits.by'], show);
		show();
		container.append(
			facts([['Waiting', nanoseconds(analysis.waiting_ns)],
				['of the time of all locations', percent(analysis.waiting_ns / analysis.all_locations_ns)],
				['Costs of delays', nanoseconds(analysis.delay_total_ns)],
				['without a cause', analysis.unattributed_ns > 0 ? nanoseconds(analysis.unattributed_ns) : null]]),
			toolbar(choiceControl(state, 'waits.by', 'Rows by',
				[['path', 'call path'], ['pattern', 'wait state'], ['location', 'location']])),
			table, ...delayTable(run, state), ...longestTable(run, state));
	},
};
