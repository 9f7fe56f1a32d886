// SPDX-License-Identifier: BSD-3-Clause
// Which rows of the tree of call paths are shown, and the columns of two runs.
import { namesOf } from '../data/path_tree.js';
import { count, nanoseconds, percent, signed } from '../format.js';

// Paths with at least this share of the time are open at first.
const HOT = 0.05;

// measure-compare's verdict on one run of each version.
const UNCLEAR = 'unclear';

export function inclusive(node, run = null) {
	if (run !== null)
		return node.rows[run]?.inclusive_ns ?? 0;
	return Math.max(...node.rows.map((row) => row?.inclusive_ns ?? 0));
}

export function openHotPaths(tree) {
	const total = inclusive(tree.root);
	const hot = tree.nodes.filter((node) => node.children.some((child) => inclusive(child) >= HOT * total));
	return new Set([tree.root, ...hot].map(({ id }) => id));
}

// Nodes that match, and all above them.
function findMatches(tree, search) {
	const word = search.toLowerCase();
	const matches = new Set();
	const shown = new Set();
	for (const node of tree.nodes) {
		if (!node.name.toLowerCase().includes(word))
			continue;
		matches.add(node);
		for (let at = node; at && !shown.has(at); at = at.parent)
			shown.add(at);
	}
	return { matches, shown };
}

/*
 * Rows in the order of the tree, children sorted by value: [{node, isOpen, isMatch}]. A search shows all matches with
 * the calls above them.
 */
export function visibleNodes(tree, { isOpen, search, value = inclusive, isDescending = true }) {
	const { matches, shown } = search ? findMatches(tree, search) : {};
	const rows = [];
	const sign = isDescending ? -1 : 1;
	// A stack, as calls may be nested deeper than calls of this script.
	const open = !search || shown.has(tree.root) ? [tree.root] : [];
	while (open.length > 0) {
		const node = open.pop();
		const opens = search ? node.children.some((child) => shown.has(child))
			: node.children.length > 0 && isOpen(node);
		rows.push({ node, isOpen: opens, isMatch: !search || matches.has(node) });
		if (!opens)
			continue;
		const children = search ? node.children.filter((child) => shown.has(child)) : [...node.children];
		children.sort((a, b) => sign * (value(b) - value(a)) || b.id - a.id);
		for (const child of children)
			open.push(child);
	}
	return { rows, nrMatches: matches?.size ?? tree.nodes.length };
}

function verdictsByPath(comparison) {
	return new Map((comparison?.paths ?? []).map((path) => [path.name, path]));
}

// Both runs, their difference, and what measure-compare says of the path.
export function comparisonColumns(runs, comparison) {
	const verdicts = verdictsByPath(comparison);
	const verdict = (node) => verdicts.get(namesOf(node).join('/'))?.verdict ?? '';
	const of = (run, name) => (node) => node.rows[run]?.[name] ?? 0;
	const difference = (name) => (node) => of(1, name)(node) - of(0, name)(node);
	const sign = (name) => (node) => (difference(name)(node) > 0 ? 'more' : difference(name)(node) < 0 ? 'less' : '');
	const times = (name, title) => [
		...runs.map((run, r) => ({
			key: `${name}${r}`, title: `${title} ${'AB'[r]}`, hint: run.name, value: of(r, `${name}_ns`),
			text: (node) => (node.rows[r] ? nanoseconds(of(r, `${name}_ns`)(node)) : '–'),
		})),
		{ key: `${name}-difference`, title: 'B − A', value: difference(`${name}_ns`), class: sign(`${name}_ns`),
			text: (node) => signed(nanoseconds, difference(`${name}_ns`)(node)) },
	];
	const columns = [
		...times('inclusive', 'Inclusive'),
		{ key: 'ratio', title: '%', value: (node) => of(1, 'inclusive_ns')(node) / (of(0, 'inclusive_ns')(node) || 1),
			text: (node) => (node.rows[0] && node.rows[1] && node.rows[0].inclusive_ns > 0
				? signed(percent, node.rows[1].inclusive_ns / node.rows[0].inclusive_ns - 1) : '') },
		...times('exclusive', 'Exclusive'),
		...runs.map((run, r) => ({
			key: `visits${r}`, title: `Visits ${'AB'[r]}`, hint: run.name, value: of(r, 'visits'),
			text: (node) => (node.rows[r] ? count(of(r, 'visits')(node)) : '–'),
		})),
	];
	if (comparison?.paths?.some((path) => path.verdict !== UNCLEAR))
		columns.push({ key: 'verdict', title: 'Verdict', hint: 'of measure-compare', text: verdict,
			value: (node) => (verdict(node) ? 1 : 0) });
	return columns;
}
