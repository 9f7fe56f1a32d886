// SPDX-License-Identifier: BSD-3-Clause
// How a panel is drawn: by its kind; those of tasks have drawings of their own.
import { areas } from './draw_areas.js';
import { boxes, iterations, spaceTime } from './draw_lanes.js';
import { bars, heat, lines } from './draw_series.js';

const OF_TASKS = { st: spaceTime, iteration: iterations };
const KINDS = { line: lines, area: areas, heat, bars, gantt: boxes };

export const drawingOf = ({ id, kind }) => OF_TASKS[id] ?? KINDS[kind];

// Whether what the panel is drawn of is in the page.
export function isDrawable(model, { id }) {
	if (id === 'st')
		return model.tasks?.nr > 0;
	if (id === 'iteration')
		return model.nrIterations > 0;
	if (model.boxes?.has(id))
		return model.boxes.get(id).nr > 0;
	return (model.series.get(id)?.values ?? []).some((values) => values.length > 0);
}
