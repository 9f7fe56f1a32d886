// SPDX-License-Identifier: BSD-3-Clause
/*
 * A made-up task program: a Cholesky factorization of tiles, whose tasks are scheduled on the threads of a made-up run.
 * The last thread of each process stands for an accelerator. All numbers of its panels are summed up from its tasks.
 */
import { Writer } from './encode.js';

const TYPES = ['potrf', 'trsm', 'syrk', 'gemm', 'init <b>'];
const [POTRF, TRSM, SYRK, GEMM, INIT] = TYPES.keys();
const COST = [[80, 40], [100, 20], [100, 12], [180, 12], [30, 30]]; // ticks on a processor, on an accelerator
const STATES = ['idle', 'scheduling', 'fetching'];
const NR_SLICES = 500;
const OUTLIER_SHARE = 0.004;

// Of a factorization with so many tiles a side, in order of submission: {type, k, owner, before: indices}
function submit(nrTiles, processes) {
	const tasks = [];
	const writer = new Map();
	const key = (i, j) => i * nrTiles + j;
	const add = (type, k, i, j, reads) => {
		const before = [...reads, writer.get(key(i, j))].filter((task) => task !== undefined);
		writer.set(key(i, j), tasks.push({ type, k, owner: (i + j) % processes, before }) - 1);
		return tasks.length - 1;
	};
	const first = add(INIT, -1, 0, 0, []);
	for (let k = 0; k < nrTiles; k++) {
		const potrf = add(POTRF, k, k, k, k === 0 ? [first] : []);
		const column = [];
		for (let i = k + 1; i < nrTiles; i++)
			column[i] = add(TRSM, k, i, k, [potrf]);
		for (let i = k + 1; i < nrTiles; i++) {
			add(SYRK, k, i, i, [column[i]]);
			for (let j = k + 1; j < i; j++)
				add(GEMM, k, i, j, [column[i], column[j]]);
		}
	}
	return tasks;
}

// The smallest of a heap of [key, ...] first.
class Heap {
	#items = [];

	get nr() {
		return this.#items.length;
	}

	push(item) {
		const items = this.#items;
		let at = items.push(item) - 1;
		for (let up = (at - 1) >> 1; at > 0 && items[up][0] > items[at][0]; at = up, up = (at - 1) >> 1)
			[items[up], items[at]] = [items[at], items[up]];
	}

	pop() {
		const items = this.#items;
		const [top] = items;
		const last = items.pop();
		if (items.length > 0)
			items[0] = last;
		for (let at = 0; ;) {
			let least = at;
			for (const child of [2 * at + 1, 2 * at + 2])
				if (child < items.length && items[child][0] < items[least][0])
					least = child;
			if (least === at)
				return top;
			[items[at], items[least]] = [items[least], items[at]];
			at = least;
		}
	}
}

// Each process runs what is ready by iteration, on whichever of its workers is free.
function schedule(tasks, workers, zero, random) {
	const left = tasks.map(({ before }) => before.length);
	const after = tasks.map(() => []);
	tasks.forEach(({ before }, task) => before.forEach((one) => after[one].push(task)));
	const ready = workers.reduce((queues, { process }) => { queues[process] ??= new Heap(); return queues; }, []);
	const idle = ready.map(() => []);
	workers.forEach(({ process }, worker) => idle[process].push(worker));
	const ends = new Heap();
	const release = (task, now) => {
		tasks[task].ready = now;
		ready[tasks[task].owner].push([tasks[task].k * 4 + tasks[task].type, task]);
	};
	const begin = (now) => ready.forEach((queue, process) => {
		while (queue.nr > 0 && idle[process].length > 0) {
			const [, task] = queue.pop();
			const worker = idle[process].pop();
			const isOutlier = random() < OUTLIER_SHARE;
			const cost = COST[tasks[task].type][workers[worker].class] * (0.95 + 0.1 * random()) * (isOutlier ? 4 : 1);
			Object.assign(tasks[task], { worker, start: now + 1, end: now + 1 + Math.round(cost), isOutlier });
			ends.push([tasks[task].end, task]);
		}
	});
	tasks.forEach((task, index) => {
		task.create = zero + Math.floor(index / 4);
		if (left[index] === 0)
			release(index, zero);
	});
	begin(zero);
	while (ends.nr > 0) {
		const [now, done] = ends.pop();
		idle[tasks[done].owner].push(tasks[done].worker);
		for (const task of after[done])
			if (--left[task] === 0)
				release(task, now);
		begin(now);
	}
	for (const task of tasks)
		task.create = Math.min(task.create, task.ready);
}

// By start, with predecessors in the new numbers.
function sortTasks(tasks) {
	const order = tasks.map((_, index) => index).sort((a, b) => tasks[a].start - tasks[b].start || a - b);
	const place = [];
	order.forEach((task, index) => { place[task] = index; });
	return order.map((task) => ({ ...tasks[task], before: tasks[task].before.map((one) => place[one]) }));
}

