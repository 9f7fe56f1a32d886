// SPDX-License-Identifier: BSD-3-Clause
/*
 * Uses the time line of a made-up run in a real browser, as people do: keys, mouse, search, messages, links.
 *
 *	node timeline-browser.mjs --template report-page.html --modules node_modules --out FOLDER
 *
 * Leaves pictures in the folder. Exits with 1 if something is not as it should be.
 */
import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { fillTemplate } from './encode.js';
import { makeData } from './make-page.js';

const { values: options } = parseArgs({
	options: {
		template: { type: 'string' },
		modules: { type: 'string' },
		out: { type: 'string' },
		browser: { type: 'string', default: '/usr/bin/chromium' },
	},
});
const { chromium } = createRequire(join(resolve(options.modules), 'package.json'))('playwright-core');
const template = readFileSync(options.template, 'utf8');

function makePage(name, made) {
	const path = join(resolve(options.out), `${name}.html`);
	writeFileSync(path, fillTemplate(template, made.header, made.blocks));
	return pathToFileURL(path).href;
}

mkdirSync(options.out, { recursive: true });
const data = makeData({ processes: 6, threads: 2, hosts: 2, events: 12000, metrics: 2 });
const [truth] = data.truths;
const url = makePage('one', data);
const browser = await chromium.launch({
	executablePath: options.browser,
	args: ['--headless=new', '--no-sandbox'],
});

async function open(address, hash, { width = 1280, height = 800, colorScheme = 'light' } = {}) {
	const page = await browser.newPage({ viewport: { width, height }, colorScheme });
	const errors = [];
	page.on('pageerror', (error) => errors.push(error.message));
	page.on('console', (message) => {
		if (message.type() === 'error')
			errors.push(message.text());
	});
	await page.goto(`${address}#view=timeline${hash}`);
	await page.waitForSelector('.timeline-widget[data-loaded]', { state: 'attached' });
	await page.waitForTimeout(100);
	return { page, errors };
}

// What the address says, after the page has written it.
async function stateOf(page) {
	await page.waitForTimeout(400);
	return new URLSearchParams((await page.evaluate(() => location.hash)).slice(1));
}

const said = (page) => page.textContent('.tl-live');

const pixelsOf = (page) =>
	page.evaluate(() => {
		const canvas = document.querySelector('.tl-canvas');
		const { data: bytes } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
		return [...new Uint32Array(bytes.buffer)];
	});

// Different colours on the canvas: a blank one has few.
const nrColours = async (page) => new Set(await pixelsOf(page)).size;

async function press(page, ...keys) {
	await page.focus('.tl-canvas');
	for (const key of keys)
		await page.keyboard.press(key);
}

async function checkZoom(page) {
	await press(page, '+', '+', '+');
	let state = await stateOf(page);
	const span = Number(state.get('until')) - Number(state.get('from'));
	assert.ok(Math.abs(span - truth.length / 1.6 ** 3) < 3, 'plus zooms');
	await press(page, 'ArrowRight');
	assert.ok(Number((await stateOf(page)).get('from')) > Number(state.get('from')), 'arrow pans');
	await press(page, 'Home');
	assert.equal(Number((await stateOf(page)).get('from')), 0);
	await press(page, 'End');
	assert.equal(Number((await stateOf(page)).get('until')), truth.length);
	await page.mouse.move(700, 500);
	await page.mouse.wheel(0, -300);
	state = await stateOf(page);
	assert.ok(Number(state.get('until')) - Number(state.get('from')) < span, 'the wheel zooms');
	await press(page, 'f');
	assert.equal((await stateOf(page)).get('from'), null, 'f shows all');
}

async function checkRows(page) {
	await press(page, 'ArrowDown', 'ArrowDown', 'ArrowDown', ']');
	assert.match(await said(page), /MPI Rank 0.*row 3 of \d+/);
	await press(page, 'Enter');
	assert.equal((await stateOf(page)).get('location'), '0');
	await press(page, 'ArrowUp', ' ');
	assert.equal((await stateOf(page)).get('tl.collapsed'), 'p0');
	await press(page, ' ', 'Escape');
	assert.equal((await stateOf(page)).get('location'), null);
}

