// SPDX-License-Identifier: BSD-3-Clause
// What is at a point of the time line, in words: for the tooltip, the details beside it, and readers of the screen.

import { bytes, count, percent, seconds } from '../format.js';
import { time } from './axis.js';
import { SLOTS } from './columns.js';
import { callBegin, callEnd, segmentAt } from './stack.js';

// With a space that does not break.
export const exactTime = (model, tick) =>
	time(model.run.seconds(tick), model.timeline.seconds_per_tick).replace(' ', '\u202f');

export const regionName = (model, region) => (region < 0 ? 'outside of calls' : model.regions[region].name);

// The innermost call of a location at a time: {path, region, begin, end}; null where the page has no segments.
export function callAt(model, location, tick) {
	const segments = model.segments?.location(location);
	const segment = segments ? segmentAt(segments, tick) : -1;
	if (segment < 0 || tick < segments.start[0])
		return null;
	const path = segments.path[segment];
	const depth = model.paths.depth[path];
	const [begin, end] =
		depth === 0
			? [segments.start[segment], segments.start[segment + 1]]
			: [callBegin(segments, model.paths, segment, depth), callEnd(segments, model.paths, segment, depth)];
	return {
		path,
		region: model.paths.region[path],
		begin,
		end,
		segmentBegin: segments.start[segment],
		segmentEnd: segments.start[segment + 1],
	};
}

// The wait state of a location at a time, or -1.
export function waitAt(model, location, tick) {
	const states = model.waitsOf?.[location];
	if (!states)
		return -1;
	const at = states.begin.findLastIndex((begin) => begin <= tick);
	return at >= 0 && tick <= states.begin[at] + states.ticks[at] ? states.index[at] : -1;
}

// Names of C++ functions may have hundreds of characters.
const LONGEST_NAME = 72;

export const shortName = (name) =>
	name.length <= LONGEST_NAME ? name : `${name.slice(0, LONGEST_NAME - 16)}…${name.slice(-15)}`;

function sourceOf({ file, line }) {
	return file ? `${file}${line ? `:${line}` : ''}` : null;
}

// The regions of a pixel, with their shares, largest first.
export function sharesAt(model, columns, x) {
	const shares = [];
	for (let i = x * SLOTS; i < x * SLOTS + columns.nr[x]; i++)
		shares.push({
			name: regionName(model, columns.key[i] - 1),
			key: columns.key[i],
			share: columns.share[i],
		});
	shares.sort((a, b) => b.share - a.share);
	if (columns.rest[x] > 0)
		shares.push({ name: 'other regions', key: -1, share: columns.rest[x] });
	return shares;
}

// {title, lines} for a location at a tick; columns: of its row, x: pixel in it.
export function describeLocation(model, location, tick, columns, x) {
	const call = callAt(model, location, tick);
	const lines = [model.nameOf(location)];
	const waiting =
		columns && columns.wait[x] > 0.005 ? `waiting: ${percent(Math.min(1, columns.wait[x]))}` : null;
	const shares = columns ? sharesAt(model, columns, x) : [];
	if (call && shares.length <= 1) {
		const region = model.regions[call.region];
		lines.push(
			`${exactTime(model, call.begin)} to ${exactTime(model, call.end)}`,
			`for ${seconds(model.run.seconds(call.end - call.begin))}`,
		);
		if (call.segmentEnd - call.segmentBegin < call.end - call.begin)
			lines.push(
				`without other calls here: ${seconds(model.run.seconds(call.segmentEnd - call.segmentBegin))}`,
			);
		const names = model.paths.names(call.path, model.regions).map(shortName);
		if (names.length > 1)
			lines.push(
				names.length > 7
					? `${names.slice(0, 2).join(' › ')} › … › ${names.slice(-4).join(' › ')}`
					: names.join(' › '),
			);
		if (region && sourceOf(region))
			lines.push(sourceOf(region));
		if (waiting)
			lines.push(waiting);
		return { title: regionName(model, call.region), lines };
	}
	if (shares.length === 0)
		return { title: model.nameOf(location), lines: ['nothing recorded here'] };
	const [first, ...others] = shares;
	const title = shares.length === 1 ? first.name : `${percent(first.share)} ${first.name}`;
	lines.push(...others.slice(0, 5).map(({ name, share }) => `${percent(share)} ${shortName(name)}`));
	return { title, lines: waiting ? [...lines, waiting] : lines };
}

