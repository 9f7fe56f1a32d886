// SPDX-License-Identifier: BSD-3-Clause
// What the page decodes is what was encoded: each block, each number.
import assert from 'node:assert/strict';
import { deflateSync } from 'node:zlib';
import { test } from 'node:test';
import { Reader } from '../../share/report/src/data/reader.js';
import { loadReport, readReport } from '../../share/report/src/data/report.js';
import { unpack } from '../../share/report/src/data/unpack.js';
import { documentOf } from './document.js';
import { Writer } from './encode.js';
import { makeData } from './make-page.js';

const data = makeData({ processes: 3, threads: 2, hosts: 2, events: 600, metrics: 3 });
const [truth] = data.truths;
const [run] = readReport(documentOf(data)).runs;

test('numbers of each length', () => {
	const values = [0, 1, 127, 128, 16383, 16384, 2 ** 28 - 1, 2 ** 28, 2 ** 31, 2 ** 32, 2 ** 52, 2 ** 53 - 1];
	const writer = new Writer();
	values.forEach((value) => writer.varint(value));
	const reader = new Reader(writer.bytes());
	values.forEach((value) => assert.equal(reader.varint(), value));
	assert.ok(reader.isAtEnd);
});

test('signed numbers and doubles', () => {
	const values = [0, -1, 1, -64, 64, -(2 ** 40), 2 ** 40, -(2 ** 51)];
	const writer = new Writer();
	values.forEach((value) => writer.zigzag(value));
	writer.float64(-0.1).float64(Infinity);
	const reader = new Reader(writer.bytes());
	values.forEach((value) => assert.equal(reader.zigzag(), value));
	assert.equal(reader.float64(), -0.1);
	assert.equal(reader.float64(), Infinity);
});

test('a block that is cut off is an error', () => {
	assert.throws(() => new Reader(Uint8Array.of(0x80)).varint(), /cut off/);
	assert.throws(() => new Reader(Uint8Array.of(1, 2)).part(3), /cut off/);
});

test('a block of several pieces of base64', async () => {
	const bytes = Uint8Array.from({ length: 3 << 20 }, (_, i) => (i * 2654435761) >>> 13);
	assert.deepEqual(await unpack(`\n${deflateSync(bytes).toString('base64')}\n`), bytes);
});

test('pyramid', async () => {
	const pyramid = await run.block('pyramid');
	assert.equal(pyramid.nr, truth.locations.length);
	truth.pyramid.forEach(({ k0, levels }, i) => {
		const location = pyramid.location(i);
		assert.equal(location.k0, k0);
		assert.equal(location.levels.length, levels.length);
		levels.forEach((runs, l) => {
			const level = location.levels[l];
			assert.equal(level.first[0], Math.floor(truth.locations[i].first / 2 ** (k0 + l)));
			runs.forEach((expected, r) => {
				assert.equal(level.first[r + 1] - level.first[r], expected.bins);
				const entries = [];
				for (let e = level.entry[r]; e < level.entry[r + 1]; e++)
					entries.push([level.region[e], level.ticks[e]]);
				assert.deepEqual(entries, expected.entries);
				for (const name of ['rest', 'events', 'sends', 'receives', 'bytes', 'waiting'])
					assert.equal(level[name][r], expected[name], name);
			});
		});
	});
});

test('segments', async () => {
	const segments = await run.block('segments');
	truth.segments.forEach((expected, i) => {
		const { nr, start, path, isBegin } = segments.location(i);
		assert.equal(nr, expected.length);
		assert.equal(start[nr], truth.locations[i].last);
		expected.forEach((segment, s) => {
			assert.deepEqual({ start: start[s], path: path[s], isBegin: isBegin[s] === 1 }, segment);
		});
	});
});

test('groups', async () => {
	const { all, hosts, processes } = await run.block('groups');
	const nrClasses = run.timeline.classes.length;
	const decoded = [all, ...hosts, ...processes];
	assert.equal(hosts.length, 2);
	assert.equal(processes.length, 3);
	truth.groups.forEach(({ k, bins }, g) => {
		assert.equal(decoded[g].k, k);
		assert.equal(decoded[g].nr, bins.length);
		assert.deepEqual([...decoded[g].ticks], bins.flat());
		assert.equal(decoded[g].ticks.length, bins.length * nrClasses);
	});
});

// Columns of a decoded block as rows with these names.
function rowsOf(columns, names, nr = columns.nr) {
	return Array.from({ length: nr }, (_, i) => Object.fromEntries(names.map((name) => [name, columns[name][i]])));
}

test('messages', async () => {
	const names = ['send', 'receive', 'from', 'to', 'bytes', 'tag', 'comm', 'waiting'];
	assert.deepEqual(rowsOf(await run.block('messages'), names), truth.messages);
});

test('collectives', async () => {
	const block = await run.block('collectives');
	assert.equal(block.nr, truth.collectives.length);
	const members = rowsOf(block, ['location', 'begin', 'end', 'waiting'], block.location.length);
	truth.collectives.forEach((expected, c) => {
		assert.deepEqual({
			operation: block.operation[c], comm: block.comm[c], root: block.root[c],
			members: members.slice(block.member[c], block.member[c + 1]),
		}, expected);
	});
});

test('waits', async () => {
	const names = ['begin', 'ticks', 'location', 'pattern', 'path', 'causeLocation', 'causePath'];
	assert.deepEqual(rowsOf(await run.block('waits'), names), truth.waits);
});

test('critical path', async () => {
	assert.deepEqual(rowsOf(await run.block('critical_path'), ['location', 'begin', 'ticks']), truth.criticalPath);
});

test('metrics', async () => {
	const metrics = await run.block('metrics');
	truth.metrics.forEach((points, m) => {
		assert.deepEqual(Array.from(metrics[m].time, (time, p) => [time, metrics[m].value[p]]), points);
	});
});

test('a block that the page lacks is null, and one that the header names but is not there is an error', async () => {
	assert.equal(await run.block('nothing'), null);
	const { header, blocks } = makeData({ events: 100 });
	delete blocks['run0-waits'];
	const [lacking] = readReport(documentOf({ header, blocks })).runs;
	await assert.rejects(lacking.block('waits'), /lacks its part "run0-waits"/);
});

test('what is too long for the header is in blocks', async () => {
	const { header, blocks } = makeData({ events: 100, nrRuns: 2 });
	const whole = readReport(documentOf({ header, blocks }));
	const asBlock = (id, value) => {
		blocks[id] = Buffer.from(JSON.stringify(value));
		return { block: id };
	};
	const runs = header.runs.map((made, index) => ({
		...made, profile: asBlock(`p${index}`, made.profile),
		analysis: index === 0 ? asBlock('a', made.analysis) : null,
	}));
	const comparison = { paths: [{ name: 'über/</script>📈' }] };
	const report = await loadReport(documentOf({
		header: { ...header, runs, comparison: asBlock('c', comparison) }, blocks,
	}));
	assert.deepEqual(report.runs.map(({ profile }) => profile), whole.runs.map(({ profile }) => profile));
	assert.deepEqual(report.runs.map(({ analysis }) => analysis), [whole.runs[0].analysis, null]);
	assert.deepEqual(report.comparison, comparison);
	await assert.rejects(loadReport(documentOf({ header: { ...header, schema: 2 }, blocks: {} })), /format 2/);
});

test('another format is refused', () => {
	const { header } = makeData({ events: 100 });
	assert.throws(() => readReport(documentOf({ header: { ...header, schema: 2 }, blocks: {} })), /format 2/);
});
