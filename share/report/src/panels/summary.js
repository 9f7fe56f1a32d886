// SPDX-License-Identifier: BSD-3-Clause
// Facts of each run, and what measure-analyze found, in sentences.
import { groupParts, isNothing } from '../data/groups.js';
import { verdictsOf } from '../data/verdicts.js';
import { h } from '../dom.js';
import { count, nanoseconds, percent, signed } from '../format.js';
import { facts, legend, pathElement, stackedBar } from '../ui/elements.js';
import { jumpLink, timelineLocation } from '../ui/jump.js';

const NR_REGIONS = 8;

function sentence({ text, isWarning }, run, state) {
	const elementOf = (part) => {
		if (typeof part === 'string')
			return part;
		if (part.path)
			return pathElement(part.path);
		const { location } = part.jump;
		return jumpLink(state, run, { ...part.jump, location: timelineLocation(run, location) }, part.text);
	};
	return h('li', { class: isWarning ? 'warning' : null }, isWarning && h('strong', null, 'Note: '),
		text.map(elementOf));
}

function runFacts({ profile, timeline }) {
	const hosts = new Set((profile.processes ?? []).map(({ host }) => host));
	return facts([
		['Run time', nanoseconds(profile.time_ns)],
		['Processes', count(profile.nr_processes)],
		['Locations', count(profile.nr_locations)],
		['Nodes', hosts.size > 0 ? count(hosts.size) : null],
		['Events', count(timeline?.recorded_events ?? profile.events)],
		['Tasks', profile.tasks_created > 0 ? count(profile.tasks_created) : null],
		['Recorded by', profile.creator],
		['Archive', h('span', { class: 'path' }, profile.archive)],
	]);
}

function timeByGroup({ profile }, theme) {
	const parts = groupParts(profile.locations ?? [], theme);
	const total = parts.reduce((sum, { value }) => sum + value, 0);
	if (!(total > 0))
		return null;
	return [
		h('h3', null, 'Where the time went'),
		stackedBar(parts, total, 'Time of all locations'),
		legend(parts.map(({ colour, title, value }) => [colour, `${title} ${percent(value / total)}`])),
	];
}

function topRegions({ profile }, state) {
	const regions = profile.regions.filter(({ exclusive_ns: ns, group }) => ns > 0 && !isNothing(group))
		.sort((a, b) => b.exclusive_ns - a.exclusive_ns).slice(0, NR_REGIONS);
	const total = profile.regions.reduce((sum, { exclusive_ns: ns }) => sum + ns, 0);
	const open = (name) => ({ view: 'tree', region: name, search: name });
	return [
		h('h3', null, 'Regions with the most time of their own'),
		h('ol', { class: 'ranking' }, regions.map((region) => h('li', {
			style: { '--share': `${(100 * region.exclusive_ns) / regions[0].exclusive_ns}%` },
		},
		h('a', {
			href: state.link(open(region.name)),
			onclick: (event) => { event.preventDefault(); state.set(open(region.name), { step: true }); },
		}, region.name),
		h('span', { class: 'number' }, percent(region.exclusive_ns / total)),
		h('span', { class: 'number' }, nanoseconds(region.exclusive_ns))))),
	];
}

function showRun(run, { state, theme }, isOneOfTwo) {
	const verdicts = verdictsOf(run);
	return h('article', { class: 'run' },
		isOneOfTwo && h('h3', { class: 'name' }, run.name),
		runFacts(run),
		verdicts.length > 0 && [h('h3', null, 'Findings'),
			h('ul', { class: 'verdicts' }, verdicts.map((verdict) => sentence(verdict, run, state)))],
		timeByGroup(run, theme),
		topRegions(run, state));
}

function showComparison({ comparison, runs }) {
	const [a, b] = runs.map(({ profile }) => profile.time_ns);
	const verdict = comparison?.run_time?.verdict;
	return h('p', { class: 'lead' },
		`${runs[1].name} takes ${nanoseconds(b)}, ${runs[0].name} ${nanoseconds(a)}: ${signed(percent, b / a - 1)}`,
		verdict && verdict !== 'unclear' ? ` (${verdict}).` : '.');
}

export const summary = {
	id: 'summary',
	title: 'Summary',
	showsAllRuns: true,
	has: ({ runs }) => runs.some(({ profile }) => profile),
	create(container, context) {
		const { report, runs } = context;
		if (runs.length > 1)
			container.append(showComparison(report));
		container.append(h('div', { class: 'runs' }, runs.filter(({ profile }) => profile)
			.map((run) => showRun(run, context, runs.length > 1))));
	},
};

