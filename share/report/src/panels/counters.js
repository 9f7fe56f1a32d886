// SPDX-License-Identifier: BSD-3-Clause
// Counters and other metrics over time, and memory by itself.
import { groupMetrics, isMemory } from '../data/metrics.js';
import { namesOf } from '../data/path_tree.js';
import { h } from '../dom.js';
import { bytes, count } from '../format.js';
import { bytesColumn, countColumn, largest } from '../ui/columns.js';
import { Curves } from '../ui/curves.js';
import { note, pathElement } from '../ui/elements.js';
import { createTable } from '../ui/table.js';

function metricsOf(run, wanted) {
	return (run.timeline?.metrics ?? []).some(wanted) && run.has('metrics');
}

// Shows the metrics that are wanted when their block is decoded.
function showCurves(container, context, wanted) {
	const { run } = context;
	const place = h('div');
	container.append(place);
	let curves = null;
	let isGone = false;
	run.block('metrics').then((decoded) => {
		if (isGone)
			return;
		const names = new Set(run.timeline.metrics.filter(wanted).map(({ name }) => name));
		curves = new Curves(place, groupMetrics(run, decoded).filter(({ name }) => names.has(name)), context);
	});
	return {
		destroy() {
			isGone = true;
			curves?.destroy();
		},
	};
}

const hint = 'Drag over a curve to zoom in; the time line and all curves follow. Home shows all of the run.';

export const counters = {
	id: 'counters',
	title: 'Counters',
	has: ({ runs }) => runs.some((run) => metricsOf(run, (metric) => !isMemory(metric))),
	create(container, context) {
		container.append(note(hint));
		return showCurves(container, context, (metric) => !isMemory(metric));
	},
};

function allocationTable({ tree }, run, state) {
	const nodes = tree.nodes.filter((node) => node.rows[run.index]?.bytes_allocated > 0);
	if (nodes.length === 0)
		return [];
	const rows = nodes.map((node) => ({ node, ...node.rows[run.index] }));
	const most = largest(rows, 'bytes_allocated');
	return [h('h3', null, 'Allocations by call path'), createTable({
		id: 'allocations', caption: 'Allocations by call path', rows, state, sort: '-bytes_allocated',
		columns: [
			{ key: 'path', title: 'Call path', value: (row) => namesOf(row.node).join('/'),
				text: (row) => pathElement(namesOf(row.node), 56) },
			countColumn('allocations', 'Allocations'),
			bytesColumn('bytes_allocated', 'Allocated', { share: (row) => row.bytes_allocated / most }),
			bytesColumn('bytes_released', 'Released'),
			{ key: 'kept', title: 'Difference', isNumber: true, hint: 'allocated here and not released here',
				value: (row) => row.bytes_allocated - (row.bytes_released ?? 0),
				text: (row) => signedBytes(row.bytes_allocated - (row.bytes_released ?? 0)) },
		],
	})];
}

function signedBytes(value) {
	return value < 0 ? `−${bytes(-value)}` : value === 0 ? count(0) : bytes(value);
}

function allocates({ profile }) {
	return profile?.paths?.some(({ bytes_allocated: size }) => size > 0) ?? false;
}

export const memory = {
	id: 'memory',
	title: 'Memory',
	has: ({ runs }) => runs.some((run) => metricsOf(run, isMemory) || allocates(run)),
	create(container, context) {
		const { run, paths, state } = context;
		let curves = null;
		if (metricsOf(run, isMemory)) {
			container.append(note(hint));
			curves = showCurves(container, context, isMemory);
		}
		if (allocates(run))
			container.append(...allocationTable(paths, run, state));
		return curves;
	},
};
