// SPDX-License-Identifier: BSD-3-Clause
// Efficiencies as a tree whose factors multiply, for the run, for processes with threads, and for each phase.
import { locationNames } from '../data/location_names.js';
import { h } from '../dom.js';
import { nanoseconds, percent } from '../format.js';
import { largest, locationColumn, shareColumn, timeColumn } from '../ui/columns.js';
import { facts, note } from '../ui/elements.js';
import { jumpLink } from '../ui/jump.js';
import { createTable } from '../ui/table.js';

// [name, level, title, what it is]
const FACTORS = [
	['parallel_efficiency', 0, 'Parallel efficiency', 'mean computing time / run time'],
	['load_balance', 1, 'Load balance', 'mean computing time / longest'],
	['communication_efficiency', 1, 'Communication efficiency', 'longest computing time / run time'],
	['serialisation_efficiency', 2, 'Serialisation efficiency', 'longest computing time / ideal run time'],
	['transfer_efficiency', 2, 'Transfer efficiency', 'run time in an ideal network / run time'],
];

const SCALING = [
	['global_efficiency', 0, 'Global efficiency', 'parallel efficiency x computation scaling'],
	['computation_scaling', 1, 'Computation scaling', 'computing time of the reference / of this run'],
	['instruction_scaling', 2, 'Instruction scaling', 'instructions of the reference / of this run'],
	['ipc_scaling', 2, 'IPC scaling', 'instructions per cycle / of the reference'],
	['frequency_scaling', 2, 'Frequency scaling', 'cycles per second / of the reference'],
];

function factorRow([name, level, title, hint], all) {
	return h('tr', null,
		h('th', { scope: 'row', style: { '--depth': level }, class: 'factor' }, title),
		all.map((values) => [
			h('td', { class: 'number' }, percent(values?.[name])),
			h('td', { class: 'meter', 'aria-hidden': 'true' },
				h('span', { class: 'long', style: { width: `${100 * Math.min(1, values?.[name] ?? 0)}%` } })),
		]),
		h('td', { class: 'hint' }, hint));
}

// all: values by name, of each run
function factorTable(caption, rows, all, names) {
	const known = rows.filter(([name]) => all.some((values) => values?.[name] != null));
	return h('div', { class: 'scroll' }, h('table', { class: 'factors' }, h('caption', null, caption),
		h('thead', null, h('tr', null, h('th', { scope: 'col' }, 'Factor'),
			names.map((name) => h('th', { scope: 'col', colspan: 2 }, name)), h('th', { scope: 'col' }, 'Meaning'))),
		h('tbody', null, known.map((row) => factorRow(row, all)))));
}

// Processes with threads: the names of the JSON, as doc/efficiency.md has them. [name, level, title, what it is]
const TOTAL = ['parallel_efficiency', 0, 'Parallel efficiency', 'mean computing time of threads / run time'];
const HYBRID = {
	multiplicative: ['Processes and threads: factors multiply', [
		['mpi_parallel_efficiency', 1, 'MPI', 'time of master threads outside MPI / run time'],
		['mpi_load_balance', 2, 'Load balance', 'mean / longest of these'],
		['mpi_communication_efficiency', 2, 'Communication', 'longest / run time'],
		['mpi_serialisation_efficiency', 3, 'Serialisation', 'longest / ideal run time'],
		['mpi_transfer_efficiency', 3, 'Transfer', 'run time in an ideal network / run time'],
		['openmp_parallel_efficiency', 1, 'OpenMP', 'parallel efficiency / that of MPI'],
		['openmp_load_balance', 2, 'Load balance', ''],
		['openmp_communication_efficiency', 2, 'Communication', 'the rest'],
	]],
	additive: ['Processes and threads: losses add up', [
		['process_efficiency', 1, 'Processes', ''],
		['process_load_balance', 2, 'Load balance', ''],
		['process_communication', 2, 'Communication', ''],
		['process_serialisation', 3, 'Serialisation', ''],
		['process_transfer', 3, 'Transfer', ''],
		['thread_efficiency', 1, 'Threads', ''],
		['serial_region_efficiency', 2, 'Outside parallel regions', 'lost while other threads have nothing to do'],
		['openmp_parallel_efficiency', 2, 'In parallel regions', ''],
	]],
};

