// SPDX-License-Identifier: BSD-3-Clause
/*
 * The call paths of one run, or of two runs joined by the names of their regions. A node is
 *
 *	{ id, name, file, line, group, parent (node or null), children, depth, rows: [row of run 0, row of run 1] }
 *
 * with rows as in the profile's "paths", or null where a run does not have the path. Nodes are in an order in which
 * parents come first; node 0 is the root: the time outside of all calls, and all calls below it.
 */
import { shortName } from './short_names.js';

function keyOf({ name, file, line }, isJoined) {
	return isJoined ? name : `${name}\0${file}\0${line}`;
}

export class PathTree {
	nodes = [];
	#keys = []; // of each node: key of a child -> child
	#byId; // of each run: id of a path -> node

	constructor(runs) {
		this.nrRuns = runs.length;
		this.#byId = runs.map(() => []);
		runs.forEach((run, r) => this.#addRun(run, r));
	}

	get root() {
		return this.nodes[0];
	}

	// The node of a path of a run's profile.
	node(run, id) {
		return this.#byId[run][id] ?? null;
	}

	// The child of this name, and of this file and line if there are several.
	child(parent, name, file, line) {
		const same = parent.children.filter((node) => node.name === name);
		return same.find((node) => node.file === file && node.line === line) ?? same[0] ?? null;
	}

	// For a table of [parent, {name, file, line}] whose first is the root: the node of each, or null.
	join(paths) {
		const nodes = [];
		paths.forEach(([parent, region], index) => {
			if (parent < 0 || parent == null)
				nodes[index] = index === 0 || !region ? this.root : this.#childOfRoot(region);
			else
				nodes[index] = nodes[parent] && this.child(nodes[parent], region.name, region.file, region.line);
		});
		return nodes;
	}

	#childOfRoot(region) {
		const { name, file, line } = region;
		return name === this.root?.name ? this.root : this.child(this.root, name, file, line);
	}

	#addRun({ profile }, r) {
		const isJoined = this.nrRuns > 1;
		for (const row of profile?.paths ?? []) {
			const parent = row.parent == null ? null : this.#byId[r][row.parent];
			const siblings = parent ? this.#keys[parent.id] : null;
			const key = keyOf(row, isJoined);
			let node = siblings ? siblings.get(key) : this.#findRoot(row);
			if (!node || (!isJoined && node.rows[r])) {
				node = this.#addNode(row, parent);
				siblings?.set(key, node);
			}
			node.rows[r] = node.rows[r] ? addRows(node.rows[r], row) : row;
			this.#byId[r][row.id] = node;
		}
	}

	#findRoot({ name }) {
		return this.nodes.find((node) => !node.parent && node.name === name);
	}

	#addNode({ name, file, line, group }, parent) {
		const node = { id: this.nodes.length, name, file, line, group, parent, children: [],
			depth: parent ? parent.depth + 1 : 0, rows: new Array(this.nrRuns).fill(null) };
		this.nodes.push(node);
		this.#keys.push(new Map());
		parent?.children.push(node);
		return node;
	}
}

// Paths of one run that are one path in the other one, as their names are the same.
function addRows(a, b) {
	const sum = { ...a };
	for (const name of ['visits', 'inclusive_ns', 'exclusive_ns', 'waiting_ns', 'critical_ns', 'delay_short_ns',
		'delay_long_ns'])
		if (a[name] != null || b[name] != null)
			sum[name] = (a[name] ?? 0) + (b[name] ?? 0);
	sum.imbalance = Math.max(a.imbalance ?? 0, b.imbalance ?? 0);
	return sum;
}

// Names from the outermost call to this one, without the root.
export function namesOf(node) {
	const names = [];
	for (let at = node; at?.parent; at = at.parent)
		names.unshift(at.name);
	return names.length > 0 ? names : [node?.name ?? ''];
}

// The same of a table of {region, parent}, as analyses have it.
export function pathNames(paths, index) {
	const names = [];
	for (let at = index; at != null && paths[at]; at = paths[at].parent)
		names.unshift(paths[at].region);
	return names.length > 1 ? names.slice(1) : names;
}

// The last names that fit into so many characters, after an ellipsis.
export function shortPath(names, most = 60) {
	let text = shortName(names.at(-1) ?? '', most);
	let at = names.length - 2;
	for (; at >= 0 && shortName(names[at]).length + text.length + 1 <= most; at--)
		text = `${shortName(names[at])}/${text}`;
	return at >= 0 ? `…/${text}` : text;
}
