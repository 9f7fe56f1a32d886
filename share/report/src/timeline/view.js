// SPDX-License-Identifier: BSD-3-Clause
// The window of time that is shown: which ticks the pixels of a row cover, and how zooming and panning move it.

// Fewer ticks than this are never shown: recorded times are integers.
export const FEWEST_TICKS = 16;

export class TimeView {
	constructor(ticks, width) {
		this.ticks = Math.max(ticks, FEWEST_TICKS);
		this.width = Math.max(1, width);
		this.from = 0;
		this.until = this.ticks;
	}

	// Ticks in a pixel.
	get omega() {
		return (this.until - this.from) / this.width;
	}

	x(tick) {
		return (tick - this.from) / this.omega;
	}

	tick(x) {
		return this.from + x * this.omega;
	}

	get isWhole() {
		return this.from <= 0 && this.until >= this.ticks;
	}

	resize(width) {
		this.width = Math.max(1, width);
	}

	// Shows [from, until), cut to the run, and at least FEWEST_TICKS of it.
	show(from, until) {
		if (!Number.isFinite(from) || !Number.isFinite(until))
			return;
		const span = Math.min(Math.max(Math.abs(until - from), FEWEST_TICKS), this.ticks);
		const middle = (from + until) / 2;
		this.from = Math.min(Math.max(middle - span / 2, 0), this.ticks - span);
		this.until = this.from + span;
	}

	fit() {
		this.show(0, this.ticks);
	}

	// Zooms by a factor (below 1: closer); the tick at pixel x stays where it is.
	zoom(factor, x) {
		const anchor = this.tick(x);
		const span = Math.min(Math.max((this.until - this.from) * factor, FEWEST_TICKS), this.ticks);
		const from = anchor - span * (x / this.width);
		this.from = Math.min(Math.max(from, 0), this.ticks - span);
		this.until = this.from + span;
	}

	// Moves the window by whole pixels: edges of pixels stay edges, so that pixels keep their contents.
	pan(pixels) {
		const span = this.until - this.from;
		const from = this.from + Math.round(pixels) * this.omega;
		this.from = Math.min(Math.max(from, 0), this.ticks - span);
		this.until = this.from + span;
	}

	// Moves the window so that a tick is within its middle part; tells whether it moved.
	reveal(tick) {
		const span = this.until - this.from;
		if (tick >= this.from + span * 0.05 && tick <= this.until - span * 0.05)
			return false;
		this.show(tick - span / 2, tick + span / 2);
		return true;
	}
}
