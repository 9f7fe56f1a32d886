// SPDX-License-Identifier: BSD-3-Clause
// Lays out the rows of all runs of a time line, in the order that the user chose.

import { layoutRows, listRows, rowsOfLocations } from './rows.js';

// Sorting sums up all locations: only where data or what to sort by have changed.
function sortValue(timeline, run) {
	const { state } = timeline;
	const sort = state.get('tl.sort');
	const key = [sort, run.model.version, state.get('search'), state.get('region')].join();
	if (run.sortKey !== key) {
		const value = run.model.valueOf(sort, run.highlighted);
		const values = value && Float64Array.from(run.model.locations, (_, location) => value(location));
		Object.assign(run, { sortKey: key, sortValue: values && ((location) => values[location]) });
	}
	return run.sortValue;
}

export function layRunRows(timeline) {
	for (const run of timeline.runs) {
		const { model } = run;
		const value = sortValue(timeline, run);
		const rows = listRows(model.tree, model.locations, { collapsed: timeline.collapsed(run.index), value });
		const { height } = timeline.places.stacks[run.index].rows;
		run.laid = layoutRows(rows, height, 1.4 ** timeline.state.get('tl.rows'));
		run.rowOf = rowsOfLocations(run.laid.rows, model.locations.length);
		run.scroll = Math.min(Math.max(0, run.scroll), Math.max(0, run.laid.height - height));
	}
}
