// SPDX-License-Identifier: BSD-3-Clause
// Flame graph of the call paths: of all locations or of one process; of two runs, coloured by their difference.
import { hasLocationTimes, locationTimes } from '../data/location_times.js';
import { namesOf } from '../data/path_tree.js';
import { shortName } from '../data/short_names.js';
import { h, onceAFrame, sizeCanvas } from '../dom.js';
import { nanoseconds, percent, signed } from '../format.js';
import { choice, integer } from '../state.js';
import { choiceControl, searchControl, selectControl, toolbar } from '../ui/controls.js';
import { createTip, legend, note } from '../ui/elements.js';
import { inclusiveTimes, layout, neighbour } from './flame_layout.js';

const ROW = 20; // px
const LEAST = 0.4; // px: narrower rectangles are not drawn
const LEAST_TEXT = 28; // px
const FONT = '12px ui-monospace, "DejaVu Sans Mono", Menlo, Consolas, monospace';

// What fits of a name, by the width of one character of the font.
function fit(name, room, charWidth) {
	const most = Math.floor(room / charWidth);
	return name.length <= most ? name : most < 3 ? '' : shortName(name, most);
}

class FlameGraph {
	#context;
	#canvas = h('canvas');
	#element;
	#said = h('p', { class: 'note said', role: 'status' });
	#crumbs = h('p', { class: 'crumbs' });
	#tip;
	#rectangles = [];
	#active = null;
	#times = null;
	#other = null; // of two runs: times of the other one
	#observer;
	#draw = onceAFrame(() => this.#paint());

	constructor(container, context) {
		this.#context = context;
		this.#element = h('div', {
			class: 'picture flame', tabindex: 0, role: 'application', 'aria-roledescription': 'flame graph',
			'aria-label': 'Flame graph. Arrow keys move, Enter zooms in, Escape zooms out.',
			onkeydown: (event) => this.#press(event), onclick: (event) => this.#click(event),
			onpointermove: (event) => this.#point(event), onpointerleave: () => this.#tip.hide(),
			onfocus: this.#draw, onblur: this.#draw,
		}, this.#canvas);
		container.append(this.#crumbs, this.#element, this.#said);
		this.#tip = createTip(container);
		context.state.subscribe(['flame.focus', 'search', 'region', 'path'], this.#draw);
		this.#observer = new ResizeObserver(this.#draw);
		this.#observer.observe(this.#element);
	}

	// times: inclusive ns by node; other: of the run that these are compared with, or null
	show(times, other = null) {
		this.#times = times;
		this.#other = other;
		this.#draw();
	}

	destroy() {
		this.#observer.disconnect();
	}

	get #focus() {
		const { tree, state } = this.#context;
		const node = tree.nodes[state.get('flame.focus') ?? 0];
		return node && this.#times[node.id] > 0 ? node : tree.root;
	}

	#paint() {
		if (!this.#times || !this.#element.isConnected)
			return;
		const width = this.#element.clientWidth;
		this.#rectangles = layout(this.#focus, this.#times, LEAST / width);
		const nrRows = 1 + this.#rectangles.reduce((most, { depth }) => Math.max(most, depth), 0);
		const canvas = sizeCanvas(this.#canvas, width, nrRows * ROW);
		canvas.font = FONT;
		canvas.textBaseline = 'middle';
		const charWidth = canvas.measureText('M').width;
		for (const rectangle of this.#rectangles)
			this.#paintOne(canvas, rectangle, width, charWidth);
		if (!this.#rectangles.some(({ node }) => node === this.#active))
			this.#active = null;
		this.#paintFrames(canvas, width);
		this.#showCrumbs();
	}

	#paintOne(canvas, { node, x, width, depth, isAbove }, total, charWidth) {
		const { state, theme } = this.#context;
		const search = (state.get('search') ?? '').toLowerCase();
		const isDim = isAbove || (search !== '' && !node.name.toLowerCase().includes(search));
		const colour = this.#colourOf(node);
		canvas.globalAlpha = isDim ? 0.35 : 1;
		canvas.fillStyle = colour;
		const room = width * total - 1;
		canvas.fillRect(x * total, depth * ROW, Math.max(room, 0.5), ROW - 1);
		if (room < LEAST_TEXT)
			return;
		canvas.fillStyle = isDim ? theme.variable('--ink') : theme.inkOn(colour);
		canvas.globalAlpha = isDim ? 0.8 : 1;
		const name = node.parent ? node.name : 'all';
		canvas.fillText(fit(name, room - 8, charWidth), x * total + 4, depth * ROW + ROW / 2);
	}

	#paintFrames(canvas, width) {
		const { theme, selected } = this.#context;
		canvas.globalAlpha = 1;
		const frame = ({ x, width: w, depth }, colour, line) => {
			canvas.strokeStyle = colour;
			canvas.lineWidth = line;
			canvas.strokeRect(x * width + 1, depth * ROW + 1, Math.max(2, w * width - 3), ROW - 3);
		};
		for (const rectangle of this.#rectangles)
			if (selected(rectangle.node))
				frame(rectangle, theme.variable('--ink'), 1.5);
		const active = this.#rectangles.find(({ node }) => node === this.#active);
		if (active && document.activeElement === this.#element)
			frame(active, theme.variable('--ink'), 2.5);
	}

	#colourOf(node) {
		const { theme } = this.#context;
		if (!this.#other)
			return theme.regionColour({ name: node.name, class: node.group });
		const [a, b] = this.#both(node);
		// A path with half or twice the time has the full colour.
		return theme.difference(((b - a) / (Math.max(a, b) || 1)) * 2);
	}

	// Times of the first and of the second run.
	#both(node) {
		const times = [this.#times[node.id], this.#other[node.id]];
		return this.#context.run.index === 0 ? times : times.reverse();
	}

	#showCrumbs() {
		const { state } = this.#context;
		const nodes = [];
		for (let at = this.#focus; at; at = at.parent)
			nodes.unshift(at);
		this.#crumbs.hidden = nodes.length < 2;
		this.#crumbs.replaceChildren(...nodes.flatMap((node, i) => {
			const name = node.parent ? node.name : 'all';
			const open = () => state.set({ 'flame.focus': node.parent ? node.id : null }, { step: true });
			return i === nodes.length - 1 ? [h('strong', null, name)]
				: [h('button', { class: 'link', onclick: open }, name), ' / '];
		}));
	}

