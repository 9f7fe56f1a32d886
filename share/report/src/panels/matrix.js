// SPDX-License-Identifier: BSD-3-Clause
// Who sent how much to whom: a matrix of senders and receivers, and the pairs as a table.
import { h, onceAFrame, sizeCanvas } from '../dom.js';
import { bytes, count } from '../format.js';
import { choice } from '../state.js';
import { bytesColumn, countColumn, largest, locationColumn, shareColumn } from '../ui/columns.js';
import { choiceControl, toolbar } from '../ui/controls.js';
import { createTip, facts, note } from '../ui/elements.js';
import { createTable } from '../ui/table.js';

const MOST_SIZE = 640; // px
const MARGIN = 34; // px: for the numbers of processes

// Senders and receivers as indices of processes, in the order of the profile.
export function pairsOf(profile) {
	const names = (profile.processes ?? []).map(({ name }) => name);
	const index = new Map(names.map((name, i) => [name, i]));
	const add = (name) => {
		if (!index.has(name))
			index.set(name, names.push(name) - 1);
		return index.get(name);
	};
	const pairs = profile.messages.map(({ sender, receiver, count: nr, bytes: size }) =>
		({ sender: add(sender), receiver: add(receiver), count: nr, bytes: size }));
	return { names, pairs };
}

/*
 * The sums in cells of a grid with at most most x most cells: {nr (cells a side), per (processes a cell), values, max}.
 */
export function gridOf(pairs, nrNames, by, most) {
	const per = Math.max(1, Math.ceil(nrNames / most));
	const nr = Math.ceil(nrNames / per);
	const values = new Float64Array(nr * nr);
	let max = 0;
	for (const pair of pairs) {
		const cell = Math.floor(pair.sender / per) * nr + Math.floor(pair.receiver / per);
		values[cell] += pair[by];
		max = Math.max(max, values[cell]);
	}
	return { nr, per, values, max };
}

// The next of 1, 2, 5, 10, 20, ...
function roundStep(least) {
	const power = 10 ** Math.floor(Math.log10(Math.max(1, least)));
	return [1, 2, 5, 10].map((factor) => factor * power).find((step) => step >= least);
}

class Matrix {
	#canvas = h('canvas');
	#element;
	#said = h('p', { class: 'note', role: 'status' });
	#tip;
	#context;
	#grid = null;
	#cell = 1;
	#active = [0, 0];
	#observer;
	#draw = onceAFrame(() => this.#paint());

