// SPDX-License-Identifier: BSD-3-Clause
// What a task waited for: from task to task, back to the predecessor that ended last.

// The predecessor of a task that ended last, or -1.
export function lastPredecessor(tasks, predecessors, task) {
	let last = -1;
	for (let i = predecessors.first[task]; i < predecessors.first[task + 1]; i++) {
		const candidate = predecessors.task[i];
		if (last < 0 || tasks.end[candidate] > tasks.end[last])
			last = candidate;
	}
	return last;
}

/*
 * The chain that ends with a task, latest first, with the task itself. Tasks that no thread executed, such as messages
 * and synchronisation points, are links of it, but not levels.
 */
export function chainOf(tasks, predecessors, task, levels) {
	const chain = [task];
	const seen = new Set(chain);
	for (let left = levels; left > 0;) {
		const last = lastPredecessor(tasks, predecessors, chain.at(-1));
		if (last < 0 || seen.has(last)) // a damaged archive may have circles
			break;
		seen.add(last);
		chain.push(last);
		if (tasks.worker[last] >= 0)
			left--;
	}
	return chain;
}

// Successors by task, in the same form as predecessors.
export function successorsOf({ nr, first, task }) {
	const start = new Uint32Array(nr + 1);
	for (const predecessor of task)
		start[predecessor + 1]++;
	for (let t = 0; t < nr; t++)
		start[t + 1] += start[t];
	const next = start.slice();
	const successors = new Uint32Array(task.length);
	for (let t = 0; t < nr; t++)
		for (let i = first[t]; i < first[t + 1]; i++)
			successors[next[task[i]]++] = t;
	return { nr, first: start, task: successors };
}
