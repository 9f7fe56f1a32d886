// SPDX-License-Identifier: BSD-3-Clause
// Paints what is made of pixels: the map of the run, the rows of groups and locations, and the stack below them.

import { OUTSIDE } from './columns.js';
import { binsPerPixel } from './levels.js';
import { Raster, mix, paletteOf, word, wordOfColour } from './raster.js';

// Rows of at least this many CSS pixels have a line of background between them.
const LEAST_GAPPED = 5;

// Of the time that regions have which are not kept (columns.js).
export const restColour = (theme) => (theme.isDark ? '#6b727d' : '#a9afb8');

// colourOf(region index): null to colour by class.
export function makePalette(theme, model, { colourOf, found }) {
	const { regions, classes } = model.timeline;
	const none = wordOfColour(theme.variable('--background') || '#ffffff');
	const plain = classes.map((name) => wordOfColour(theme.classColour(name)));
	const palette = paletteOf({
		regions,
		found,
		none,
		classColours: plain,
		regionColours: colourOf && regions.map((_, region) => wordOfColour(colourOf(region))),
		rest: wordOfColour(restColour(theme)),
		shade: theme.isDark ? word(0, 0, 0) : word(20, 20, 20),
	});
	palette.colour[OUTSIDE] = wordOfColour(theme.classColour('outside'));
	palette.classes = found === null ? plain : plain.map((colour) => mix(colour, none, 0.65));
	palette.pending = mix(palette.rest, none, 0.7);
	return palette;
}

// Lines of the image that a place in CSS pixels covers.
export function lines(top, height, ratio) {
	const y = Math.round(top * ratio);
	return { y, height: Math.max(1, Math.round((top + height) * ratio) - y) };
}

export class RowPainter {
	constructor() {
		this.image = null;
	}

	#raster(timeline) {
		const { places, ratio } = timeline;
		const width = timeline.view.width;
		const height = Math.round(places.height * ratio);
		if (this.image?.width !== width || this.image?.height !== height) {
			this.image = new ImageData(width, height);
			this.pixels = new Uint32Array(this.image.data.buffer);
		}
		return new Raster(this.pixels, width);
	}

	// Paints all rows of all runs; the caller puts the image into the canvas.
	paint(timeline) {
		const raster = this.#raster(timeline);
		const { places, ratio } = timeline;
		raster.fill(timeline.palettes[0].none);
		this.#map(timeline, raster);
		timeline.runs.forEach((run, index) => {
			const place = places.stacks[index];
			const view = timeline.viewOf(index);
			const palette = timeline.palettes[index];
			run.model.startFrame();
			this.#group(raster, run.model, run.model.all, view, {
				...lines(place.all.top, place.all.height, ratio),
				palette,
			});
			raster.clip(
				Math.round(place.rows.top * ratio),
				Math.round((place.rows.top + place.rows.height) * ratio),
			);
			this.#rows(timeline, raster, run, place, view, palette);
			run.model.forget();
			raster.clip(0, Infinity);
		});
		return this.image;
	}

	// The whole run; it changes with data and colours only.
	#map(timeline, raster) {
		const { places, ratio, runs, palettes } = timeline;
		const key = [raster.stride, ratio, ...runs.map(({ model }) => model.version)].join();
		const lower = Math.round((places.map.top + places.map.height) * ratio);
		if (this.mapKey === key && this.mapPalettes === palettes) {
			raster.paste(0, this.mapLines);
			return;
		}
		const share = (places.map.height - 4) / runs.length;
		runs.forEach(({ model }, index) => {
			const view = timeline.mapViewOf(index);
			const place = lines(places.map.top + 2 + share * index, share, ratio);
			this.#group(raster, model, model.all, view, { ...place, palette: palettes[index] });
		});
		this.mapKey = key;
		this.mapPalettes = palettes;
		this.mapLines = raster.copy(0, lower);
	}

	#group(raster, model, row, view, { y, height, palette }) {
		const shares = model.layers(row, view);
		if (shares)
			raster.layers(shares, model.timeline.classes.length, y, height, palette);
		else
			raster.rectangle(0, y, view.width, height, palette.none);
	}

	#rows(timeline, raster, run, place, view, palette) {
		const { ratio } = timeline;
		const shown = run.laid.rows.filter(
			(row) => row.y + row.height > run.scroll && row.y < run.scroll + place.rows.height,
		);
		const bins = binsPerPixel(shown.length, view.width);
		for (const row of shown) {
			const gap = row.height >= LEAST_GAPPED ? 1 : 0;
			const line = lines(place.rows.top + row.y - run.scroll, row.height - gap, ratio);
			if (row.kind !== 'location') {
				this.#group(raster, run.model, row, view, { ...line, palette });
				continue;
			}
			const columns = run.model.columns(row.index, view, bins);
			if (columns)
				raster.row(columns, line.y, line.height, palette);
			else
				raster.rectangle(0, line.y, view.width, line.height, palette.pending);
		}
	}
}
