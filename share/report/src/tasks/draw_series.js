// SPDX-License-Identifier: BSD-3-Clause
// Panels of numbers over time: lines, heat maps, and bars, which have no time. Scenes: draw_lanes.js
import { percent, quantity, seconds } from '../format.js';
import { roundStep } from '../timeline/axis.js';
import { FONT, nameGroups } from './draw_lanes.js';

// Lines with a name of their own; more cannot be told apart.
export const MOST_NAMED = 8;

export function valueText(value, unit) {
	switch (unit) {
	case 's':
		return seconds(value);
	case 'share':
		return percent(value);
	case '%':
		return percent(value / 100);
	default:
		return quantity(value, unit);
	}
}

// Beside an axis: the title of the panel has the unit.
const axisText = (value, unit) => (unit === 's' || unit === 'share' || unit === '%' ? valueText(value, unit)
	: quantity(+value.toPrecision(3)));

// Page ticks of a slice of a panel.
export const stepOf = ({ model, panel }) => panel.step ?? model.header.step;

export const valuesOf = ({ model, panel }) => model.series.get(panel.id)?.values ?? [];

// [first, last) of the slices in the window
export function slicesIn({ view, model }, step, nr) {
	return [Math.max(0, Math.floor((view.from - model.zero) / step)),
		Math.min(nr, Math.ceil((view.until - model.zero) / step))];
}

/*
 * The greatest value of a panel in the window, in all runs, so that their scales are equal. Without viewOf() it is that
 * of all values.
 */
export function greatest(models, panel, viewOf = null) {
	let most = 0;
	for (const model of models) {
		const step = panel.step ?? model.header.step;
		for (const values of model.series.get(panel.id)?.values ?? []) {
			const [first, last] = viewOf && panel.kind !== 'bars'
				? slicesIn({ view: viewOf(model), model }, step, values.length) : [0, values.length];
			for (let i = first; i < last; i++)
				if (values[i] > most)
					most = values[i];
		}
	}
	return most;
}

/* Lines */

export function drawScale(scene, top) {
	const { canvas, colours, gutter, plot, height, panel, most } = scene;
	const step = roundStep((most || 1) / 4);
	const y = (value) => height - 1 - (value / (most || 1)) * (height - top);
	canvas.font = FONT;
	canvas.textAlign = 'right';
	canvas.textBaseline = 'middle';
	for (let i = 0; i * step <= most * 1.0001; i++) {
		canvas.fillStyle = colours.grid;
		canvas.fillRect(gutter, Math.round(y(i * step)), plot, 1);
		canvas.fillStyle = colours.muted;
		canvas.fillText(axisText(i * step, panel.unit), gutter - 5, Math.max(6, Math.min(height - 6, y(i * step))));
	}
	return y;
}

function drawLine(scene, values, colour, y) {
	const { canvas, gutter, view, model } = scene;
	const step = stepOf(scene);
	const [first, last] = slicesIn(scene, step, values.length);
	canvas.strokeStyle = colour;
	canvas.lineWidth = 1.3;
	canvas.beginPath();
	for (let i = first; i < last; i++) {
		const x = gutter + view.x(model.zero + i * step);
		if (i === first || Number.isNaN(values[i - 1]))
			canvas.moveTo(x, y(values[i]));
		else
			canvas.lineTo(x, y(values[i]));
		const end = Math.min(model.zero + (i + 1) * step, Math.max(model.last, model.zero + i * step));
		canvas.lineTo(gutter + view.x(end), y(values[i]));
	}
	canvas.stroke();
	canvas.lineWidth = 1;
}

export const lines = {
	height: () => 96,
	draw(scene) {
		const { canvas, colours, gutter, plot, height } = scene;
		const y = drawScale(scene, 6);
		canvas.save();
		canvas.beginPath();
		canvas.rect(gutter, 0, plot, height);
		canvas.clip();
		valuesOf(scene).forEach((values, group) =>
			drawLine(scene, values, group < MOST_NAMED ? colours.lineOf(group) : colours.muted, y));
		canvas.restore();
	},
	linesAt(scene, x) {
		const { panel, view, model } = scene;
		const slice = Math.floor((view.tick(x) - model.zero) / stepOf(scene));
		return valuesOf(scene).slice(0, MOST_NAMED).flatMap((values, group) => (slice >= 0 && slice < values.length
			? [`${panel.groups[group] || panel.title}: ${valueText(values[slice], panel.unit)}`] : []));
	},
};

