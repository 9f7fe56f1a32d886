// SPDX-License-Identifier: BSD-3-Clause
// Metrics of a run by name, as they are shown: values over time, or rates of those that only grow.
import { timelineNames } from './location_names.js';

const MOST_SERIES = 8;

// A value that only grows is shown as its rate: [times, values], both one shorter.
export function ratesOf(time, value) {
	const rates = new Float64Array(Math.max(0, time.length - 1));
	for (let i = 0; i < rates.length; i++)
		rates[i] = time[i + 1] > time[i] ? (value[i + 1] - value[i]) / (time[i + 1] - time[i]) : 0;
	return [time.slice(0, rates.length), rates];
}

export function isAccumulated({ kind }) {
	return kind === 'accumulated';
}

// Memory is what has a size at a time, not what only grows.
export function isMemory(metric) {
	const isSize = /^(bytes|B|kB|KiB|MB|MiB)$/.test(metric.unit ?? '');
	return isSize && !isAccumulated(metric) && !/read|writ|sent|received|message|file|io\b/i.test(metric.name);
}

// Whose metric it is.
function ownerOf({ timeline: { processes, hosts } }, names, { location, process, host }) {
	if (location != null)
		return names[location];
	return process == null ? hosts?.[host] ?? 'all' : processes[process].name;
}

/*
 * Metrics of a run by name: [{name, unit, series: [{owner, time (s), value}], nrLeftOut}]. Of many series, those with
 * the largest values are shown.
 */
export function groupMetrics(run, decoded) {
	const groups = new Map();
	const names = timelineNames(run);
	run.timeline.metrics.forEach((metric, index) => {
		const { nr, time, value } = decoded[index];
		if (nr === 0)
			return;
		const isRate = isAccumulated(metric);
		const group = groups.get(metric.name) ?? {
			name: metric.name, isRate, isStepped: isRate || metric.mode !== 'point',
			unit: unitOf(metric.unit, isRate), series: [],
		};
		const inSeconds = time.map((ticks) => run.seconds(ticks));
		const [times, values] = isRate ? ratesOf(inSeconds, value) : [inSeconds, value];
		const most = values.reduce((a, b) => Math.max(a, b), -Infinity);
		const least = values.reduce((a, b) => Math.min(a, b), Infinity);
		group.series.push({ owner: ownerOf(run, names, metric), time: times, value: values, most, least,
			last: values.at(-1) });
		groups.set(metric.name, group);
	});
	for (const group of groups.values()) {
		group.all = group.series;
		group.series = [...group.series].sort((a, b) => b.most - a.most).slice(0, MOST_SERIES);
		group.nrLeftOut = group.all.length - group.series.length;
	}
	return [...groups.values()];
}

function unitOf(unit, isRate) {
	const plain = unit === '#' ? '' : unit ?? '';
	return !isRate ? plain : plain === 's' ? 's/s' : `${plain === 'bytes' ? 'B' : plain}/s`;
}