function markCritical(tasks) {
	let at = tasks.reduce((last, task, index) => (task.end > tasks[last].end ? index : last), 0);
	while (at !== undefined) {
		tasks[at].isCritical = true;
		at = tasks[at].before.reduce((last, one) =>
			(last === undefined || tasks[one].end > tasks[last].end ? one : last), undefined);
	}
}

// Means by slice of what each interval adds while it lasts.
function integrate(intervals, { first, last, step, nr }) {
	const sums = new Float64Array(nr);
	for (const [begin, end, value] of intervals)
		for (let slice = Math.max(0, Math.floor((begin - first) / step)); slice < nr; slice++) {
			const from = first + slice * step;
			if (from >= end)
				break;
			sums[slice] += value * (Math.min(end, from + step) - Math.max(begin, from));
		}
	return sums.map((sum, slice) => sum / (Math.min(last, first + (slice + 1) * step) - (first + slice * step)));
}

function seriesOf(tasks, workers, processes, slices) {
	const names = Array.from({ length: processes }, (_, p) => `MPI Rank ${p}`);
	const of = (process) => tasks.filter(({ owner }) => owner === process);
	const byProcess = (from, until) => names.map((_, p) =>
		integrate(of(p).map((task) => [task[from], task[until], 1]), slices));
	const busy = workers.map((_, worker) => integrate(tasks.filter((task) => task.worker === worker)
		.map(({ start, end }) => [start, end, 1]), slices));
	const ready = byProcess('ready', 'start');
	const lacking = ready[0].map((_, slice) => ready.filter((values) => values[slice] < 2).length);
	const most = (slice) => Math.max(...busy.map((values) => values[slice]));
	const mean = (slice) => busy.reduce((sum, values) => sum + values[slice], 0) / busy.length;
	const spans = names.map((_, p) =>
		of(p).reduce((end, task) => Math.max(end, task.end), slices.first) - slices.first);
	const work = names.map((_, p) => of(p).reduce((sum, { start, end }) => sum + end - start, 0) /
		workers.filter(({ process }) => process === p).length);
	return [
		{ id: 'submitted', title: 'Submitted tasks', unit: 'tasks', kind: 'line', groups: names,
			values: byProcess('create', 'end') },
		{ id: 'ready', title: 'Ready tasks', unit: 'tasks', kind: 'line', groups: names, values: ready },
		{ id: 'lack-of-ready', aliases: ['lackready'], title: 'Lack of ready tasks', unit: 'processes', kind: 'heat',
			groups: [''], values: [lacking] },
		{ id: 'utilisation', aliases: ['utilheatmap'], title: 'Utilisation', unit: 'share', kind: 'heat',
			groups: workers.map((_, worker) => `worker ${worker}`), values: busy },
		{ id: 'st-nodes', aliases: ['st_nodes'], title: 'Tasks by process', unit: 'share', kind: 'area', rows: names,
			...byType(tasks, workers, names, slices) },
		{ id: 'imbalance', title: 'Imbalance', unit: 'share', kind: 'line', groups: ['PI', 'IP'],
			values: [lacking.map((_, s) => (mean(s) > 0 ? most(s) / mean(s) - 1 : 0)), lacking.map((_, s) => (
				most(s) > 0 ? ((most(s) - mean(s)) * busy.length) / (most(s) * (busy.length - 1 || 1)) : 0))] },
		{ id: 'abe', title: 'Area bound and makespan', unit: 's', kind: 'bars', groups: names,
			columns: ['makespan', 'area bound'],
			values: names.map((_, p) => Float64Array.of(spans[p] * 1e-6, work[p] * 1e-6)) },
	];
}

// Shares of the workers of each process, a layer for each type.
function byType(tasks, workers, names, slices) {
	const layers = names.flatMap((_, process) => TYPES.map((name, type) => ({ process, name, values: integrate(
		tasks.filter((task) => task.type === type && task.owner === process)
			.map(({ start, end }) => [start, end, 1 / workers.filter((worker) => worker.process === process).length]),
		slices) })));
	return { groups: layers.map(({ name }) => name), rowOf: layers.map(({ process }) => process),
		values: layers.map(({ values }) => values) };
}

function statesOf(tasks, workers, first) {
	const states = [];
	const before = workers.map(() => first);
	tasks.forEach(({ worker, start, end }, index) => {
		if (start > before[worker])
			states.push({ start: before[worker], end: start, group: worker,
				type: start - before[worker] > 20 ? 0 : 1 + (index % 2) });
		before[worker] = Math.max(before[worker], end);
	});
	return states.sort((a, b) => a.group - b.group || a.start - b.start);
}