// So many rows have room for their names.
const MOST_HIGH = 20;

/* Heat maps: a row for each group, dark and light as the scale of the theme has it. */

export const heat = {
	height: (models, { id }) => {
		const nr = Math.max(...models.map((model) => model.series.get(id)?.values.length ?? 0));
		return Math.min(260, Math.max(24, (nr <= MOST_HIGH ? 13 : 8) * nr));
	},
	draw(scene) {
		const { canvas, colours, gutter, view, model, height, panel, plot, most } = scene;
		const rows = valuesOf(scene);
		const step = stepOf(scene);
		const each = height / rows.length;
		canvas.save();
		canvas.beginPath();
		canvas.rect(gutter, 0, plot, height);
		canvas.clip();
		rows.forEach((values, row) => {
			const [first, last] = slicesIn(scene, step, values.length);
			for (let i = first, next; i < last; i = next) {
				const colour = colours.heat(values[i] / (most || 1));
				for (next = i + 1; next < last && colours.heat(values[next] / (most || 1)) === colour;)
					next++;
				const x = view.x(model.zero + i * step);
				const end = Math.min(view.x(model.zero + next * step), Math.max(view.x(model.last), x));
				canvas.fillStyle = colour;
				canvas.fillRect(gutter + x, row * each, Math.max(end - x + 0.3, 0.5), each + (each < 4 ? 0.3 : -0.5));
			}
		});
		canvas.restore();
		nameGroups(scene, panel.groups, rows.map((_, row) => ({ y: row * each, height: each })));
	},
	linesAt(scene, x, y) {
		const { panel, view, model, height } = scene;
		const rows = valuesOf(scene);
		const row = Math.floor((y * rows.length) / height);
		const slice = Math.floor((view.tick(x) - model.zero) / stepOf(scene));
		const value = rows[row]?.[slice];
		return value === undefined ? [] : [`${panel.groups[row] || panel.title}: ${valueText(value, panel.unit)}`];
	},
};

/* Bars: the first part of each group is one, others are marks; they have a scale of their own. */

const BAR = 18;
const BAR_TEXT = 66; // for a value behind it
const MOST_BARS = 40;

export const bars = {
	isTimeless: true,
	height: (models, { id }) => 16 + BAR * Math.min(MOST_BARS,
		Math.max(...models.map((model) => model.series.get(id)?.values.length ?? 0))),
	draw(scene) {
		const { canvas, colours, gutter, plot, panel, most } = scene;
		const groups = valuesOf(scene).slice(0, MOST_BARS);
		const x = (value) => gutter + (value / (most || 1)) * (plot - BAR_TEXT * panel.columns.length);
		groups.forEach((parts, group) => {
			const y = group * BAR + 3;
			canvas.fillStyle = colours.lineOf(0);
			canvas.fillRect(gutter, y, Math.max(x(parts[0]) - gutter, 1), BAR - 7);
			for (let part = 1; part < parts.length; part++) {
				if (!Number.isFinite(parts[part]))
					continue;
				canvas.fillStyle = colours.lineOf(part);
				canvas.strokeStyle = colours.background;
				canvas.beginPath();
				canvas.arc(x(parts[part]), y + (BAR - 7) / 2, 5, 0, 2 * Math.PI);
				canvas.fill();
				canvas.stroke();
			}
			canvas.font = FONT;
			canvas.textAlign = 'left';
			canvas.textBaseline = 'middle';
			canvas.fillStyle = colours.ink;
			const end = x(Math.max(...parts.filter(Number.isFinite)));
			const words = [...parts].filter(Number.isFinite).map((value) => valueText(value, panel.unit));
			canvas.fillText(words.join(' · '), end + 9, y + (BAR - 7) / 2);
		});
		nameGroups(scene, panel.groups.slice(0, MOST_BARS),
			groups.map((_, group) => ({ y: group * BAR, height: BAR })));
	},
	linesAt(scene, x, y) {
		const { panel } = scene;
		const group = Math.floor(y / BAR);
		const parts = valuesOf(scene)[group];
		return parts ? [panel.groups[group], ...[...parts].map((value, part) =>
			`${panel.columns?.[part] ?? ''} ${valueText(value, panel.unit)}`.trim())] : [];
	},
};