	constructor(container, context) {
		this.#context = context;
		this.#element = h('div', {
			class: 'picture matrix', tabindex: 0, role: 'application', 'aria-roledescription': 'matrix',
			'aria-label': 'Communication matrix: a row for each sender, a column for each receiver. Arrow keys move.',
			onpointermove: (event) => this.#point(event), onpointerleave: () => this.#tip.hide(),
			onkeydown: (event) => this.#press(event), onfocus: this.#draw, onblur: this.#draw,
		}, this.#canvas);
		container.append(this.#element, this.#said);
		this.#tip = createTip(container);
		this.#observer = new ResizeObserver(this.#draw);
		this.#observer.observe(this.#element);
		context.state.subscribe(['matrix.by'], this.#draw);
	}

	destroy() {
		this.#observer.disconnect();
	}

	#paint() {
		if (!this.#element.isConnected)
			return;
		const { names, pairs, state, theme } = this.#context;
		const size = Math.min(MOST_SIZE, this.#element.closest('.view').clientWidth - 8);
		const room = size - MARGIN;
		this.#grid = gridOf(pairs, names.length, state.get('matrix.by'), room);
		const { nr, values, max } = this.#grid;
		this.#cell = Math.min(44, room / nr);
		const side = MARGIN + nr * this.#cell;
		const canvas = sizeCanvas(this.#canvas, side, side);
		const gap = this.#cell > 6 ? 1 : 0;
		const empty = theme.variable('--surface');
		const at = (index) => MARGIN + index * this.#cell;
		for (let cell = 0; cell < values.length; cell++) {
			const [row, column] = [Math.floor(cell / nr), cell % nr];
			// Square root: large differences stay visible without hiding small values.
			canvas.fillStyle = values[cell] > 0 ? theme.scale(Math.sqrt(values[cell] / max)) : empty;
			canvas.fillRect(at(column), at(row), this.#cell - gap, this.#cell - gap);
		}
		this.#paintNumbers(canvas, nr);
		if (document.activeElement === this.#element) {
			canvas.strokeStyle = theme.variable('--ink');
			canvas.lineWidth = 2;
			const [row, column] = this.#active;
			canvas.strokeRect(at(column), at(row), this.#cell - gap, this.#cell - gap);
		}
	}

	#paintNumbers(canvas, nr) {
		const { theme } = this.#context;
		const { per } = this.#grid;
		canvas.fillStyle = theme.variable('--muted');
		canvas.font = '11px system-ui, sans-serif';
		canvas.textBaseline = 'middle';
		const step = roundStep(26 / this.#cell);
		for (let i = 0; i < nr; i += step) {
			const at = MARGIN + (i + 0.5) * this.#cell;
			canvas.textAlign = 'right';
			canvas.fillText(String(i * per), MARGIN - 5, at);
			canvas.textAlign = 'center';
			canvas.fillText(String(i * per), at, MARGIN - 10);
		}
	}

	#linesOf(row, column) {
		const { names, pairs, state } = this.#context;
		const { nr, per, values } = this.#grid;
		const last = (i) => Math.min(names.length, (i + 1) * per) - 1;
		const span = (i) => (per === 1 ? names[i] : `${names[i * per]} to ${names[last(i)]}`);
		const lines = [`${span(row)} → ${span(column)}`];
		if (values[row * nr + column] === 0)
			return [...lines, 'no messages'];
		const inCell = pairs.filter(({ sender, receiver }) =>
			Math.floor(sender / per) === row && Math.floor(receiver / per) === column);
		const sum = (name) => inCell.reduce((total, pair) => total + pair[name], 0);
		lines.push(`${count(sum('count'))} messages, ${bytes(sum('bytes'))}`);
		if (state.get('matrix.by') === 'bytes')
			lines.push(`${bytes(sum('bytes') / sum('count'))} each`);
		return lines;
	}

	#point(event) {
		const { left, top } = this.#canvas.getBoundingClientRect();
		const column = Math.floor((event.clientX - left - MARGIN) / this.#cell);
		const row = Math.floor((event.clientY - top - MARGIN) / this.#cell);
		const { nr } = this.#grid ?? { nr: 0 };
		if (row < 0 || column < 0 || row >= nr || column >= nr)
			this.#tip.hide();
		else
			this.#tip.show(event, this.#linesOf(row, column));
	}

	#press(event) {
		const moves = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] };
		const move = moves[event.key];
		if (!move || !this.#grid)
			return;
		event.preventDefault();
		this.#active = this.#active.map((at, i) => Math.max(0, Math.min(this.#grid.nr - 1, at + move[i])));
		this.#said.textContent = this.#linesOf(...this.#active).join(': ');
		this.#draw();
	}
}

function scaleLegend(theme) {
	const stops = Array.from({ length: 11 }, (_, i) => theme.scale(i / 10)).join(', ');
	return h('div', { class: 'scale' }, h('span', null, 'few'),
		h('span', { class: 'ramp', 'aria-hidden': 'true', style: { background: `linear-gradient(90deg, ${stops})` } }),
		h('span', null, 'many'));
}

export const matrix = {
	id: 'matrix',
	title: 'Messages',
	has: ({ runs }) => runs.some(({ profile }) => profile?.messages?.length > 0),
	create(container, { state, theme, run }) {
		if (!(run.profile.messages.length > 0)) {
			container.append(note(`${run.name} has no messages.`));
			return null;
		}
		state.define('matrix.by', choice(['bytes', 'count']));
		const { names, pairs } = pairsOf(run.profile);
		const sum = (name) => pairs.reduce((total, pair) => total + pair[name], 0);
		const allBytes = sum('bytes');
		const mostBytes = largest(pairs, 'bytes');
		container.append(
			facts([['Messages', count(sum('count'))], ['Bytes', bytes(sum('bytes'))], ['Pairs', count(pairs.length)],
				['Mean size', bytes(sum('bytes') / sum('count'))]]),
			toolbar(choiceControl(state, 'matrix.by', 'Colour by', [['bytes', 'bytes'], ['count', 'messages']]),
				scaleLegend(theme)),
			note('A row for each sender, a column for each receiver.'));
		const place = h('div', { class: 'matrix-place' });
		container.append(h('div', { class: 'beside' }, place, createTable({
			id: 'pairs', caption: 'Messages by sender and receiver', rows: pairs, state, sort: '-bytes', nrFirst: 25,
			columns: [
				locationColumn('sender', 'Sender', names), locationColumn('receiver', 'Receiver', names),
				countColumn('count', 'Messages'),
				bytesColumn('bytes', 'Bytes', { share: (row) => row.bytes / mostBytes }),
				shareColumn('bytes', allBytes || 1),
				{ key: 'mean', title: 'Mean size', value: (row) => row.bytes / row.count, isNumber: true,
					text: (row) => bytes(row.bytes / row.count) },
			],
		})));
		return new Matrix(place, { names, pairs, state, theme });
	},
};
