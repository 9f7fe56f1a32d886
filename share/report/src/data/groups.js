// SPDX-License-Identifier: BSD-3-Clause
// The groups of a profile (MPI, compute, ...), in the order in which they are shown, and their colours.

const ORDER = ['compute', 'MPI', 'OpenMP', 'threads', 'device', 'I/O', 'memory', 'measure', 'idle', 'outside'];
const TITLES = { compute: 'Computing', threads: 'Threads', device: 'Devices', memory: 'Memory', measure: 'Measurement',
	idle: 'Idle', outside: 'Outside of calls' };

export function groupTitle(group) {
	return TITLES[group] ?? group;
}

// Time in which a thread is in no region of the program.
export function isNothing(group) {
	return group === 'idle' || group === 'outside';
}

// Groups of these rows (processes or locations), the sum of each in ns: [[group, ns], ...]
export function sumGroups(rows) {
	const sums = new Map();
	for (const { groups } of rows)
		for (const [group, ns] of Object.entries(groups ?? {}))
			sums.set(group, (sums.get(group) ?? 0) + ns);
	const rank = (group) => (ORDER.includes(group) ? ORDER.indexOf(group) : ORDER.length);
	return [...sums].sort((a, b) => rank(a[0]) - rank(b[0]));
}

// For stackedBar() and legend().
export function groupParts(rows, theme) {
	return sumGroups(rows).map(([group, value]) =>
		({ group, title: groupTitle(group), value, colour: theme.classColour(group) }));
}
