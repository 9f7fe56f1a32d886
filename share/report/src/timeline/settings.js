// SPDX-License-Identifier: BSD-3-Clause
// What the user set in the time line, as fields of the page's address.

export const SORTS = ['order', 'waiting', 'region'];
export const COLOURS = ['class', 'region'];

// Ids of rows (h0, p0, p1, p2, p7) as h0.p0-2.p7: a run of many processes stays a short address.
export function packIds(ids) {
	const kinds = new Map();
	for (const id of ids) {
		if (!kinds.has(id[0]))
			kinds.set(id[0], []);
		kinds.get(id[0]).push(Number(id.slice(1)));
	}
	const words = [];
	for (const [kind, numbers] of [...kinds].sort()) {
		numbers.sort((a, b) => a - b);
		for (let i = 0; i < numbers.length;) {
			let j = i;
			while (j + 1 < numbers.length && numbers[j + 1] === numbers[j] + 1)
				j++;
			words.push(`${kind}${numbers[i]}${j > i ? `-${numbers[j]}` : ''}`);
			i = j + 1;
		}
	}
	return words.join('.');
}

const MOST_IDS = 1e6;

export function unpackIds(text) {
	const ids = new Set();
	for (const word of (text ?? '').split('.')) {
		const parts = /^([hp])(\d{1,7})(?:-(\d{1,7}))?$/.exec(word);
		if (!parts)
			continue;
		const last = Number(parts[3] ?? parts[2]);
		for (let i = Number(parts[2]); i <= last && ids.size < MOST_IDS; i++)
			ids.add(`${parts[1]}${i}`);
	}
	return ids;
}

// Of messages, waits, collectives and calls, one at most is selected.
export const NOTHING_SELECTED = { message: null, 'tl.wait': null, 'tl.depth': null, 'tl.collective': null };

// Defines the fields of the time line; those of state.js (from, until, run, location, region, message, search) exist.
export function defineSettings(state, { text, integer, choice, flag }) {
	state.define('tl.collapsed', text()); // null: as defaultCollapsed() says
	state.define('tl.collapsed2', text());
	state.define('tl.sort', choice(SORTS));
	state.define('tl.colours', choice(COLOURS));
	state.define('tl.critical', flag(false));
	state.define('tl.lines', flag(true));
	state.define('tl.rows', integer(0));
	state.define('tl.row', text(null));
	state.define('tl.at', integer());
	state.define('tl.zero', integer(0));
	state.define('tl.wait', integer());
	state.define('tl.depth', integer()); // of the selected call, at tl.at in the open location
	state.define('tl.collective', integer());
	state.define('tl.stack', flag(true)); // of the first location, if there is room and no location is selected
}
