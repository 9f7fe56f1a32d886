// SPDX-License-Identifier: BSD-3-Clause
// The window of time that is shown: which ticks the pixels of a row cover, and how zooming and panning move it.

// Fewer ticks than this are never shown: recorded times are integers.
export const FEWEST_TICKS = 16;

const clamp = (value, least, most) => Math.min(Math.max(value, least), most);

export class TimeView {
	// ticks: length of the run; width: of a row in pixels
	constructor(ticks, width) {
		this.ticks = Math.max(ticks, FEWEST_TICKS);
		this.width = Math.max(1, width);
		this.from = 0;
		this.span = this.ticks;
	}

	get until() {
		return this.from + this.span;
	}

	// Ticks in a pixel.
	get omega() {
		return this.span / this.width;
	}

	x(tick) {
		return (tick - this.from) / this.omega;
	}

	tick(x) {
		return this.from + x * this.omega;
	}

	get isWhole() {
		return this.span >= this.ticks;
	}

	resize(width) {
		this.width = Math.max(1, width);
	}

	// Shows [from, until), cut to the run, and at least FEWEST_TICKS of it.
	show(from, until) {
		if (!Number.isFinite(from) || !Number.isFinite(until))
			return;
		const middle = (from + until) / 2;
		this.span = clamp(Math.abs(until - from), FEWEST_TICKS, this.ticks);
		const isCut = this.span !== Math.abs(until - from);
		this.from = clamp(isCut ? middle - this.span / 2 : Math.min(from, until), 0, this.ticks - this.span);
	}

	fit() {
		this.show(0, this.ticks);
	}

	// Zooms by a factor (below 1: closer); the tick at pixel x stays where it is.
	zoom(factor, x) {
		const anchor = this.tick(x);
		this.span = clamp(this.span * factor, FEWEST_TICKS, this.ticks);
		this.from = clamp(anchor - this.span * (x / this.width), 0, this.ticks - this.span);
	}

	// Moves the window by whole pixels: edges of pixels stay edges, so that pixels keep their contents.
	pan(pixels) {
		this.from = clamp(this.from + Math.round(pixels) * this.omega, 0, this.ticks - this.span);
	}

	// Moves the window so that a tick is well within it; tells whether it moved.
	reveal(tick) {
		if (tick >= this.from + this.span * 0.05 && tick <= this.until - this.span * 0.05)
			return false;
		const from = this.from;
		this.from = clamp(tick - this.span / 2, 0, this.ticks - this.span);
		return this.from !== from;
	}

	// The same window in the ticks of another run: `scale` of its ticks are one of these, and it starts `zero` (of its
	// ticks) later.
	of(scale, zero) {
		const other = new TimeView(this.ticks * scale, this.width);
		other.from = this.from * scale - zero;
		other.span = this.span * scale;
		return other;
	}
}