// The same for a group: shares of its classes.
export function describeGroup(model, row, shares, x) {
	const { classes } = model.timeline;
	const nr = row.members.length;
	const lines = classes
		.map((name, c) => ({ name, share: shares ? shares[x * classes.length + c] : 0 }))
		.filter(({ share }) => share >= 0.0005)
		.sort((a, b) => b.share - a.share)
		.slice(0, 7)
		.map(({ name, share }) => `${percent(share)} ${name}`);
	return { title: row.name, lines: [`${count(nr)} location${nr === 1 ? '' : 's'}`, ...lines] };
}

// A message as pairs of name and text.
export function describeMessage(model, i) {
	const { send, receive, from, to, tag, comm, waiting } = model.messages;
	const isKnown = (value) => Number.isFinite(value);
	return [
		['from', `${model.nameOf(from[i])} at ${exactTime(model, send[i])}`],
		['to', `${model.nameOf(to[i])} at ${exactTime(model, receive[i])}`],
		['on the way', seconds(model.run.seconds(receive[i] - send[i]))],
		['size', bytes(model.messages.bytes[i])],
		['tag', isKnown(tag[i]) ? String(tag[i]) : '–'],
		['communicator', model.timeline.comms?.[comm[i]] ?? '–'],
		['receiver waited', seconds(model.run.seconds(waiting[i]))],
	];
}

// The member of a collective that the others wait for.
export function lastToCome({ member, begin }, c) {
	let last = member[c];
	for (let m = member[c]; m < member[c + 1]; m++) {
		if (begin[m] > begin[last])
			last = m;
	}
	return last;
}

export function describeCollective(model, c) {
	const { operation, comm, root, member, begin, end, waiting, location } = model.collectives;
	const last = lastToCome(model.collectives, c);
	let waited = 0;
	for (let m = member[c]; m < member[c + 1]; m++)
		waited += waiting[m];
	const pairs = [
		['operation', model.timeline.operations?.[operation[c]] ?? '–'],
		['communicator', model.timeline.comms?.[comm[c]] ?? '–'],
		['members', count(member[c + 1] - member[c])],
		['begins', exactTime(model, model.spans[c][0])],
		['last to come', `${model.nameOf(location[last])} at ${exactTime(model, begin[last])}`],
		['lasts', seconds(model.run.seconds(model.spans[c][1] - model.spans[c][0]))],
		['waiting, all members', seconds(model.run.seconds(waited))],
	];
	if (root[c] >= 0)
		pairs.splice(3, 0, ['root', model.nameOf(root[c])]);
	return end.length > 0 ? pairs : [];
}

export function describeWait(model, w) {
	const { pattern, begin, ticks, path, causeLocation, causePath } = model.waits;
	const pairs = [
		['wait', model.timeline.patterns?.[pattern[w]] ?? '–'],
		['in', model.paths.names(path[w], model.regions).slice(-1)[0] ?? '–'],
		['begins', exactTime(model, begin[w])],
		['lasts', seconds(model.run.seconds(ticks[w]))],
	];
	if (causeLocation[w] >= 0)
		pairs.push(['caused by', model.nameOf(causeLocation[w])]);
	if (causePath[w] >= 0)
		pairs.push(['cause in', model.paths.names(causePath[w], model.regions).slice(-1)[0] ?? '–']);
	return pairs;
}

// Why a time line is empty.
export function noCalls({ profile }) {
	const nr = (profile?.samples ?? []).reduce((sum, { count: samples }) => sum + samples, 0);
	return nr > 0
		? `${count(nr)} samples and no calls were recorded; the view Samples has them.`
		: 'No calls were recorded, so the time line shows only how long each location ran.';
}

// The commands that make a page of a window with all of its calls.
export function sliceCommand(model, view) {
	const decimals = Math.min(12, Math.max(0, 3 - Math.floor(Math.log10(model.run.seconds(view.span)))));
	const [from, until] = [view.from, view.until].map((tick) => model.run.seconds(tick).toFixed(decimals));
	const window = `--from ${from} --until ${until}`;
	return `measure-convert ${quoted(model.run.name)} --to otf2 ${window} -o part; measure-report part`;
}

// As a shell reads it.
export const quoted = (name) => (/^[\w./+:@%-]+$/.test(name) ? name : `'${name.replaceAll("'", "'\\''")}'`);
