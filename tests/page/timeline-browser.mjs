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

async function open(address, hash, { width = 1280, height = 800, ...look } = {}) {
	const page = await browser.newPage({ viewport: { width, height }, ...look });
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

async function checkWaits(page) {
	await press(page, 'f', 'ArrowDown', 'ArrowDown', 'ArrowDown');
	const location = Number((await stateOf(page)).get('tl.row').slice(1));
	await press(page, 'w');
	let state = await stateOf(page);
	const wait = truth.waits[Number(state.get('tl.wait'))];
	assert.equal(wait.location, location, 'w selects a wait of the row');
	assert.match(await page.textContent('.tl-details'), /Wait.*lasts/s);
	await press(page, 'j');
	state = await stateOf(page);
	assert.equal(state.get('tl.row'), `l${wait.causeLocation}`, 'j goes to the location that caused it');
	const cause = Number(state.get('tl.at'));
	assert.ok(cause >= wait.begin && cause <= wait.begin + wait.ticks, 'and to the time of the wait');
	await press(page, 'Escape');
	assert.equal((await stateOf(page)).get('tl.wait'), null);
}

// The middle of the row that the cursor is in and the left edge of the plot, on the screen, from the canvas.
async function placeOfCursor(page) {
	return page.evaluate(() => {
		const canvas = document.querySelector('.tl-canvas');
		const { width, height } = canvas;
		const pixels = new Uint32Array(canvas.getContext('2d').getImageData(0, 0, width, height).data.buffer);
		const { left, top } = canvas.getBoundingClientRect();
		const isFocus = (y) => pixels[y * width + 2] !== pixels[2];
		const lines = Array.from({ length: height - 110 }, (_, i) => i + 110).filter(isFocus);
		// The window on the map has the colour of the focus at its edges.
		const edge = pixels.subarray(15 * width, 16 * width).findIndex((pixel, x) => x > 90 && pixel !== pixels[2]);
		return { y: top + lines[Math.floor(lines.length / 2)], left: left + edge };
	});
}

async function checkCollective() {
	const c = Math.floor(truth.collectives.length / 2);
	const [member] = truth.collectives[c].members;
	const [begin, end] = [member.begin, member.end];
	const middle = Math.round((begin + end) / 2);
	const reach = 8 * (end - begin);
	const { page: shown, errors } = await open(
		url,
		`&tl.lines=0&tl.stack=0&from=${middle - reach}&until=${middle + reach}&tl.row=l${member.location}`,
	);
	const { y, left } = await placeOfCursor(shown);
	const { right } = await shown.evaluate(() => document.querySelector('.tl-canvas').getBoundingClientRect().toJSON());
	await shown.mouse.click((left + right - 12) / 2, y);
	const state = await stateOf(shown);
	assert.equal(Number(state.get('tl.collective')), c, 'a click selects the collective');
	assert.match(await shown.textContent('.tl-details'), /Collective.*MPI_Allreduce/s);
	const again = await open(url, `&${state}`);
	assert.match(await again.page.textContent('.tl-details'), /Collective.*MPI_Allreduce/s);
	const last = truth.collectives[c].members.reduce((a, b) => (b.begin > a.begin ? b : a));
	await press(again.page, 'j');
	assert.equal((await stateOf(again.page)).get('tl.row'), `l${last.location}`, 'j goes to the member that came last');
	assert.deepEqual([...errors, ...again.errors], []);
	await shown.close();
	await again.page.close();
}

const spanOf = (state) => Number(state.get('until')) - Number(state.get('from'));

// Two fingers, as the browser's protocol has them: apart zooms in, moved along pans; one finger pans.
async function checkTouch() {
	const { page, errors } = await open(url, '', { hasTouch: true });
	const session = await page.context().newCDPSession(page);
	const touch = (type, ...points) =>
		session.send('Input.dispatchTouchEvent', {
			type,
			touchPoints: points.map(([x, y], id) => ({ x, y, id })),
		});
	await touch('touchStart', [700, 300], [800, 300]);
	for (let by = 10; by <= 50; by += 10)
		await touch('touchMove', [700 - by, 300], [800 + by, 300]);
	await touch('touchEnd');
	const zoomed = await stateOf(page);
	assert.ok(Math.abs(spanOf(zoomed) / truth.length - 0.5) < 0.02, 'fingers twice as far apart halve the window');
	await touch('touchStart', [800, 300]);
	for (let by = 20; by <= 100; by += 20)
		await touch('touchMove', [800 - by, 300]);
	await touch('touchEnd');
	const panned = await stateOf(page);
	assert.ok(Math.abs(spanOf(panned) - spanOf(zoomed)) <= 2, 'one finger keeps the width of the window');
	assert.ok(Number(panned.get('from')) > Number(zoomed.get('from')), 'and moves it');
	await touch('touchStart', [700, 300]);
	await touch('touchEnd');
	assert.notEqual((await stateOf(page)).get('tl.row'), null, 'a tap selects');
	assert.deepEqual(errors, []);
	await page.close();
}

async function checkTwoRuns(two) {
	const { page, errors } = await open(two, '');
	const before = await pixelsOf(page);
	await press(page, '+', '+');
	const state = await stateOf(page);
	assert.ok(spanOf(state) < truth.length);
	const height = await page.evaluate(() => document.querySelector('.tl-canvas').height);
	const width = before.length / height;
	const after = await pixelsOf(page);
	for (const [name, from, until] of [['first', 0.15, 0.5], ['second', 0.58, 0.95]]) {
		const [begin, end] = [from, until].map((share) => Math.floor(share * height) * width);
		assert.ok(
			before.slice(begin, end).some((pixel, i) => pixel !== after[begin + i]),
			`the ${name} run is zoomed, too`,
		);
	}
	await press(page, 'f');
	await page.fill('.tl-zero input', '0.001');
	await page.press('.tl-zero input', 'Enter');
	assert.ok(Number((await stateOf(page)).get('tl.zero')) > 0, 'the second run starts later');
	const box = await (await page.$('.tl-canvas')).boundingBox();
	for (const [run, share] of [[0, 0.42], [1, 0.8]]) {
		await page.mouse.click(box.x + box.width * 0.6, box.y + box.height * share);
		assert.equal((await stateOf(page)).get('run') ?? '0', String(run), 'a click selects in its run');
	}
	const selected = await stateOf(page);
	selected.delete('view'); // open() adds it
	const again = await open(two, `&${selected}`);
	const opened = await stateOf(again.page);
	opened.delete('view');
	assert.equal(opened.toString(), selected.toString());
	assert.deepEqual([...errors, ...again.errors], []);
	await page.close();
	await again.page.close();
}

async function checkCommand(coarse) {
	const { page, errors } = await open(coarse, `&from=1000&until=1200`);
	await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
	const command = await page.textContent('.tl-command code');
	assert.match(command, /^measure-convert .* --from .* --until .*; measure-report /);
	await page.click('.tl-command button');
	await page.waitForFunction(() => document.querySelector('.tl-command button').textContent === 'Copied');
	assert.equal(await page.evaluate(() => navigator.clipboard.readText()), command);
	assert.deepEqual(errors, []);
	await page.close();
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
	const checks = [checkZoom, checkRows, checkMessages, checkWaits, checkCollective, checkSearch, checkHelp,
		checkLink];
	for (const check of checks) {
		await check(page);
		console.log(`${check.name}: ok`);
	}
	assert.deepEqual(errors, []);
	const two = makePage('two', makeData({ processes: 4, threads: 2, events: 4000, nrRuns: 2 }));
	const coarse = makePage('coarse', makeData({ processes: 8, events: 50000, isComplete: false }));
	for (const [check, address] of [[checkTouch, url], [checkTwoRuns, two], [checkCommand, coarse]]) {
		await check(address);
		console.log(`${check.name}: ok`);
	}
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