async function checkMessages(page) {
	await press(page, 'ArrowDown', 'ArrowDown', 'ArrowDown', 'n');
	let index = Number((await stateOf(page)).get('message'));
	const first = truth.messages[index];
	assert.match(await page.textContent('.tl-details'), /Message.*MPI Rank/s);
	await press(page, 'm');
	let state = await stateOf(page);
	const end = state.get('tl.row') === `l${first.to}` ? first.to : first.from;
	assert.equal(state.get('tl.row'), `l${end}`);
	await press(page, 'm', 'm');
	state = await stateOf(page);
	index = Number(state.get('message'));
	assert.equal(truth.messages[index].from, first.to, 'm goes on with a message of the receiver');
	await press(page, 'Escape');
	assert.equal((await stateOf(page)).get('message'), null);
}

async function checkSearch(page) {
	await press(page, '/');
	await page.keyboard.type('mpi_allr');
	await page.waitForFunction(() => document.querySelector('.tl-found').textContent === '1 region');
	await page.keyboard.press('Enter');
	assert.match(await said(page), /MPI_Allreduce/);
	await page.keyboard.press('Escape');
	assert.equal((await stateOf(page)).get('search'), null);
}

async function checkHelp(page) {
	await press(page, '?');
	assert.ok(await page.isVisible('.tl-help'));
	await page.keyboard.press('Escape');
	assert.ok(!(await page.isVisible('.tl-help')));
}

async function checkLink(page) {
	await press(page, '+', '+', 'k', 'c', 's');
	await page.mouse.click(700, 420);
	const state = await stateOf(page);
	assert.deepEqual(
		[state.get('tl.colours'), state.get('tl.critical'), state.get('tl.sort')],
		['region', '1', 'waiting'],
	);
	const { page: again, errors } = await open(url, `&${state}`);
	const pictures = [];
	for (const shown of [page, again]) {
		await shown.mouse.move(2, 2);
		await shown.evaluate(() => document.activeElement.blur());
		await shown.waitForTimeout(200);
		pictures.push(await pixelsOf(shown));
	}
	// Windows in links are whole ticks: edges may differ by a part of one.
	const nrDifferent = pictures[0].filter((pixel, i) => pixel !== pictures[1][i]).length;
	assert.ok(
		nrDifferent < pictures[0].length / 100,
		`a link shows the same picture, but for ${nrDifferent} pixels`,
	);
	assert.deepEqual(errors, []);
	await again.close();
}

try {
	const { page, errors } = await open(url, '');
	assert.ok((await nrColours(page)) > 6, 'it draws');
	for (const check of [checkZoom, checkRows, checkMessages, checkSearch, checkHelp, checkLink]) {
		await check(page);
		console.log(`${check.name}: ok`);
	}
	assert.deepEqual(errors, []);
	const two = makePage('two', makeData({ processes: 4, threads: 2, events: 4000, nrRuns: 2 }));
	const coarse = makePage('coarse', makeData({ processes: 8, events: 50000, isComplete: false }));
	const middle = `&from=${Math.round(truth.length * 0.5)}&until=${Math.round(truth.length * 0.53)}`;
	const pictures = [
		['whole', url, '', {}],
		['window', url, `${middle}&location=4&tl.critical=1`, {}],
		['dark', url, `${middle}&tl.colours=region&message=120`, { colorScheme: 'dark' }],
		['narrow', url, `${middle}&location=4`, { width: 400 }],
		['narrow-dark', url, '', { width: 400, colorScheme: 'dark' }],
		['two-runs', two, '', {}],
		['intervals', coarse, '&location=2', {}],
	];
	for (const [name, address, hash, look] of pictures) {
		const shown = await open(address, hash, look);
		await shown.page.waitForTimeout(400);
		await shown.page.screenshot({ path: join(options.out, `timeline-${name}.png`) });
		assert.ok((await nrColours(shown.page)) > 6, `${name} is drawn`);
		const isWide = await shown.page.evaluate(() => document.documentElement.scrollWidth > window.innerWidth);
		assert.ok(!isWide, `${name} is not wider than the window`);
		assert.deepEqual(shown.errors, [], name);
		await shown.page.close();
	}
	console.log(`pictures: ${options.out}`);
} finally {
	await browser.close();
}
