// SPDX-License-Identifier: BSD-3-Clause
// The selected task in words: its times, and the chain of tasks that it waited for.
import { CRITICAL, OUTLIER } from '../data/task_blocks.js';
import { count, seconds } from '../format.js';
import { h } from '../dom.js';

const NR_LISTED = 12;

// For a tip, and for screen readers.
export function taskWords(model, task) {
	const { start, end, worker, flags } = model.tasks;
	const words = [model.typeName(task), model.workerName(worker[task]),
		`${seconds(model.run.seconds(end[task] - start[task]))} from ${seconds(model.seconds(start[task]))}`];
	if (flags[task] & OUTLIER)
		words.push('longer than others of its type');
	if (flags[task] & CRITICAL)
		words.push('on the critical path');
	return words;
}

function factsOf(model, task) {
	const { start, end, worker, flags, ready, create, iteration } = model.tasks;
	const at = (tick) => (Number.isFinite(tick) ? seconds(model.seconds(tick)) : null);
	const length = (ticks) => (Number.isFinite(ticks) ? seconds(model.run.seconds(ticks)) : null);
	return [
		['worker', model.workerName(worker[task])],
		['iteration', iteration[task] >= 0 ? count(iteration[task]) : null],
		['created', at(create[task])],
		['ready', at(ready[task])],
		['starts', at(start[task])],
		['ends', at(end[task])],
		['lasts', length(end[task] - start[task])],
		['waited for a worker', length(start[task] - ready[task])],
		['duration', flags[task] & OUTLIER ? 'longer than usual for its type: Q3 + 1.5 IQR' : null],
		['critical path', flags[task] & CRITICAL ? 'on it' : null],
	].filter(([, text]) => text !== null);
}

// One row of the chain: the task, and how long after its end the task that waited for it started.
function linkRow(board, model, task, waiting) {
	const { start, end } = model.tasks;
	const gap = seconds(model.run.seconds(start[waiting] - end[task]));
	return h('li', null,
		h('button', { type: 'button', class: 'link', onclick: () => board.commands.select(model, task) },
			model.typeName(task)),
		`, ${model.workerName(model.tasks.worker[task])}: ended ${gap} before`);
}

function levelControl(board) {
	const { state } = board;
	const input = h('input', { type: 'number', min: 0, max: 99, value: state.get('tk.levels'),
		oninput: () => state.set({ 'tk.levels': Math.min(99, Math.max(0, Math.round(Number(input.value) || 0))) }) });
	return h('label', { class: 'control' }, h('span', null, 'Levels'), input);
}

export function createTaskDetails(board) {
	const levels = levelControl(board);
	const card = h('aside', { class: 'tk-details', 'aria-label': 'The selected task', hidden: true });

	function buttons() {
		const button = (text, command, key) => h('button', { type: 'button', class: 'plain',
			onclick: () => board.commands.execute(command) }, text, ' ', h('kbd', null, key));
		return h('div', { class: 'tl-buttons' }, button('Predecessor', 'predecessor', 'p'),
			button('Successor', 'successor', 'n'), button('Zoom to it', 'zoomTask', 'z'));
	}

	return {
		element: card,
		show() {
			const { model, task, chain } = board.selected;
			card.hidden = task < 0;
			if (task < 0)
				return;
			const listed = chain.slice(1, 1 + NR_LISTED);
			levels.querySelector('input').value = board.state.get('tk.levels');
			card.replaceChildren(
				h('div', { class: 'tl-details-head' },
					h('strong', null, `Task ${model.typeName(task)}`),
					h('button', { type: 'button', 'aria-label': 'Close details',
						onclick: () => board.commands.execute('clear') }, '×')),
				h('div', { class: 'tk-columns' },
					h('dl', null, factsOf(model, task).map(([name, text]) =>
						h('div', null, h('dt', null, name), h('dd', null, text)))),
					model.predecessors && h('div', { class: 'tk-chain' },
						h('div', { class: 'toolbar' }, h('strong', null, 'Waited for'), levels),
						listed.length > 0
							? h('ol', null, listed.map((link, i) => linkRow(board, model, link, chain[i])))
							: h('p', { class: 'note' }, 'It has no predecessor.'),
						chain.length > 1 + NR_LISTED && h('p', { class: 'note' },
							`and ${count(chain.length - 1 - NR_LISTED)} more`))),
				buttons());
		},
	};
}
