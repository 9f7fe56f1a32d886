// SPDX-License-Identifier: BSD-3-Clause
// Where the rectangles of a flame graph are: as wide as their time, below the calls that they are in.

/*
 * Inclusive time of each node. weights: exclusive ns by node (Float64Array), or null for the sums in the profile of
 * this run.
 */
export function inclusiveTimes(tree, run, weights = null) {
	const sums = new Float64Array(tree.nodes.length);
	for (const node of tree.nodes)
		sums[node.id] = weights ? weights[node.id] : node.rows[run]?.exclusive_ns ?? 0;
	for (let id = tree.nodes.length - 1; id > 0; id--) {
		const { parent } = tree.nodes[id];
		if (parent)
			sums[parent.id] += sums[id];
	}
	return sums;
}

// Rows of a picture: a recursion may be thousands deep.
const MOST_ABOVE = 16;
const MOST_ROWS = 160;

/*
 * Rectangles [{node, x, width, depth}] in units of the width of the picture: of the node that is in focus, of all below
 * it, and of those above it, as wide as the picture. Those narrower than least are left out, with all below them, and
 * those that are too far from the focus.
 */
export function layout(focus, times, least) {
	const rectangles = [];
	const above = [];
	for (let at = focus.parent; at && above.length < MOST_ABOVE; at = at.parent)
		above.unshift(at);
	above.forEach((node, depth) => rectangles.push({ node, x: 0, width: 1, depth, isAbove: true }));
	const total = times[focus.id];
	const open = total > 0 ? [{ node: focus, x: 0, width: 1, depth: above.length }] : [];
	while (open.length > 0) {
		const rectangle = open.pop();
		const { node, x, width, depth } = rectangle;
		if (!(width >= least) || depth >= MOST_ROWS)
			continue;
		rectangles.push(rectangle);
		let next = x;
		const children = node.children.filter((child) => times[child.id] > 0)
			.sort((a, b) => times[b.id] - times[a.id] || a.id - b.id);
		for (const child of children) {
			open.push({ node: child, x: next, width: times[child.id] / total, depth: depth + 1 });
			next += times[child.id] / total;
		}
	}
	return rectangles;
}

// Next rectangle in the direction of an arrow key, or null.
export function neighbour(rectangles, at, key) {
	const { node, depth, x, width } = at;
	const inRow = rectangles.filter((other) => other.depth === depth);
	const below = rectangles.filter((other) => other.node.parent === node);
	switch (key) {
	case 'ArrowUp':
		return rectangles.find((other) => other.node === node.parent) ?? null;
	case 'ArrowDown':
		return below.reduce((most, other) => (!most || other.width > most.width ? other : most), null);
	case 'ArrowRight':
		return inRow.filter((other) => other.x >= x + width - 1e-9 && other !== at)
			.reduce((first, other) => (!first || other.x < first.x ? other : first), null);
	case 'ArrowLeft':
		return inRow.filter((other) => other.x < x - 1e-9)
			.reduce((last, other) => (!last || other.x > last.x ? other : last), null);
	default:
		return null;
	}
}
