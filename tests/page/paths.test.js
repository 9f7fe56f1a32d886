// SPDX-License-Identifier: BSD-3-Clause
// Call paths: of one run, of two runs joined, and what each location spent in them.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { locationNames, timelineNames } from '../../share/report/src/data/location_names.js';
import { hasLocationTimes, locationTimes } from '../../share/report/src/data/location_times.js';
import { PathTree, namesOf, pathNames, shortPath } from '../../share/report/src/data/path_tree.js';
import { readReport } from '../../share/report/src/data/report.js';
import { shortName } from '../../share/report/src/data/short_names.js';
import { documentOf } from './document.js';
import { makeData } from './make-page.js';

// A profile of these paths: [parent, name, file, exclusive].
function runOf(paths) {
	const rowOf = ([parent, name, file, exclusive], id) => ({
		id, parent, name, file, line: 1, group: 'compute', visits: 1, inclusive_ns: exclusive, exclusive_ns: exclusive,
	});
	return { profile: { paths: paths.map(rowOf) } };
}

test('regions of one name in different files are different paths of one run', () => {
	const tree = new PathTree([runOf([[null, '(no region)', '', 0], [0, 'f', 'a.c', 1], [0, 'f', 'b.c', 2]])]);
	assert.equal(tree.nodes.length, 3);
	assert.equal(tree.child(tree.root, 'f', 'b.c', 1).rows[0].exclusive_ns, 2);
	assert.equal(tree.child(tree.root, 'f', 'c.c', 1).rows[0].exclusive_ns, 1);
	assert.equal(tree.child(tree.root, 'g', 'a.c', 1), null);
});

test('two runs are joined by names, wherever a file or a line has changed', () => {
	const tree = new PathTree([
		runOf([[null, '(no region)', '', 0], [0, 'main', 'a.c', 5], [1, 'old', 'a.c', 1]]),
		runOf([[null, '(no region)', '', 0], [0, 'main', 'b.c', 7], [1, 'new', 'b.c', 2], [1, 'new', 'c.c', 3]]),
	]);
	const rows = tree.nodes.map(({ name, rows: [a, b] }) => [name, a?.exclusive_ns ?? null, b?.exclusive_ns ?? null]);
	assert.deepEqual(rows, [['(no region)', 0, 0], ['main', 5, 7], ['old', 1, null], ['new', null, 5]]);
	assert.deepEqual(namesOf(tree.node(1, 2)), ['main', 'new']);
});

test('names of paths', () => {
	const paths = [{ region: '(no region)', parent: null }, { region: 'main', parent: 0 }, { region: 'f', parent: 1 }];
	assert.deepEqual(pathNames(paths, 2), ['main', 'f']);
	assert.deepEqual(pathNames(paths, 0), ['(no region)']);
	assert.equal(shortPath(['main', 'solve', 'MPI_Send'], 40), 'main/solve/MPI_Send');
	assert.equal(shortPath(['main', 'solve', 'MPI_Send'], 15), '…/solve/MPI_Send');
	assert.equal(shortPath(['x'.repeat(50)], 10), `${'x'.repeat(9)}…`);
});

// The cases of tests/unit/base/short_names.c.
test('names of functions lose parameters before characters', () => {
	const cases = [['f(int, double&)', 2, 'f'], ['X::f(int (*)(double)) const', 4, 'X::f'],
		['f(int) [clone ._omp_fn.0]', 20, 'f [clone ._omp_fn.0]'], ['void f<int>(int)', 11, 'void f<int>'],
		['void f<X<int> >(int)', 10, 'void f'], ['f<void (*)(int)>(long)', 16, 'f<void (*)>'],
		['(anonymous namespace)::f(int)', 24, '(anonymous namespace)::f'],
		['a::(anonymous namespace)::f(int)', 27, 'a::(anonymous namespace)::f'],
		['X::operator()(int) const', 14, 'X::operator()'], ['operator<<(X&, int)', 10, 'operator<<'],
		['X::operator+=(X const&)', 13, 'X::operator+='], ['!$omp task @a.c:3', 17, '!$omp task @a.c:3'],
		['f(int', 5, 'f(int'], ['', 1, ''], ['f(int)', 6, 'f(int)'], ['f(int)', 5, 'f'],
		['solve_everything(int)', 8, 'solve_e…']];
	for (const [name, most, short] of cases)
		assert.equal(shortName(name, most), short, name);
});

test('each path of the time line is the same path of the profile', () => {
	const data = makeData({ events: 200 });
	const [run] = readReport(documentOf(data)).runs;
	const tree = new PathTree([run]);
	const { paths, regions } = run.timeline;
	const nodes = tree.join(paths.map(([parent, region]) => [parent, regions[region] ?? null]));
	nodes.forEach((node, path) => assert.equal(node, tree.node(0, path)));
});

test('times of locations add up to the profile, from sums and from segments', async () => {
	const data = makeData({ processes: 3, threads: 2, events: 500 });
	const bySums = readReport(documentOf(data)).runs[0];
	delete data.header.runs[0].timeline.blocks.path_times;
	const bySegments = readReport(documentOf(data)).runs[0];
	assert.ok(!bySegments.has('path_times') && hasLocationTimes(bySegments));
	for (const run of [bySums, bySegments]) {
		const tree = new PathTree([run]);
		const times = await locationTimes(run, tree);
		const sums = new Float64Array(tree.nodes.length);
		for (let process = 0; process < 3; process++)
			times.ofProcess(process).forEach((ns, id) => { sums[id] += ns; });
		tree.nodes.forEach(({ rows, name }) => assert.ok(Math.abs(sums[rows[0].id] - rows[0].exclusive_ns) < 1, name));
		const locations = [2, 3].map((location) => times.ofLocation(location));
		times.ofProcess(1).forEach((ns, id) => assert.equal(ns, locations[0][id] + locations[1][id]));
	}
});

test('without sums and segments, times of locations are not known', async () => {
	const data = makeData({ events: 200, isComplete: false });
	delete data.header.runs[0].timeline.blocks.path_times;
	const [run] = readReport(documentOf(data)).runs;
	assert.equal(hasLocationTimes(run), false);
	assert.equal(await locationTimes(run, new PathTree([run])), null);
});

test('a location has the name of its process, and its own where there are several', () => {
	const [one] = readReport(documentOf(makeData({ processes: 2, events: 100 }))).runs;
	assert.deepEqual(locationNames(one), ['MPI Rank 0', 'MPI Rank 1']);
	assert.deepEqual(timelineNames(one), ['MPI Rank 0', 'MPI Rank 1']);
	const [two] = readReport(documentOf(makeData({ processes: 1, threads: 2, events: 100 }))).runs;
	const names = ['MPI Rank 0, Master thread', 'MPI Rank 0, OpenMP thread 1'];
	assert.deepEqual(locationNames(two), names);
	assert.deepEqual(timelineNames(two), names);
	two.timeline.locations[1].process = null;
	assert.deepEqual(timelineNames(two), ['MPI Rank 0', 'OpenMP thread 1']);
});
