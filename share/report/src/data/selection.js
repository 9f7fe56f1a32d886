// SPDX-License-Identifier: BSD-3-Clause
// Selecting a call path: the same region, and where the time line has it the same path, in all views.
import { PathTree } from './path_tree.js';

export class PathSelection {
	#runs;
	#state;
	#tree = null;
	#nodesOfTimeline = new Map(); // of each run: node of each path of the time line

	constructor(runs, state) {
		this.#runs = runs;
		this.#state = state;
	}

	// Of all runs; made when it is needed.
	get tree() {
		this.#tree ??= new PathTree(this.#runs);
		return this.#tree;
	}

	select(node) {
		this.#state.set({ region: node.parent ? node.name : null, path: this.#timelinePath(node) });
	}

	// By its path, if one is selected, or else by its region.
	isSelected(node) {
		const path = this.#state.get('path');
		if (path !== null)
			return this.#timelineNodes(this.#run)?.[path] === node;
		return node.parent !== null && node.name === this.#state.get('region');
	}

	// The node that is selected by its path, or null.
	get node() {
		const path = this.#state.get('path');
		return path === null ? null : this.#timelineNodes(this.#run)?.[path] ?? null;
	}

	get #run() {
		return this.#runs[this.#state.get('run')] ?? this.#runs[0];
	}

	#timelineNodes(run) {
		if (!run.timeline)
			return null;
		if (!this.#nodesOfTimeline.has(run)) {
			const { paths, regions } = run.timeline;
			const table = paths.map(([parent, region]) => [parent, regions[region] ?? null]);
			this.#nodesOfTimeline.set(run, this.tree.join(table));
		}
		return this.#nodesOfTimeline.get(run);
	}

	#timelinePath(node) {
		const path = this.#timelineNodes(this.#run)?.indexOf(node) ?? -1;
		return path < 0 ? null : path;
	}
}
