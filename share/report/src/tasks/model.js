// SPDX-License-Identifier: BSD-3-Clause
// The tasks of a run: its blocks, workers in the order of their rows, and where things are.
import { CRITICAL, OUTLIER } from '../data/task_blocks.js';
import { percent } from '../format.js';
import { chainOf, lastPredecessor, successorsOf } from './chain.js';
import { Lanes } from './lanes.js';

// Rows of workers by host and process: {worker, units of height, name, group: number of the process, isFirst of it}
function rowsOf({ workers, classes }, { processes, locations }) {
	const place = ({ host, process }) => [host ?? -1, process ?? -1];
	const order = workers.map((_, index) => index).sort((a, b) => {
		const [[hostA, processA], [hostB, processB]] = [place(workers[a]), place(workers[b])];
		return hostA - hostB || processA - processB || a - b;
	});
	return order.map((worker, index) => {
		const { process, class: number, location } = workers[worker];
		const before = index > 0 ? workers[order[index - 1]].process : undefined;
		return {
			worker, units: classes[number].accelerator ? 2 : 1, name: locations[location]?.name ?? `worker ${worker}`,
			group: processes[process]?.name ?? '', isFirst: index === 0 || before !== process,
		};
	});
}

export class TaskModel {
	constructor(run) {
		const { tasks: header, timeline } = run;
		Object.assign(this, { run, header, timeline, index: run.index });
		this.lanesOf = new Map();
		this.rows = rowsOf(header, timeline);
		this.rowOf = new Int32Array(header.workers.length);
		this.rows.forEach(({ worker }, row) => { this.rowOf[worker] = row; });
		[this.zero, this.last] = header.window;
		this.bounds = header.bounds.find(({ scope }) => scope === 'all') ?? {};
	}

	async load() {
		const [tasks, predecessors, series, boxes] = await Promise.all(
			['tasks', 'predecessors', 'series', 'boxes'].map((name) => this.run.block(name)));
		Object.assign(this, { tasks, predecessors, boxes });
		this.series = new Map(this.header.panels.map((panel, i) => [panel.id, { panel, values: series?.[i] ?? [] }]));
		if (tasks)
			this.#index(tasks);
	}

	#index(tasks) {
		const { worker, flags } = tasks;
		this.lanes = new Lanes(tasks, this.rows.length, (t) => (worker[t] < 0 ? -1 : this.rowOf[worker[t]]),
			(t) => (flags[t] & OUTLIER) !== 0);
		this.nrIterations = tasks.iteration.reduce((most, iteration) => Math.max(most, iteration + 1), 0);
		this.critical = [];
		for (let t = 0; t < tasks.nr; t++)
			if (tasks.flags[t] & CRITICAL)
				this.critical.push(t);
		this.hasOutliers = flags.some((flag) => flag & OUTLIER);
	}

	// Of a panel that has boxes; made when it is shown.
	boxLanes(id) {
		const boxes = this.boxes.get(id);
		if (!this.lanesOf.has(id))
			this.lanesOf.set(id, new Lanes(boxes, this.series.get(id).panel.groups.length,
				(b) => boxes.group[b], (b) => boxes.share[b] < 1));
		return this.lanesOf.get(id);
	}

	// The same.
	get iterationLanes() {
		const { iteration, worker, flags } = this.tasks;
		this.lanesByIteration ??= new Lanes(this.tasks, this.nrIterations, (t) => (worker[t] < 0 ? -1 : iteration[t]),
			(t) => (flags[t] & OUTLIER) !== 0);
		return this.lanesByIteration;
	}

	// Start of the first and end of the last task of each iteration; NaN: it has none.
	get iterationBorders() {
		if (!this.borders) {
			const begin = new Float64Array(this.nrIterations).fill(NaN);
			const end = new Float64Array(this.nrIterations).fill(NaN);
			this.tasks.iteration.forEach((iteration, t) => {
				if (iteration < 0)
					return;
				if (!(begin[iteration] <= this.tasks.start[t]))
					begin[iteration] = this.tasks.start[t];
				if (!(end[iteration] >= this.tasks.end[t]))
					end[iteration] = this.tasks.end[t];
			});
			this.borders = { begin, end };
		}
		return this.borders;
	}

	typeName(task) {
		return this.header.types[this.tasks.type[task]].name;
	}

	workerName(worker) {
		if (worker < 0)
			return 'no worker';
		const { name, group } = this.rows[this.rowOf[worker]];
		return group ? `${group}, ${name}` : name;
	}

	idleness(row) {
		const { idleness } = this.header.workers[this.rows[row].worker];
		return idleness == null ? '' : percent(idleness);
	}

	// Latest first; without predecessors, the task alone.
	chain(task, levels) {
		return this.predecessors ? chainOf(this.tasks, this.predecessors, task, levels) : [task];
	}

	predecessor(task) {
		return this.predecessors ? lastPredecessor(this.tasks, this.predecessors, task) : -1;
	}

	// The successor that started first, or -1.
	successor(task) {
		if (!this.predecessors)
			return -1;
		this.successors ??= successorsOf(this.predecessors);
		const { first, task: next } = this.successors;
		let best = -1;
		for (let i = first[task]; i < first[task + 1]; i++)
			if (best < 0 || this.tasks.start[next[i]] < this.tasks.start[best])
				best = next[i];
		return best;
	}

	// Seconds from the first task on.
	seconds(tick) {
		return this.run.seconds(tick - this.zero);
	}
}
