// SPDX-License-Identifier: BSD-3-Clause
/*
 * What measure-analyze found, as sentences. A sentence is a list of strings and of objects { path: [names] },
 * { jump: { fromNs, untilNs, location }, text }, which the page makes elements of.
 */
import { bytes, nanoseconds, percent, plural } from '../format.js';
import { pathNames } from './path_tree.js';

// Below this, nothing is said of it.
const WORTH_SAYING = 0.01;

const FACTORS = {
	load_balance: 'load balance: some processes compute longer than others',
	serialisation_efficiency: 'serialisation: processes wait for each other',
	transfer_efficiency: 'transfer: the network and MPI itself take time',
};

function processOf(run, location) {
	const { process, name } = run.analysis.locations[location] ?? {};
	return run.profile?.processes?.[process]?.name ?? name ?? `location ${location}`;
}

function efficiencyVerdicts(run) {
	const { efficiency } = run.analysis;
	if (efficiency?.parallel_efficiency == null)
		return [];
	const share = efficiency.parallel_efficiency;
	const worst = Object.keys(FACTORS).filter((name) => efficiency[name] != null)
		.sort((a, b) => efficiency[a] - efficiency[b])[0];
	const first = [`Processes compute for ${percent(share)} of the time`,
		efficiency.window === 'mpi' ? ' between MPI_Init and MPI_Finalize' : ' of the run', ' (parallel efficiency).'];
	const verdicts = [{ text: first }];
	if (worst && efficiency[worst] < 0.97 && efficiency.processes.length > 1)
		first.push(` Most is lost by ${FACTORS[worst]} (${percent(efficiency[worst])}).`);
	return [...verdicts, ...balanceVerdict(run), ...waitedForVerdict(run), ...transferVerdict(run)];
}

function balanceVerdict(run) {
	const { most_location: location, most_region: region, processes } = run.analysis.efficiency;
	const most = processes.find((process) => process.location === location);
	const mean = processes.reduce((sum, { useful_ns: ns }) => sum + ns, 0) / processes.length;
	const excess = most ? most.useful_ns / mean - 1 : 0;
	if (!(excess >= WORTH_SAYING))
		return [];
	return [{
		text: [`${processOf(run, location)} computes ${percent(excess)} longer than the mean of all`,
			...(region ? [', mostly in ', { path: [region] }, '.'] : ['.'])],
	}];
}

function waitedForVerdict(run) {
	const { waited_for: found } = run.analysis.efficiency;
	if (!(found?.time_ns > 0))
		return [];
	return [{
		text: [`Of ${nanoseconds(found.time_ns)} of waiting in MPI, ${nanoseconds(found.location_ns)} is for `,
			`${processOf(run, found.location)}, mostly in `, { path: pathNames(run.analysis.paths, found.path) },
			` (${nanoseconds(found.path_ns)}).`],
	}];
}

function transferVerdict(run) {
	const { transferred: found } = run.analysis.efficiency;
	if (!(found?.time_ns > 0))
		return [];
	return [{
		text: [`Apart from waiting, MPI takes ${nanoseconds(found.time_ns)} (sum of all processes), mostly in `,
			{ path: [found.region] }, ` (${nanoseconds(found.region_ns)}).`],
	}];
}

function waitVerdicts(run) {
	const { analysis } = run;
	const share = analysis.waiting_ns / analysis.all_locations_ns;
	if (!(share >= WORTH_SAYING / 10))
		return [];
	const first = [`Waiting takes ${nanoseconds(analysis.waiting_ns)}, ${percent(share)} of the time of all `,
		'locations.'];
	const [longest] = analysis.longest ?? [];
	if (longest)
		first.push(' The longest wait is ', {
			jump: { fromNs: longest.enter_ns, untilNs: longest.until_ns, location: longest.location },
			text: nanoseconds(longest.time_ns),
		}, ' in ', { path: pathNames(analysis.paths, longest.path) }, '.');
	return [{ text: first }, ...causeVerdict(run)];
}

function causeVerdict(run) {
	const { delays, delay_total_ns: total, paths } = run.analysis;
	const costs = new Map();
	for (const delay of delays ?? [])
		costs.set(delay.path, (costs.get(delay.path) ?? 0) + delay.short_term_ns + delay.long_term_ns);
	const [path, cost] = [...costs].sort((a, b) => b[1] - a[1])[0] ?? [];
	if (!(cost / total > 0.1))
		return [];
	return [{
		text: ['The main cause of waiting is ', { path: pathNames(paths, path) },
			`: its delays cost others ${nanoseconds(cost)}, ${percent(cost / total)} of all that delays cost.`],
	}];
}

function clockVerdict(run) {
	const { clocks } = run.analysis;
	if (clocks?.failure)
		return [{ isWarning: true, text: [`The clocks could not be corrected: ${clocks.failure}.`] }];
	if (!(clocks?.violations_before > 0))
		return [];
	const what = plural(clocks.violations_before, 'message or other relation', 'messages or other relations');
	return [{
		isWarning: !clocks.is_corrected,
		text: [`${what} ended before they began, by up to ${nanoseconds(clocks.worst_before_ns)}; times are `,
			clocks.is_corrected ? 'corrected, as by measure-sync.' : 'not corrected.'],
	}];
}

const UNKNOWNS = [
	['unreadable_locations', 'location cannot be read', 'locations cannot be read'],
	['dropped_events', 'event was dropped by measure --keep', 'events were dropped by measure --keep'],
	['cut_processes', 'process was cut short', 'processes were cut short'],
	['cut_calls', 'call has no end', 'calls have no end'],
];

function unknownVerdicts(run) {
	const unknown = run.analysis?.unknown ?? {};
	return UNKNOWNS.filter(([name]) => unknown[name] > 0).map(([name, one, many]) => ({
		isWarning: true, text: [`${plural(unknown[name], one, many)}: how long others waited for it is unknown.`],
	}));
}

function ioVerdict(run) {
	const files = run.profile?.files ?? [];
	const time = files.reduce((sum, file) => sum + file.time_ns, 0);
	const all = (run.profile?.locations ?? []).reduce((sum, { time_ns: ns }) => sum + ns, 0);
	if (!(time / all >= WORTH_SAYING))
		return [];
	const moved = files.reduce((sum, file) => sum + file.bytes_read + file.bytes_written, 0);
	return [{ text: [`Files take ${nanoseconds(time)}, ${percent(time / all)} of the time of all `,
		`locations, for ${bytes(moved)}.`] }];
}

// Warnings first, then what matters most.
export function verdictsOf(run) {
	const found = run.analysis
		? [...efficiencyVerdicts(run), ...waitVerdicts(run), ...clockVerdict(run), ...unknownVerdicts(run)] : [];
	return [...found, ...ioVerdict(run)].sort((a, b) => Number(b.isWarning ?? false) - Number(a.isWarning ?? false));
}
