// SPDX-License-Identifier: BSD-3-Clause
// Ways from a view to the time line: to a moment of a location, with some time around it.
import { h } from '../dom.js';

// Part of the window that an interval takes that is jumped to.
const SHARE = 0.4;

// The time line's location of a row of the profile's or the analysis's table of locations.
export function timelineLocation(run, index) {
	return run.timeline?.locations.findIndex((location) => location.index === index) ?? -1;
}

// State that shows an interval of a location, in ns as the analysis counts them; the time line starts at start_s.
export function windowAround(run, fromNs, untilNs, location) {
	const length = Math.max(untilNs - fromNs, 1);
	const margin = (length / SHARE - length) / 2;
	const { ticks, start_s: start = 0 } = run.timeline;
	const clamp = (ns) => Math.min(ticks, Math.max(0, run.ticks(ns / 1e9 - start)));
	const from = clamp(fromNs - margin);
	return {
		view: 'timeline', run: run.index, from, until: Math.max(from + 1, clamp(untilNs + margin)),
		location: location == null || location < 0 ? null : location,
	};
}

// A link that opens the time line there; without a time line, the text alone.
export function jumpLink(state, run, { fromNs, untilNs, location }, ...content) {
	if (!run.timeline)
		return h('span', null, content);
	const change = windowAround(run, fromNs, untilNs, location);
	return h('a', {
		href: state.link(change), title: 'Show on the time line',
		onclick: (event) => {
			if (event.metaKey || event.ctrlKey || event.shiftKey)
				return;
			event.preventDefault();
			state.set(change, { step: true });
		},
	}, content);
}
