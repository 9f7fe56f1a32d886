// SPDX-License-Identifier: BSD-3-Clause
// Paints rows into the pixels of an image: a Uint32Array with one word per pixel, as ImageData has it.

import { SLOTS, OUTSIDE } from './columns.js';

// Rows below this height (in pixels of the image) show the one region with the largest share.
export const LEAST_STACK = 8;

// A word of the image: alpha, blue, green, red from the highest byte, because machines are little-endian.
export const word = (red, green, blue) => ((255 << 24) | (blue << 16) | (green << 8) | red) >>> 0;

// #rgb, #rrggbb or rgb(r, g, b) as a word.
export function wordOfColour(text) {
	const numbers = /^rgba?\(([^)]*)\)/.exec(text);
	if (numbers) {
		const [red, green, blue] = numbers[1].split(/[\s,/]+/).map(Number);
		return word(red, green, blue);
	}
	const hex = text.replace('#', '');
	const full = hex.length === 3 ? [...hex].map((digit) => digit + digit).join('') : hex;
	const number = Number.parseInt(full.slice(0, 6), 16);
	return word((number >> 16) & 255, (number >> 8) & 255, number & 255);
}

// A colour between two others; share 0 is the first one.
export function mix(from, to, share) {
	const part = (shift) => {
		const a = (from >>> shift) & 255;
		const b = (to >>> shift) & 255;
		return Math.round(a + (b - a) * share);
	};
	return word(part(0), part(8), part(16));
}

export class Raster {
	constructor(pixels, stride) {
		this.pixels = pixels;
		this.stride = stride;
		this.top = 0;
		this.bottom = stride > 0 ? pixels.length / stride : 0;
	}

	// Rows are painted only between these lines.
	clip(top, bottom) {
		this.top = Math.max(0, top);
		this.bottom = Math.min(this.pixels.length / this.stride, bottom);
	}

	fill(colour) {
		this.pixels.fill(colour);
	}

	rectangle(x, y, width, height, colour) {
		const left = Math.max(0, x);
		const right = Math.min(this.stride, x + width);
		const bottom = Math.min(this.bottom, y + height);
		for (let line = Math.max(this.top, y); line < bottom && left < right; line++)
			this.pixels.fill(colour, line * this.stride + left, line * this.stride + right);
	}

	// Copies a line to the others of a row.
	repeat(y, height, line) {
		const { pixels, stride } = this;
		for (let to = Math.max(this.top, y); to < Math.min(this.bottom, y + height); to++) {
			if (to !== line)
				pixels.copyWithin(to * stride, line * stride, (line + 1) * stride);
		}
	}

	// A row of locations: palette.colour[key] paints shares, palette.rest what remains, palette.none where nothing is.
	row(columns, y, height, palette) {
		if (height < LEAST_STACK)
			this.thinRow(columns, y, height, palette);
		else
			this.thickRow(columns, y, height, palette);
	}

	thinRow(columns, y, height, palette) {
		const line = Math.max(this.top, y);
		if (line >= Math.min(this.bottom, y + height))
			return;
		const base = line * this.stride;
		for (let x = 0; x < columns.width; x++) {
			let colour = palette.none;
			let most = 0;
			for (let i = x * SLOTS; i < x * SLOTS + columns.nr[x]; i++) {
				if (columns.share[i] > most) {
					most = columns.share[i];
					colour = palette.colour[columns.key[i]];
				}
			}
			if (columns.rest[x] > most)
				colour = palette.rest;
			if (columns.wait[x] > 0.5 && palette.isHatched)
				colour = mix(colour, palette.shade, 0.3);
			this.pixels[base + x] = colour;
		}
		this.repeat(y, height, line);
	}

	thickRow(columns, y, height, palette) {
		let x = 0;
		while (x < columns.width) {
			const end = plainUntil(columns, x);
			if (end > x) {
				const colour = columns.nr[x] === 0 ? palette.none : palette.colour[columns.key[x * SLOTS]];
				this.rectangle(x, y, end - x, height, colour);
				x = end;
			} else {
				this.column(columns, x, y, height, palette);
				x++;
			}
		}
	}

	// Paints lines [from, until) of a pixel column, as far as they are not clipped.
	lines(x, from, until, colour) {
		const { pixels, stride } = this;
		const end = Math.min(until, this.bottom) * stride + x;
		for (let at = Math.max(from, this.top) * stride + x; at < end; at += stride)
			pixels[at] = colour;
	}

