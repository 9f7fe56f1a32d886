// SPDX-License-Identifier: BSD-3-Clause
// Panels of stacked areas: a row for each worker, class or memory node, in it a layer for each type of tasks or state.
import { nameGroups } from './draw_lanes.js';
import { slicesIn, stepOf, valuesOf, valueText } from './draw_series.js';

const nrRows = ({ rows }) => rows.length;

// The greatest sum of the layers of a row, at any time, in a run.
function greatestSum(model, panel) {
	const sums = new Map();
	let most = 0;
	(model.series.get(panel.id)?.values ?? []).forEach((values, group) => {
		const row = panel.rowOf[group];
		if (!sums.has(row))
			sums.set(row, new Float64Array(values.length));
		const sum = sums.get(row);
		values.forEach((value, slice) => {
			if (value > 0)
				sum[slice] += value;
			if (sum[slice] > most)
				most = sum[slice];
		});
	});
	return most;
}

const rowPlaces = ({ panel, height }) => Array.from({ length: nrRows(panel) }, (_, row) => (
	{ y: (row * height) / nrRows(panel), height: height / nrRows(panel) }));

export const areas = {
	height: (models, { id }) => {
		const nr = Math.max(...models.map(({ series }) => series.get(id)?.panel.rows.length ?? 0));
		return Math.min(500, Math.max(70, 22 * nr));
	},
	draw(scene) {
		const { canvas, colours, gutter, plot, view, model, models, panel, height } = scene;
		const step = stepOf(scene);
		const places = rowPlaces(scene);
		const all = valuesOf(scene);
		const most = Math.max(...models.map((other) => greatestSum(other, other.series.get(panel.id)?.panel ?? panel)));
		const below = places.map(() => new Float64Array(all[0]?.length ?? 0));
		canvas.save();
		canvas.beginPath();
		canvas.rect(gutter, 0, plot, height);
		canvas.clip();
		all.forEach((values, group) => {
			const { y, height: room } = places[panel.rowOf[group]];
			const base = below[panel.rowOf[group]];
			const scale = (0.9 * room) / (most || 1);
			const [first, last] = slicesIn(scene, step, values.length);
			canvas.fillStyle = colours.named(panel.groups[group]);
			for (let i = first; i < last; i++) {
				if (!(values[i] > 0))
					continue;
				const x = view.x(model.zero + i * step);
				const end = Math.min(view.x(model.zero + (i + 1) * step), Math.max(view.x(model.last), x));
				canvas.fillRect(gutter + x, y + room - (base[i] + values[i]) * scale, Math.max(end - x + 0.3, 0.5),
					values[i] * scale);
				base[i] += values[i];
			}
		});
		canvas.restore();
		nameGroups(scene, panel.rows, places);
	},
	linesAt(scene, x, y) {
		const { panel, view, model, height } = scene;
		const row = Math.floor((y * nrRows(panel)) / height);
		const slice = Math.floor((view.tick(x) - model.zero) / stepOf(scene));
		return [panel.rows[row], ...valuesOf(scene).flatMap((values, group) => (panel.rowOf[group] === row &&
			values[slice] > 0 ? [`${panel.groups[group]}: ${valueText(values[slice], panel.unit)}`] : []))];
	},
};
