// SPDX-License-Identifier: BSD-3-Clause
// Numbers as text, and what was found as sentences.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { verdictsOf } from '../../share/report/src/data/verdicts.js';
import { bytes, count, nanoseconds, percent, plural, quantity, seconds, signed }
	from '../../share/report/src/format.js';

const plain = (text) => text.replaceAll('\u202f', ' ');

test('times have three digits and the unit that fits', () => {
	const cases = [[0, '0 s'], [1, '1 s'], [1.2345, '1.23 s'], [0.9996, '1.00 s'], [0.0125, '12.5 ms'],
		[4.5e-7, '450 ns'], [999.4, '999 s'], [12345, '12,345 s'], [3e-9, '3 ns'], [-0.0025, '-2.50 ms'],
		[null, '–'], [NaN, '–']];
	for (const [value, text] of cases)
		assert.equal(plain(seconds(value)), text, String(value));
	assert.equal(plain(nanoseconds(1.5e6)), '1.50 ms');
	assert.equal(nanoseconds(null), '–');
});

test('sizes, counts, shares, differences', () => {
	assert.deepEqual([0, 999, 1000, 1.5e6, 2e13].map((value) => plain(bytes(value))),
		['0 B', '999 B', '1 kB', '1.50 MB', '20 TB']);
	assert.equal(count(1234567), '1,234,567');
	assert.deepEqual([0, 1, 0.5, 0.123, 0.00042].map((value) => plain(percent(value))),
		['0 %', '100 %', '50.0 %', '12.3 %', '0.04 %']);
	assert.deepEqual([-2, 0, 2].map((value) => signed(count, value)), ['−2', '0', '+2']);
	assert.deepEqual([1, 2].map((nr) => plural(nr, 'process', 'processes')), ['1 process', '2 processes']);
	assert.equal(plain(quantity(1e20, 'Hz')), '1.00e+20 Hz');
});

// A run as measure-analyze describes it: rank 1 computes too long, rank 0 waits for it.
function analyzed(changes = {}) {
	return {
		profile: {
			processes: [{ name: 'MPI Rank 0' }, { name: 'MPI Rank 1' }], files: [], locations: [{ time_ns: 10e9 }],
		},
		analysis: {
			waiting_ns: 2e9, all_locations_ns: 10e9, delay_total_ns: 2e9,
			locations: [{ name: 'MPI Rank 0, Master thread', process: 0 },
				{ name: 'MPI Rank 1, Master thread', process: 1 }],
			paths: [{ region: '(no region)', parent: null }, { region: 'main', parent: 0 },
				{ region: 'MPI_Recv', parent: 1 }, { region: 'solve', parent: 1 }],
			longest: [{ time_ns: 5e8, enter_ns: 1e9, until_ns: 1.5e9, location: 0, path: 2 }],
			delays: [{ path: 3, short_term_ns: 1e9, long_term_ns: 5e8 },
				{ path: 1, short_term_ns: 5e8, long_term_ns: 0 }],
			clocks: { violations_before: 0, is_corrected: false, failure: null },
			efficiency: {
				window: 'mpi', parallel_efficiency: 0.6, load_balance: 0.7, communication_efficiency: 0.86,
				serialisation_efficiency: 0.9, transfer_efficiency: 0.95, most_location: 1, most_region: 'solve',
				processes: [{ location: 0, useful_ns: 2e9 }, { location: 1, useful_ns: 4e9 }],
				waited_for: { location: 1, location_ns: 15e8, path: 2, path_ns: 1e9, time_ns: 2e9 }, transferred: null,
			},
			unknown: { cut_calls: 0, cut_processes: 0 }, ...changes,
		},
	};
}

function sentences(run) {
	return verdictsOf(run).map(({ text }) =>
		plain(text.map((part) => (typeof part === 'string' ? part : part.text ?? part.path.join('/'))).join('')));
}

test('what was found, in sentences', () => {
	assert.deepEqual(sentences(analyzed()), [
		'Processes compute for 60.0 % of the time between MPI_Init and MPI_Finalize (parallel efficiency). ' +
			'Most is lost by load balance: some processes compute longer than others (70.0 %).',
		'MPI Rank 1 computes 33.3 % longer than the mean of all, mostly in solve.',
		'Of 2 s of waiting in MPI, 1.50 s is for MPI Rank 1, mostly in main/MPI_Recv (1 s).',
		'Waiting takes 2 s, 20.0 % of the time of all locations. The longest wait is 500 ms in main/MPI_Recv.',
		'The main cause of waiting is main/solve: its delays cost others 1.50 s, 75.0 % of all that delays cost.',
	]);
});

test('warnings come first', () => {
	const run = analyzed({ unknown: { cut_calls: 3 },
		clocks: { violations_before: 1, worst_before_ns: 2e6, is_corrected: false, failure: null } });
	const verdicts = verdictsOf(run);
	assert.deepEqual(verdicts.map(({ isWarning }) => Boolean(isWarning)).slice(0, 3), [true, true, false]);
	assert.ok(sentences(run).includes('3 calls have no end: how long others waited for it is unknown.'));
	assert.ok(sentences(run).includes(
		'1 message or other relation ended before they began, by up to 2 ms; times are not corrected.'));
});

test('nothing is said where nothing was found', () => {
	assert.deepEqual(sentences(analyzed({ efficiency: null, waiting_ns: 0, delays: [] })), []);
	assert.deepEqual(sentences({ profile: { files: [], locations: [] }, analysis: null }), []);
});

test('files are worth a sentence if they take time', () => {
	const run = { analysis: null, profile: { locations: [{ time_ns: 10e9 }],
		files: [{ time_ns: 1e9, bytes_read: 1e6, bytes_written: 2e6 }] } };
	assert.deepEqual(sentences(run), ['Files take 1 s, 10.0 % of the time of all locations, for 3 MB.']);
});