	// A pixel column from bottom to top: shares, the rest, nothing; the part that waited is hatched, from the top.
	column(columns, x, y, height, palette) {
		const bottom = y + height;
		let sum = 0;
		let line = bottom;
		const first = x * SLOTS;
		const end = first + columns.nr[x];
		for (let i = first; i <= end; i++) {
			sum += i < end ? columns.share[i] : columns.rest[x];
			const until = Math.max(y, Math.round(bottom - sum * height));
			if (until < line) {
				this.lines(x, until, line, i < end ? palette.colour[columns.key[i]] : palette.rest);
				line = until;
			}
		}
		if (line > y)
			this.lines(x, y, line, palette.none);
		if (columns.wait[x] > 0 && palette.isHatched)
			this.hatch(x, y, Math.max(2, Math.round(Math.min(1, columns.wait[x]) * height)), palette.shade);
	}

	hatch(x, y, height, shade) {
		const { pixels, stride } = this;
		for (let line = Math.max(this.top, y); line < Math.min(this.bottom, y + height); line++) {
			if (((x + line) & 3) < 2)
				pixels[line * stride + x] = mix(pixels[line * stride + x], shade, 0.42);
		}
	}

	// A row of a group: the shares of classes as layers, the first class at the bottom.
	layers(shares, nrClasses, y, height, palette) {
		if (height < LEAST_STACK)
			this.thinLayers(shares, nrClasses, y, height, palette);
		else
			this.thickLayers(shares, nrClasses, y, height, palette);
	}

	thinLayers(shares, nrClasses, y, height, palette) {
		const line = Math.max(this.top, y);
		if (line >= Math.min(this.bottom, y + height))
			return;
		const width = shares.length / nrClasses;
		for (let x = 0, i = 0; x < width; x++) {
			let colour = palette.none;
			let most = 0;
			let none = 1;
			for (let c = 0; c < nrClasses; c++, i++) {
				none -= shares[i];
				if (shares[i] > most) {
					most = shares[i];
					colour = palette.classes[c];
				}
			}
			this.pixels[line * this.stride + x] = none > most ? palette.none : colour;
		}
		this.repeat(y, height, line);
	}

	thickLayers(shares, nrClasses, y, height, palette) {
		const width = shares.length / nrClasses;
		const bottom = y + height;
		for (let x = 0; x < width; x++) {
			let sum = 0;
			let line = bottom;
			for (let c = 0; c < nrClasses; c++) {
				const share = shares[x * nrClasses + c];
				if (share === 0)
					continue;
				sum += share;
				const until = Math.max(y, Math.round(bottom - sum * height));
				if (until < line) {
					this.lines(x, until, line, palette.classes[c]);
					line = until;
				}
			}
			if (line > y)
				this.lines(x, y, line, palette.none);
		}
	}

	// A copy of lines of the image, and putting it back.
	copy(y, height) {
		return this.pixels.slice(y * this.stride, (y + height) * this.stride);
	}

	paste(y, copied) {
		this.pixels.set(copied, y * this.stride);
	}
}

const isPlain = (columns, x) =>
	columns.wait[x] === 0 &&
	columns.rest[x] === 0 &&
	(columns.nr[x] === 0 || (columns.nr[x] === 1 && columns.share[x * SLOTS] > 0.999));

// The end of a run of pixels from x that have the same one region or nothing: x itself if x is no such pixel.
function plainUntil(columns, x) {
	if (!isPlain(columns, x))
		return x;
	const nr = columns.nr[x];
	const key = columns.key[x * SLOTS];
	let end = x + 1;
	while (
		end < columns.width &&
		isPlain(columns, end) &&
		columns.nr[end] === nr &&
		(nr === 0 || columns.key[end * SLOTS] === key)
	)
		end++;
	return end;
}

// The colour of each key: by class, by region, or pale unless the region is looked for.
export function paletteOf({ regions, classColours, regionColours = null, none, rest, shade, found }) {
	const colour = new Uint32Array(regions.length + 1);
	colour[OUTSIDE] = none;
	for (let r = 0; r < regions.length; r++) {
		const plain = regionColours?.[r] ?? classColours[regions[r].class];
		colour[r + 1] = found === null || found.has(r) ? plain : mix(plain, none, 0.8);
	}
	// Where regions are looked for, waiting would hide them.
	return { colour, none, rest, shade, classes: classColours, isHatched: found === null };
}