function hybridTables({ hybrid }) {
	return Object.keys(HYBRID).filter((model) => hybrid?.[model]).map((model) => {
		const [title, rows] = HYBRID[model];
		const values = { ...hybrid[model], parallel_efficiency: hybrid.parallel_efficiency };
		return [h('h3', null, title), factorTable(title, [TOTAL, ...rows], [values], ['Run'])];
	});
}

function windowTable(run, windows, state) {
	const columns = [
		{ key: 'window', title: 'Window', value: (row) => row.from_ns, text: (row) => jumpLink(state, run,
			{ fromNs: row.from_ns, untilNs: row.until_ns },
			row.region == null ? `window ${row.number + 1}` : `${row.region} ${row.number + 1}`) },
		{ key: 'processes', title: 'Processes', value: (row) => row.processes, isNumber: true },
		timeColumn('time_ns', 'Time'),
		...FACTORS.map(([name, , factor, hint]) => ({
			key: name, title: factor.replace(' efficiency', ''), hint, value: (row) => row[name] ?? -1,
			text: (row) => percent(row[name]), share: (row) => row[name] ?? 0, isNumber: true,
		})),
	];
	return createTable({ id: 'windows', caption: 'Efficiencies of phases and windows', rows: windows, state,
		sort: 'window', columns });
}

function processTable(run, state) {
	const { processes } = run.analysis.efficiency;
	const mean = processes.reduce((sum, { useful_ns: ns }) => sum + ns, 0) / processes.length || 1;
	const most = largest(processes, 'useful_ns');
	const hasIo = processes.some(({ io_ns: ns }) => ns > 0);
	return [h('h3', null, 'Computing time of processes'), createTable({
		id: 'useful', caption: 'Computing time of processes', rows: processes, state, sort: '-useful_ns', nrFirst: 20,
		columns: [
			locationColumn('location', 'Process', locationNames(run)),
			timeColumn('useful_ns', 'Computing', { share: (row) => row.useful_ns / most }),
			shareColumn('useful_ns', mean, { title: 'of the mean' }),
			hasIo && timeColumn('io_ns', 'of this, files'),
		].filter(Boolean),
	})];
}

export const efficiency = {
	id: 'efficiency',
	title: 'Efficiencies',
	has: ({ runs }) => runs.some(({ analysis }) => analysis?.efficiency?.parallel_efficiency != null),
	create(container, { state, run, runs }) {
		const all = runs.map(({ analysis }) => analysis?.efficiency);
		const names = runs.length > 1 ? runs.map(({ name }, i) => `${'AB'[i]} ${name}`) : ['Run'];
		container.append(factorTable('Efficiencies', FACTORS, all, names),
			note('Factors one level deeper multiply to the factor above them.'));
		const own = run.analysis?.efficiency;
		if (!own)
			return;
		container.append(facts([
			['Run time', nanoseconds(own.time_ns)], ['in an ideal network', nanoseconds(own.ideal_ns)],
			['Window', own.window === 'mpi' ? 'MPI_Init to MPI_Finalize' : 'whole run'],
			['Precision', own.is_approximate ? 'approximate: processes poll' : null],
		]));
		if (own.scalability)
			container.append(h('h3', null, `Scaling from ${own.scalability.reference_processes} processes`),
				factorTable('Scaling', SCALING, [own.scalability], ['Run']));
		container.append(...hybridTables(own).flat());
		if (own.windows?.length > 0)
			container.append(h('h3', null, 'Phases and windows'), windowTable(run, own.windows, state));
		if (own.processes?.length > 1)
			container.append(...processTable(run, state));
	},
};
