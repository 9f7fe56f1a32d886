// SPDX-License-Identifier: BSD-3-Clause
/*
 * Makes a page of a made-up run:
 *
 *	node make-page.js --template report-page.html --processes 16 --threads 2 --events 100000 --out page.html
 *
 * --runs 2 puts two runs beside each other, --incomplete leaves the single segments out, --tasks 1000 adds tasks.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { fillTemplate } from './encode.js';
import { makeRun, randomNumbers } from './synthetic.js';
import { addTasks } from './synthetic_tasks.js';

function makeOne(settings) {
	const made = makeRun(settings);
	if (settings.tasks > 0)
		made.truth.tasks = addTasks(made, settings, randomNumbers(settings.seed));
	return made;
}

// Returns {header, blocks, truths}; options as for makeRun(), nrRuns, and tasks: about how many each run has.
export function makeData({ nrRuns = 1, title = 'synthetic', ...options } = {}) {
	const made = Array.from({ length: nrRuns }, (_, index) =>
		makeOne({ name: `synthetic${index}.trace`, seed: 1 + index, prefix: `run${index}-`, processes: 4,
			...options }));
	return {
		header: { schema: 1, measure: '0.0.0', title, runs: made.map(({ run }) => run), comparison: null },
		blocks: Object.assign({}, ...made.map(({ blocks }) => blocks)),
		truths: made.map(({ truth }) => truth),
	};
}

export function makePage(template, options) {
	const { header, blocks } = makeData(options);
	return fillTemplate(template, header, blocks);
}

function main() {
	const number = { type: 'string' };
	const { values } = parseArgs({
		options: {
			template: { type: 'string' }, out: { type: 'string' }, incomplete: { type: 'boolean', default: false },
			processes: number, threads: number, hosts: number, events: number, seed: number, metrics: number,
			runs: number, tasks: number,
		},
	});
	const options = { isComplete: !values.incomplete };
	for (const name of ['processes', 'threads', 'hosts', 'events', 'seed', 'metrics', 'tasks'])
		if (values[name] !== undefined)
			options[name] = Number(values[name]);
	if (values.runs !== undefined)
		options.nrRuns = Number(values.runs);
	writeFileSync(values.out, makePage(readFileSync(values.template, 'utf8'), options));
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href)
	main();
