// SPDX-License-Identifier: BSD-3-Clause
/*
 * Exclusive time of each call path on each location: from the block "path_times", or else added up from the segments of
 * the time line, if all are in the page. Null if neither is.
 *
 *	const times = await locationTimes(run, tree);
 *	times.ofLocation(3)     Float64Array of ns by node of the tree
 *	times.ofProcess(1)      the same, of all locations of a process
 */

class LocationTimes {
	#add; // (location, array by path of the time line, in ticks)
	#nodes; // node of each path of the time line
	#run;
	#nrNodes;
	#cache = new Map();

	constructor(run, tree, add) {
		const { paths, regions } = run.timeline;
		this.#run = run;
		this.#add = add;
		this.#nrNodes = tree.nodes.length;
		this.#nodes = tree.join(paths.map(([parent, region]) => [parent, regions[region] ?? null]));
	}

	ofLocation(location) {
		return this.#of(`l${location}`, [location]);
	}

	ofProcess(process) {
		const members = this.#run.timeline.locations.flatMap((l, index) => (l.process === process ? [index] : []));
		return this.#of(`p${process}`, members);
	}

	#of(key, locations) {
		if (!this.#cache.has(key))
			this.#cache.set(key, this.#sum(locations));
		return this.#cache.get(key);
	}

	#sum(locations) {
		const ticks = new Float64Array(this.#nodes.length);
		for (const location of locations)
			this.#add(location, ticks);
		const ns = new Float64Array(this.#nrNodes);
		const scale = this.#run.timeline.seconds_per_tick * 1e9;
		ticks.forEach((value, path) => {
			const node = this.#nodes[path];
			if (node)
				ns[node.id] += value * scale;
		});
		return ns;
	}
}

function fromPathTimes(block) {
	return (location, ticks) => {
		const rows = block.location(location);
		for (let r = 0; r < rows.nr; r++)
			ticks[rows.path[r]] += rows.ticks[r];
	};
}

function fromSegments(block) {
	return (location, ticks) => {
		const { nr, start, path } = block.location(location);
		for (let s = 0; s < nr; s++)
			ticks[path[s]] += start[s + 1] - start[s];
	};
}

export function hasLocationTimes(run) {
	return run.has('path_times') || run.has('segments');
}

export async function locationTimes(run, tree) {
	if (run.has('path_times'))
		return new LocationTimes(run, tree, fromPathTimes(await run.block('path_times')));
	if (run.has('segments'))
		return new LocationTimes(run, tree, fromSegments(await run.block('segments')));
	return null;
}
