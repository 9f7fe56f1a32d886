// SPDX-License-Identifier: BSD-3-Clause
// Phases that the program named, and iterations of regions.
import { namesOf } from '../data/path_tree.js';
import { h } from '../dom.js';
import { count, nanoseconds } from '../format.js';
import { countColumn, largest, pathColumn, textColumn, timeColumn } from '../ui/columns.js';
import { note } from '../ui/elements.js';
import { jumpLink } from '../ui/jump.js';
import { createTable } from '../ui/table.js';

function phaseTable(run, state) {
	const { phases } = run.timeline;
	const toNs = (ticks) => run.seconds(ticks) * 1e9;
	const rows = phases.map((phase) =>
		({ ...phase, time_ns: toNs(phase.end - phase.start), at_ns: toNs(phase.start) }));
	const most = largest(rows, 'time_ns');
	return createTable({
		id: 'phases', caption: 'Phases of the run', rows, state, sort: 'at_ns',
		columns: [
			{ ...textColumn('name', 'Phase'), text: (row) => jumpLink(state, run,
				{ fromNs: row.at_ns, untilNs: row.at_ns + row.time_ns }, row.name) },
			{ key: 'iteration', title: 'Iteration', isNumber: true, value: (row) => row.iteration ?? -1,
				text: (row) => (row.iteration == null ? '' : count(row.iteration)) },
			timeColumn('at_ns', 'Begin'), timeColumn('time_ns', 'Time', { share: (row) => row.time_ns / most }),
		],
	});
}

function iterationTable(run, tree, state) {
	const rows = run.profile.iterations;
	const most = largest(rows, 'time_ns');
	const names = (row) => namesOf(tree.node(run.index, row.path));
	return createTable({
		id: 'iterations', caption: 'Iterations', rows, state, sort: 'iteration',
		columns: [
			pathColumn('Call path', names), countColumn('iteration', 'Iteration'), countColumn('visits', 'Visits'),
			timeColumn('time_ns', 'Time', { share: (row) => row.time_ns / most }),
			timeColumn('min_ns', 'Least'), timeColumn('max_ns', 'Most'),
			{ key: 'spread', title: 'Spread', isNumber: true, value: (row) => row.max_ns - row.min_ns,
				text: (row) => nanoseconds(row.max_ns - row.min_ns) },
		],
	});
}

export const phases = {
	id: 'phases',
	title: 'Phases',
	has: ({ runs }) => runs.some(({ profile, timeline }) =>
		profile?.iterations?.length > 0 || timeline?.phases?.length > 0),
	create(container, { state, run, paths }) {
		const hasPhases = run.timeline?.phases?.length > 0;
		const hasIterations = run.profile?.iterations?.length > 0;
		if (hasPhases)
			container.append(phaseTable(run, state));
		if (hasIterations)
			container.append(h('h3', null, 'Iterations'), iterationTable(run, paths.tree, state));
		if (!hasPhases && !hasIterations)
			container.append(note(`${run.name} has no phases.`));
	},
};
