// SPDX-License-Identifier: BSD-3-Clause
// The rows of a run: hosts, their processes, their locations, in the order asked for, with collapsed groups left out.

// Heights in CSS pixels.
const HEADER = 18;
const LEAST_ROW = 2;
const LEAST_GROUP = 6;
const BEST_ROW = 72;
const FAIR_ROW = 15;

const sum = (members, value) => members.reduce((total, location) => total + value(location), 0);

// The tree of a run's time line: hosts with processes with locations, each with its locations in members. A process
// with one location has no row of its own.
export function buildTree({ hosts, processes, locations }) {
	const nodes = processes.map((process, index) => ({
		kind: 'process',
		index,
		name: process.name,
		members: [],
		host: process.host,
	}));
	locations.forEach((location, index) => nodes[location.process].members.push(index));
	return hosts
		.map((name, index) => {
			const children = nodes.filter((node) => node.host === index && node.members.length > 0);
			return { kind: 'host', index, name, children, members: children.flatMap((child) => child.members) };
		})
		.filter((host) => host.members.length > 0);
}

// Sorts by descending value of the members; equal ones keep their order.
function ordered(nodes, value) {
	if (!value)
		return nodes;
	const keyed = nodes.map((node) => ({ node, value: sum(node.members, value) }));
	return keyed.sort((a, b) => b.value - a.value).map(({ node }) => node);
}

const orderedLocations = (members, value) =>
	value ? [...members].sort((a, b) => value(b) - value(a) || a - b) : members;

export const idOf = (row) => `${row.kind[0]}${row.index}`;

// The rows in order of drawing; collapsed is a set of ids, value(location) what to sort by, or null.
export function listRows(tree, locations, { collapsed = new Set(), value = null } = {}) {
	const rows = [];
	const pushLocation = (index, name, depth) =>
		rows.push({ kind: 'location', index, name, depth, members: [index] });
	for (const host of ordered(tree, value)) {
		const isHostShown = tree.length > 1;
		const hostRow = { ...host, depth: 0, isOpen: !collapsed.has(idOf(host)) };
		if (isHostShown)
			rows.push(hostRow);
		if (isHostShown && !hostRow.isOpen)
			continue;
		const depth = isHostShown ? 1 : 0;
		for (const process of ordered(host.children, value)) {
			if (process.members.length === 1) {
				pushLocation(process.members[0], process.name, depth);
				continue;
			}
			const row = { ...process, depth, isOpen: !collapsed.has(idOf(process)) };
			rows.push(row);
			for (const index of row.isOpen ? orderedLocations(process.members, value) : [])
				pushLocation(index, locations[index].name, depth + 1);
		}
	}
	return rows;
}

// The location of the first row in the order of the run; null if there is none.
export const firstLocation = (tree) => tree[0]?.children[0]?.members[0] ?? null;

// Ids of all rows that can be collapsed.
export function groupIds(tree) {
	const hosts = tree.length > 1 ? tree : [];
	return [...hosts, ...tree.flatMap((host) => host.children.filter((child) => child.members.length > 1))].map(
		idOf,
	);
}

// Rows above which processes begin collapsed.
const MANY_ROWS = 100;

// What is collapsed until the user says otherwise: processes of several locations, if that makes many rows.
export function defaultCollapsed(tree, nrLocations) {
	return new Set(nrLocations <= MANY_ROWS ? [] : groupIds(tree).filter((id) => id[0] === 'p'));
}

// The height that rows have at most, and that at which they show what they contain.
export function rangeOfHeight(rows, factor = 1) {
	const headers = rows.filter((row) => row.kind !== 'location' && row.isOpen).length;
	const height = (row) => headers * HEADER + (rows.length - headers) * Math.max(LEAST_ROW, Math.round(row * factor));
	return { most: height(BEST_ROW), fair: height(FAIR_ROW) };
}

// Gives each row its y and height: locations share the height that is there, within limits, times a factor.
export function layoutRows(rows, available, factor = 1) {
	const isHeader = (row) => row.kind !== 'location' && row.isOpen;
	const headers = rows.filter(isHeader).length;
	const share = Math.floor((available - headers * HEADER) / Math.max(1, rows.length - headers));
	const best = Math.min(BEST_ROW, Math.max(LEAST_ROW, share));
	const height = Math.max(LEAST_ROW, Math.round(best * factor));
	const heightOf = (row) =>
		isHeader(row) ? HEADER : row.kind === 'location' ? height : Math.max(height, LEAST_GROUP);
	let y = 0;
	const laid = rows.map((row) => {
		const place = { ...row, y, height: heightOf(row) };
		y += place.height;
		return place;
	});
	return { rows: laid, height: y };
}

// The row at a y, or null.
export function rowAt(laid, y) {
	let low = 0;
	let high = laid.length;
	while (high - low > 1) {
		const middle = (low + high) >> 1;
		if (laid[middle].y <= y)
			low = middle;
		else
			high = middle;
	}
	const row = laid[low];
	return row && y >= row.y && y < row.y + row.height ? row : null;
}

// For each location the index of the row that shows it: its own, or that of the group that hides it.
export function rowsOfLocations(laid, nrLocations) {
	const row = new Int32Array(nrLocations).fill(-1);
	laid.forEach((candidate, index) => {
		if (candidate.kind === 'location' || !candidate.isOpen) {
			for (const location of candidate.members)
				row[location] = index;
		}
	});
	return row;
}
