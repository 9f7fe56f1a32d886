// SPDX-License-Identifier: BSD-3-Clause
// Commands that go from one place of a run to another: along messages, from a wait to its cause, to what was searched
// for.

import { nextInBins, nextInSegments } from './search.js';
import { NOTHING_SELECTED } from './settings.js';
import { segmentAt } from './stack.js';
import { describeCollective, describeMessage, describeWait, lastToCome } from './words.js';

// Part of the class Commands.
export class FollowCommands {
	#sayPairs(title, pairs) {
		this.say([title, ...pairs.map(([name, value]) => `${name} ${value}`)].join(', '));
	}

	selectMessage(run, index) {
		this.timeline.set({ ...NOTHING_SELECTED, run, message: index });
		this.#sayPairs('Message', describeMessage(this.timeline.runs[run].model, index));
	}

	selectCollective(run, index) {
		this.timeline.set({ ...NOTHING_SELECTED, run, 'tl.collective': index });
		this.#sayPairs('Collective', describeCollective(this.timeline.runs[run].model, index));
	}

	#messageOf(run) {
		const { state, runs } = this.timeline;
		const index = state.get('message');
		return index !== null && index >= 0 && index < (runs[run].model.messages?.nr ?? 0) ? index : -1;
	}

	// From the sender's end to the receiver's; from there to the next message that the receiver sends.
	followMessage() {
		const { timeline } = this;
		const run = timeline.selectedRun;
		const { model } = timeline.runs[run];
		let index = this.#messageOf(run);
		if (index < 0)
			return this.nextMessage();
		const { send, receive, from, to } = model.messages;
		const isAtReceiver =
			this.focusedLocation() === to[index] &&
			timeline.cursor.tick !== null &&
			Math.abs(timeline.cursor.tick - receive[index]) < 1;
		if (!isAtReceiver) {
			this.focusLocation(run, to[index], receive[index], { quiet: true });
			return this.selectMessage(run, index);
		}
		index = model.arrows.nextSent(to[index], receive[index]);
		if (index < 0)
			return this.say('This location sends no later message.');
		this.focusLocation(run, from[index], send[index], { quiet: true });
		return this.selectMessage(run, index);
	}

	#stepMessage(direction) {
		const { timeline } = this;
		const { run } = timeline.cursor;
		const { arrows, messages } = timeline.runs[run].model;
		let location = this.focusedLocation();
		if (!arrows || messages.nr === 0)
			return this.say('The page has no messages.');
		const current = this.#messageOf(run);
		if (location === null)
			location =
				current >= 0
					? messages.from[current]
					: timeline.runs[run].laid.rows.find((row) => row.kind === 'location')?.index;
		if (location === undefined)
			return this.say('Select a row of a location first.');
		const isOfLocation =
			current >= 0 && (messages.from[current] === location || messages.to[current] === location);
		const start = timeline.cursor.tick ?? timeline.own(run, timeline.view.from);
		const index = isOfLocation
			? arrows.step(location, direction, arrows.timeAt(current, location), current)
			: arrows.step(location, direction, start);
		if (index < 0)
			return this.say(direction > 0 ? 'No later message.' : 'No earlier message.');
		this.focusLocation(run, location, arrows.timeAt(index, location), { quiet: true });
		return this.selectMessage(run, index);
	}

	nextMessage() {
		return this.#stepMessage(1);
	}
	previousMessage() {
		return this.#stepMessage(-1);
	}

	nextWait() {
		const { timeline } = this;
		const { run } = timeline.cursor;
		const { model } = timeline.runs[run];
		const location = this.focusedLocation();
		if (!model.waitsOf || location === null)
			return this.say(model.waitsOf ? 'Select a row of a location first.' : 'The page has no waits.');
		const { begin, index } = model.waitsOf[location];
		const tick = timeline.cursor.tick ?? -1;
		const at = begin.findIndex((time) => time > tick);
		return at < 0 ? this.say('No later wait.') : this.selectWait(run, index[at]);
	}

	selectWait(run, w) {
		const { timeline } = this;
		const { begin, location } = timeline.runs[run].model.waits;
		this.focusLocation(run, location[w], begin[w], { quiet: true });
		timeline.set({ ...NOTHING_SELECTED, 'tl.wait': w });
		this.#sayPairs('Selected', describeWait(timeline.runs[run].model, w));
	}

	#toLastMember(run, c) {
		const { collectives } = this.timeline.runs[run].model;
		const last = lastToCome(collectives, c);
		return this.focusLocation(run, collectives.location[last], collectives.begin[last]);
	}

	// To the location and call that a wait was caused by, or the member of a collective that came last.
	cause() {
		const { timeline } = this;
		const c = timeline.state.get('tl.collective');
		if (c >= 0 && c < (timeline.selected.model.collectives?.nr ?? 0) && c !== null)
			return this.#toLastMember(timeline.selectedRun, c);
		const w = timeline.state.get('tl.wait');
		const run = timeline.selectedRun;
		const { waits, segments } = timeline.runs[run].model;
		if (w === null || !waits || w >= waits.nr)
			return this.say('Select a wait first: click its mark, or press w.');
		const location = waits.causeLocation[w];
		if (location < 0)
			return this.say('The cause of this wait is not known.');
		const end = waits.begin[w] + waits.ticks[w];
		let tick = end;
		const calls = segments?.location(location);
		for (let i = calls ? segmentAt(calls, end) : -1; i >= 0 && calls.start[i + 1] > waits.begin[w]; i--) {
			if (calls.path[i] === waits.causePath[w]) {
				tick = calls.start[i];
				break;
			}
		}
		return this.focusLocation(run, location, tick);
	}

	// The next or previous place of the regions that are looked for, over all rows, from the cursor.
	findNext(direction) {
		const { timeline } = this;
		const { run } = timeline.cursor;
		const { model, highlighted, laid } = timeline.runs[run];
		if (!highlighted || highlighted.size === 0)
			return this.say('No region has this name.');
		const start =
			timeline.cursor.tick ??
			(direction > 0 ? timeline.own(run, timeline.view.from) - 1 : timeline.own(run, timeline.view.until));
		const focused = this.focusedLocation();
		const best = { location: -1, tick: null };
		const candidates =
			focused === null
				? laid.rows.flatMap((row) => (row.kind === 'location' ? [row.index] : []))
				: [focused];
		for (const location of candidates) {
			const segments = model.segments?.location(location);
			const tick = segments
				? nextInSegments(segments, model.paths.region, highlighted, start, direction)
				: model.pyramid
					? nextInBins(model.pyramid.location(location).levels[0], highlighted, start, direction)
					: null;
			if (tick !== null && (best.tick === null || (tick - best.tick) * direction < 0))
				Object.assign(best, { location, tick });
		}
		return best.location < 0
			? this.say(direction > 0 ? 'No later occurrence.' : 'No earlier occurrence.')
			: this.focusLocation(run, best.location, best.tick);
	}
}
