// SPDX-License-Identifier: BSD-3-Clause
// The time axis above the panels, from the first task on; a drag over it selects a window.
import { h, sizeCanvas } from '../dom.js';
import { axisTicks } from '../timeline/axis.js';
import { fitText, FONT } from './draw_lanes.js';
import { listenToPicture } from './input.js';

const HEIGHT = 24;
const LEAST = 80; // px between two labels

export class AxisView {
	#board;
	#canvas = h('canvas');
	isTimeless = false;

	constructor(board, model) {
		this.#board = board;
		this.model = model;
		this.element = h('div', { class: 'tk-axis', 'aria-hidden': 'true' }, this.#canvas);
		listenToPicture(board, this);
	}

	x({ clientX }) {
		return clientX - this.#canvas.getBoundingClientRect().left - this.#board.gutter;
	}

	draw() {
		const { gutter, plot, colours, width, models } = this.#board;
		const { model } = this;
		const view = this.#board.viewOf(model);
		const canvas = sizeCanvas(this.#canvas, width, HEIGHT);
		const from = model.seconds(view.from);
		const until = model.seconds(view.until);
		const shift = Math.min(0, from); // labels of axisTicks() are for times from 0 on
		const { ticks } = axisTicks(Math.max(from, 0), until, ((until - from) * LEAST) / plot);
		canvas.font = FONT;
		canvas.textBaseline = 'middle';
		canvas.textAlign = 'left';
		canvas.fillStyle = colours.ink;
		if (models.length > 1)
			canvas.fillText(fitText(canvas, model.run.name, gutter - 6), 2, HEIGHT / 2);
		for (const { seconds, label } of ticks) {
			const x = gutter + ((seconds - from) / (until - from)) * plot;
			if (shift > seconds || x > width - 10)
				continue;
			canvas.fillStyle = colours.line;
			canvas.fillRect(x, HEIGHT - 6, 1, 6);
			canvas.fillStyle = colours.muted;
			canvas.fillText(fitText(canvas, label, width - x - 4), x + 3, HEIGHT / 2 - 2);
		}
		canvas.fillStyle = colours.line;
		canvas.fillRect(gutter, HEIGHT - 1, plot, 1);
	}

	select() {}

	point(event) {
		this.#board.point(event, this, []);
	}

	leave() {
		this.#board.leave();
	}
}
