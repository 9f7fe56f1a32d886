// SPDX-License-Identifier: BSD-3-Clause
/*
 * Makes a page of a made-up run:
 *
 *	node make-page.js --template report-page.html --processes 16 --threads 2 --events 100000 --out page.html
 *
 * --runs 2 puts two runs beside each other, --incomplete leaves the single segments out.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { fillTemplate } from './encode.js';
import { makeRun } from './synthetic.js';

// Returns {header, blocks, truths}; options as for makeRun(), and nrRuns.
export function makeData({ nrRuns = 1, title = 'synthetic', ...options } = {}) {
	const made = Array.from({ length: nrRuns }, (_, index) =>
		makeRun({ name: `synthetic${index}.trace`, seed: 1 + index, prefix: `run${index}-`, ...options }));
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
			runs: number,
		},
	});
	const options = { isComplete: !values.incomplete };
	for (const name of ['processes', 'threads', 'hosts', 'events', 'seed', 'metrics'])
		if (values[name] !== undefined)
			options[name] = Number(values[name]);
	if (values.runs !== undefined)
		options.nrRuns = Number(values.runs);
	writeFileSync(values.out, makePage(readFileSync(values.template, 'utf8'), options));
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href)
	main();