	#linesOf(node) {
		const { tree } = this.#context;
		const time = this.#times[node.id];
		const lines = [node.parent ? node.name : 'all call paths',
			`${nanoseconds(time)}, ${percent(time / this.#times[tree.root.id])} of all`];
		if (this.#other) {
			const [a, b] = this.#both(node);
			lines.push(`A ${nanoseconds(a)}, B ${nanoseconds(b)}: ${signed(nanoseconds, b - a)}`);
		}
		if (node.file)
			lines.push(`${node.file}:${node.line}`);
		return lines;
	}

	#at(event) {
		const { left, top, width } = this.#canvas.getBoundingClientRect();
		const x = (event.clientX - left) / width;
		const depth = Math.floor((event.clientY - top) / ROW);
		return this.#rectangles.find((r) => r.depth === depth && x >= r.x && x < r.x + r.width) ?? null;
	}

	#point(event) {
		const found = this.#at(event);
		if (found)
			this.#tip.show(event, this.#linesOf(found.node));
		else
			this.#tip.hide();
		this.#element.style.cursor = found ? 'pointer' : '';
	}

	#click(event) {
		const found = this.#at(event);
		if (found)
			this.#zoom(found.node);
	}

	#zoom(node) {
		const { state, select } = this.#context;
		this.#active = node;
		select(node);
		state.set({ 'flame.focus': node.parent ? node.id : null }, { step: true });
	}

	#press(event) {
		const at = this.#rectangles.find(({ node }) => node === this.#active);
		if (event.key === 'Enter' && at) {
			this.#zoom(at.node);
		} else if (event.key === 'Escape') {
			this.#zoom(this.#focus.parent ?? this.#focus);
		} else if (event.key.startsWith('Arrow')) {
			const next = at ? neighbour(this.#rectangles, at, event.key) : this.#rectangles[0];
			if (next) {
				this.#active = next.node;
				const [, ...lines] = this.#linesOf(next.node);
				this.#said.textContent = `${namesOf(next.node).join('/')}: ${lines.join('; ')}`;
			}
			this.#draw();
		} else {
			return;
		}
		event.preventDefault();
	}
}

function partsOf(run) {
	const { processes } = run.timeline ?? {};
	return [[null, 'all locations'], ...(processes ?? []).map(({ name }, index) => [index, name])];
}

// Times of what is chosen: all, or a process.
async function weightsOf(run, tree, process) {
	if (process === null)
		return null;
	return (await locationTimes(run, tree))?.ofProcess(process) ?? null;
}

export const flame = {
	id: 'flame',
	title: 'Flame graph',
	has: ({ runs }) => runs.some(({ profile }) => profile?.paths?.length > 1),
	create(container, { state, theme, run, runs, paths }) {
		const { tree } = paths;
		state.define('flame.focus', integer());
		state.define('flame.of', integer());
		state.define('flame.by', choice(['region', 'difference'], runs.length > 1 ? 'difference' : 'region'));
		const controls = [searchControl(state, 'search', 'Search regions')];
		if (hasLocationTimes(run) && run.timeline.processes.length > 1)
			controls.push(selectControl(state, 'flame.of', 'Time of', partsOf(run)));
		if (runs.length > 1)
			controls.push(choiceControl(state, 'flame.by', 'Colours',
				[['difference', 'difference'], ['region', 'region']]));
		container.append(toolbar(controls));
		const graph = new FlameGraph(container, {
			tree, state, theme, run, select: (node) => paths.select(node), selected: (node) => paths.isSelected(node),
		});
		const key = h('div');
		container.append(key, note('A call is as wide as its time, and under the call that it is in. ',
			'A click or Enter zooms in, Escape zooms out.'));
		const other = runs[1 - run.index];

		async function show() {
			const isDifference = other && state.get('flame.by') === 'difference';
			const weights = await weightsOf(run, tree, isDifference ? null : state.get('flame.of'));
			graph.show(inclusiveTimes(tree, run.index, weights),
				isDifference ? inclusiveTimes(tree, other.index) : null);
			key.replaceChildren(isDifference ? legend([
				[theme.difference(1), `B (${runs[1].name}) takes more time than A`], [theme.difference(0), 'the same'],
				[theme.difference(-1), 'less'],
			]) : '');
		}
		state.subscribe(['flame.of', 'flame.by'], show);
		show();
		return graph;
	},
};
