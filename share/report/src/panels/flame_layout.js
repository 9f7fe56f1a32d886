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

/*
 * Rectangles [{node, x, width, depth}] in units of the width of the picture: of the node that is in focus, of all below
 * it, and of those above it, as wide as the picture. Those narrower than least are left out, with all below them.
 */
export function layout(focus, times, least) {
	const rectangles = [];
	const above = [];
	for (let at = focus.parent; at; at = at.parent)
		above.unshift(at);
	above.forEach((node, depth) => rectangles.push({ node, x: 0, width: 1, depth, isAbove: true }));
	const total = times[focus.id];
	const visit = (node, x, depth) => {
		const width = times[node.id] / total;
		if (!(width >= least))
			return;
		rectangles.push({ node, x, width, depth });
		let next = x;
		const children = node.children.filter((child) => times[child.id] > 0)
			.sort((a, b) => times[b.id] - times[a.id] || a.id - b.id);
		for (const child of children) {
			visit(child, next, depth + 1);
			next += times[child.id] / total;
		}
	};
	if (total > 0)
		visit(focus, 0, above.length);
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
