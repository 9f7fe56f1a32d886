// SPDX-License-Identifier: BSD-3-Clause
// Lays out the rows of all runs of a time line, in the order that the user chose.

import { layoutRows, listRows, rangeOfHeight, rowsOfLocations } from './rows.js';

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

const factorOf = (timeline) => 1.4 ** timeline.state.get('tl.rows');

function rowsOf(timeline, run) {
	const { tree, locations } = run.model;
	return listRows(tree, locations, {
		collapsed: timeline.collapsed(run.index),
		value: sortValue(timeline, run),
	});
}

// Heights that the rows of a run would have: {most, fair}.
export const sizeOfRows = (timeline, run) => rangeOfHeight(rowsOf(timeline, run), factorOf(timeline));

export function layRunRows(timeline) {
	for (const run of timeline.runs) {
		const { model } = run;
		const { height } = timeline.places.stacks[run.index].rows;
		run.laid = layoutRows(rowsOf(timeline, run), height, factorOf(timeline));
		run.rowOf = rowsOfLocations(run.laid.rows, model.locations.length);
		run.scroll = Math.min(Math.max(0, run.scroll), Math.max(0, run.laid.height - height));
	}
}
