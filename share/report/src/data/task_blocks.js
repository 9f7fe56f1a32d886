// SPDX-License-Identifier: BSD-3-Clause
// Decodes the blocks of tasks, as blocks.js does the others. Of what is not known, times are NaN and numbers -1.
import { Reader } from './reader.js';

export const OUTLIER = 1;
export const CRITICAL = 2;

// Columns of the tasks, by start. worker: -1 for a task that no thread executed, such as a communication.
export function decodeTasks(bytes) {
	const reader = new Reader(bytes);
	const nr = reader.varint();
	const tasks = { nr, worker: new Int32Array(nr), type: new Uint16Array(nr), iteration: new Int32Array(nr),
		flags: new Uint8Array(nr) };
	for (const name of ['start', 'end', 'ready', 'create'])
		tasks[name] = new Float64Array(nr);
	let start = 0;
	for (let t = 0; t < nr; t++) {
		start += reader.varint();
		tasks.start[t] = start;
		tasks.end[t] = start + reader.varint();
		tasks.worker[t] = reader.varint() - 1;
		tasks.type[t] = reader.varint();
		tasks.iteration[t] = reader.varint() - 1;
		tasks.flags[t] = reader.varint();
		const waited = reader.varint();
		tasks.ready[t] = waited > 0 ? start - (waited - 1) : NaN;
		const held = reader.varint();
		tasks.create[t] = held > 0 ? (waited > 0 ? tasks.ready[t] : start) - (held - 1) : NaN;
	}
	return tasks;
}

// Task t depends on task[first[t]] to task[first[t + 1] - 1].
export function decodePredecessors(bytes) {
	const reader = new Reader(bytes);
	const nr = reader.varint();
	const first = new Uint32Array(nr + 1);
	const task = [];
	for (let t = 0; t < nr; t++) {
		for (let left = reader.varint(); left > 0; left--)
			task.push(t - reader.zigzag());
		first[t + 1] = task.length;
	}
	return { nr, first, task: Uint32Array.from(task) };
}

// Panels that are drawn of tasks: they have no numbers and no boxes of their own.
const isOfTasks = ({ id }) => id === 'st' || id === 'iteration';

// Values by panel and group, in the order of the header: series[panel][group][slice]
export function decodeSeries(bytes, { panels }) {
	const reader = new Reader(bytes);
	return panels.map((panel) => (isOfTasks(panel) ? [] : panel.groups).map(() => {
		const values = new Float64Array(reader.varint());
		for (let i = 0; i < values.length; i++)
			values[i] = reader.float64();
		return values;
	}));
}

const hasBoxes = (panel) => panel.kind === 'gantt' && !isOfTasks(panel);

// Boxes of a panel, by group and start. What begins together in a group is stacked: share is the height of a box in
// that of its group, below it are those before.
function decodePanelBoxes(reader) {
	const nr = reader.varint();
	const boxes = { nr, group: new Uint32Array(nr), type: new Uint16Array(nr) };
	for (const name of ['start', 'end', 'share', 'below'])
		boxes[name] = new Float64Array(nr);
	let start = 0;
	let group = 0;
	for (let b = 0; b < nr; b++) {
		const step = reader.varint();
		const moved = reader.zigzag();
		group += step;
		start += moved;
		boxes.group[b] = group;
		boxes.start[b] = start;
		boxes.end[b] = start + reader.varint();
		boxes.type[b] = reader.varint();
		boxes.share[b] = reader.varint() / 1000;
		if (b > 0 && step === 0 && moved === 0)
			boxes.below[b] = boxes.below[b - 1] + boxes.share[b - 1];
	}
	return boxes;
}

// By the id of the panel.
export function decodeBoxes(bytes, { panels }) {
	const reader = new Reader(bytes);
	return new Map(panels.filter(hasBoxes).map(({ id }) => [id, decodePanelBoxes(reader)]));
}

// By the names of the header's table of blocks.
export const TASK_DECODERS = {
	tasks: decodeTasks, predecessors: decodePredecessors, series: decodeSeries, boxes: decodeBoxes,
};
