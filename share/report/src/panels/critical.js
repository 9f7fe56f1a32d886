// SPDX-License-Identifier: BSD-3-Clause
// The critical path by call path and by location, and its longest segments.
import { locationNames } from '../data/location_names.js';
import { pathNames } from '../data/path_tree.js';
import { h } from '../dom.js';
import { count, nanoseconds } from '../format.js';
import { largest, locationColumn, pathColumn, shareColumn, timeColumn } from '../ui/columns.js';
import { facts, note } from '../ui/elements.js';
import { jumpLink, timelineLocation } from '../ui/jump.js';
import { createTable } from '../ui/table.js';

function pathTable({ paths, critical_path: { paths: rows, time_ns: total } }, state) {
	return createTable({
		id: 'critical', caption: 'Critical path by call path', rows: rows.filter(({ time_ns: ns }) => ns > 0), state,
		sort: '-time_ns', nrFirst: 25,
		columns: [
			pathColumn('Call path', (row) => pathNames(paths, row.path), 60),
			timeColumn('time_ns', 'On the path', { share: (row) => row.time_ns / total }),
			shareColumn('time_ns', total),
			timeColumn('imbalance_ns', 'Imbalance', { hint: 'gain if all locations did the same' }),
			timeColumn('impact_ns', 'Impact', { hint: 'time that other locations lose meanwhile' }),
			timeColumn('impact_intra_ns', 'Intra', { hint: 'of the impact: the path is unevenly distributed' }),
			timeColumn('impact_inter_ns', 'Inter', { hint: 'of the impact: on locations that are never in this path' }),
		],
	});
}

function locationTable(run, state) {
	const { locations, time_ns: total } = run.analysis.critical_path;
	const rows = locations.filter(({ time_ns: ns }) => ns > 0);
	const most = largest(rows, 'time_ns');
	return createTable({
		id: 'critical-locations', caption: 'Critical path by location', rows, state,
		sort: '-time_ns', nrFirst: 16,
		columns: [
			locationColumn('location', 'Location', locationNames(run)),
			timeColumn('time_ns', 'On the path', { share: (row) => row.time_ns / most }), shareColumn('time_ns', total),
		],
	});
}

function segmentTable(run, state) {
	const { paths, critical_path: { segments } } = run.analysis;
	const length = (row) => row.until_ns - row.from_ns;
	return createTable({
		id: 'critical-segments', caption: 'Longest segments of the critical path', rows: segments, state,
		sort: '-length',
		columns: [
			{ key: 'length', title: 'Length', value: length, isNumber: true, text: (row) => jumpLink(state, run, {
				fromNs: row.from_ns, untilNs: row.until_ns, location: timelineLocation(run, row.location),
			}, nanoseconds(length(row))) },
			timeColumn('from_ns', 'From'),
			locationColumn('location', 'Location', locationNames(run)),
			pathColumn('Mostly in', (row) => pathNames(paths, row.path), 60),
			timeColumn('path_ns', 'of it'),
		],
	});
}

export const critical = {
	id: 'critical',
	title: 'Critical path',
	has: ({ runs }) => runs.some(({ analysis }) => analysis?.critical_path?.paths?.length > 0),
	create(container, { state, run }) {
		const { analysis } = run;
		if (!(analysis?.critical_path?.paths?.length > 0)) {
			container.append(note(`${run.name} has no critical path.`));
			return;
		}
		const { time_ns: time, nr_segments: nr, segments } = analysis.critical_path;
		container.append(facts([['Length', nanoseconds(time)], ['Segments', count(nr)]]),
			note('The run can only get shorter if something on this path does.'),
			pathTable(analysis, state), h('h3', null, 'By location'), locationTable(run, state));
		if (segments.length > 0)
			container.append(h('h3', null, 'Longest segments'), segmentTable(run, state));
	},
};