export function encodeTasks(tasks) {
	const block = new Writer().varint(tasks.length);
	let before = 0;
	for (const { start, end, worker, type, k, isOutlier, isCritical, ready, create } of tasks) {
		block.varint(start - before).varint(end - start).varint(worker + 1).varint(type).varint(k + 1);
		block.varint((isOutlier ? 1 : 0) + (isCritical ? 2 : 0));
		block.varint(ready === undefined ? 0 : start - ready + 1);
		block.varint(create === undefined ? 0 : (ready ?? start) - create + 1);
		before = start;
	}
	return block.bytes();
}

export function encodePredecessors(tasks) {
	const block = new Writer().varint(tasks.length);
	tasks.forEach(({ before }, task) => {
		block.varint(before.length);
		before.forEach((one) => block.zigzag(task - one));
	});
	return block.bytes();
}

export function encodeSeries(panels) {
	const block = new Writer();
	for (const { values, groups } of panels)
		for (const slices of values ?? groups.map(() => [])) {
			block.varint(slices.length);
			slices.forEach((value) => block.float64(value));
		}
	return block.bytes();
}

// boxes: by group and start
export function encodeBoxes(boxes) {
	const block = new Writer().varint(boxes.length);
	let before = { start: 0, group: 0 };
	for (const box of boxes) {
		block.varint(box.group - before.group).zigzag(box.start - before.start).varint(box.end - box.start);
		block.varint(box.type).varint(Math.round(1000 * (box.share ?? 1)));
		before = box;
	}
	return block.bytes();
}

const tilesOf = (nr) => Math.max(2, Math.round(Math.cbrt(6 * nr) - 1));

/*
 * Adds tasks to a run of makeRun(): about settings.tasks of them, from `zero` on; the time line gets as long as they
 * are. Returns what their blocks hold.
 */
export function addTasks({ run, blocks }, settings, random) {
	const { processes, prefix = '' } = settings;
	const zero = 2000;
	const workers = run.timeline.locations.map(({ process }, location, all) => ({
		location, process, host: run.timeline.processes[process].host, memory_node: 0,
		class: all[location + 1]?.process === process || all[location - 1]?.process !== process ? 0 : 1,
	}));
	const submitted = submit(tilesOf(settings.tasks), processes);
	schedule(submitted, workers, zero, random);
	const tasks = sortTasks(submitted);
	markCritical(tasks);
	const last = tasks.reduce((end, task) => Math.max(end, task.end), 0);
	const first = tasks.find(({ type }) => type !== INIT).start;
	const step = Math.max(1, Math.ceil((last - first) / NR_SLICES));
	const slices = { first, last, step, nr: Math.ceil((last - first) / step) };
	const states = statesOf(tasks, workers, first);
	const series = seriesOf(tasks, workers, processes, slices);
	const work = workers.map((_, worker) => tasks.reduce((sum, task) =>
		sum + (task.worker === worker ? task.end - task.start : 0), 0));
	const gantt = [
		{ id: 'st', title: 'Tasks', groups: [] },
		{ id: 'iteration', aliases: ['kiteration'], title: 'Iterations', groups: [] },
		{ id: 'states', aliases: ['starpu'], title: 'Worker states', words: STATES,
			groups: workers.map((_, worker) => `worker ${worker}`) },
	].map((panel) => ({ ...panel, unit: '', kind: 'gantt' }));
	const id = (name) => `${prefix}${name}`;
	run.timeline.ticks = Math.max(run.timeline.ticks, last + 1000);
	run.tasks = {
		types: TYPES.map((name, type) => ({ name, application: type !== INIT })),
		classes: [{ name: 'CPU', accelerator: false }, { name: 'CUDA', accelerator: true }],
		workers: workers.map((worker, index) => ({ ...worker, idleness: 1 - work[index] / (last - first) })),
		total: tasks.length, shown: tasks.length, window: [first, last], step, chosen: null,
		bounds: [{ scope: 'all', abe: Math.round(work.reduce((a, b) => a + b, 0) / workers.length),
			critical_path: tasks.reduce((sum, { isCritical, start, end }) => sum + (isCritical ? end - start : 0), 0),
			critical_path_fastest: null, makespan: last - first }],
		expectations: [{ name: 'uniform durations', passed: false, text: '12 of 1,000 tasks are outliers.' }],
		panels: [...gantt, ...series].map((panel) => ({ ...panel, values: undefined })),
	};
	for (const name of ['tasks', 'predecessors', 'series', 'boxes'])
		run.timeline.blocks[name] = { id: id(name) };
	Object.assign(blocks, { [id('tasks')]: encodeTasks(tasks), [id('predecessors')]: encodePredecessors(tasks),
		[id('series')]: encodeSeries([...gantt, ...series]), [id('boxes')]: encodeBoxes(states) });
	return { tasks, workers, states, series, slices };
}
