// SPDX-License-Identifier: BSD-3-Clause
/*
 * Uses the panels of tasks of made-up runs in a real browser, as people do: keys, mouse, chains, choice of panels,
 * links.
 *
 *	node tasks-browser.mjs --template report-page.html --modules node_modules --browser CHROMIUM --out FOLDER
 *
 * Leaves pictures in the folder. Exits with 1 if something is not as it should be.
 */
import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { fillTemplate } from './encode.js';
import { makeData } from './make-page.js';
import { accessChecker, drawn, launch, open } from './pages.mjs';

const string = { type: 'string' };
const { values: options } = parseArgs({ options: { template: string, modules: string, browser: string, out: string } });
const folder = resolve(options.out);
const template = readFileSync(options.template, 'utf8');

function makePage(name, data) {
	const path = join(folder, `tasks-${name}.html`);
	writeFileSync(path, fillTemplate(template, data.header, data.blocks));
	return pathToFileURL(path).href;
}

async function openTasks(browser, url, hash, look) {
	const opened = await open(browser, `${url}#view=tasks${hash}`, look);
	await opened.page.waitForSelector('.tk-board[data-drawn]');
	await drawn(opened.page);
	return opened;
}

// Of the address, after the page has written it.
async function stateOf(page) {
	await page.waitForTimeout(400);
	return page.evaluate(() => Object.fromEntries(new URLSearchParams(location.hash.slice(1))));
}

const panelsOf = (page) => page.$$eval('.tk-panel', (panels) => panels.map(({ dataset }) => dataset.panel));

// How many colours a panel's picture has: nothing empty is shown.
function coloursOf(page, id) {
	return page.$eval(`[data-panel="${id}"] canvas`, (canvas) => {
		const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
		return new Set(new Uint32Array(data.buffer)).size;
	});
}

async function checkLooks(browser, name, url) {
	for (const scheme of ['light', 'dark'])
		for (const width of [1280, 400]) {
			const where = `${name} ${scheme} ${width}`;
			const { page, close } = await openTasks(browser, url, '&task=40', { width, scheme });
			for (const id of await panelsOf(page)) {
				await page.$eval(`[data-panel="${id}"]`, (panel) => panel.scrollIntoView());
				await drawn(page);
				assert.ok(await coloursOf(page, id) > 2, `${where}: ${id} is empty`);
			}
			const excess = await page.evaluate(() =>
				document.documentElement.scrollWidth - document.documentElement.clientWidth);
			assert.ok(excess <= 0, `${where}: ${excess} pixels too wide`);
			await page.evaluate(() => window.scrollTo(0, 0));
			await checkAccess(page, where);
			await page.screenshot({ path: join(folder, `tasks-${name}-${scheme}-${width}.png`) });
			await close();
		}
}

// Every panel that the page has can be shown, and shows something.
async function checkAllPanels(browser, url) {
	const ids = data.header.runs[0].tasks.panels.map(({ id }) => id);
	const { page, close } = await openTasks(browser, url, `&panels=${ids.join(',')}`);
	assert.deepEqual(await panelsOf(page), ids);
	for (const id of ids) {
		await page.$eval(`[data-panel="${id}"]`, (panel) => panel.scrollIntoView());
		await drawn(page);
		assert.ok(await coloursOf(page, id) > 2, `${id} is empty`);
	}
	assert.ok(await page.$eval('.tk-board', (board) => Number(board.dataset.drawn)) > 0);
	await close();
}

// Names of StarVZ are understood; keys and buttons order panels; a link and the back button restore them.
async function checkChoice(browser, url) {
	const { page, close } = await openTasks(browser, url, '&panels=st,lackready,kiteration');
	assert.deepEqual(await panelsOf(page), ['st', 'lack-of-ready', 'iteration']);
	await page.click('button[aria-label="Move up Iterations"]');
	assert.deepEqual(await panelsOf(page), ['st', 'iteration', 'lack-of-ready']);
	assert.equal(await page.evaluate(() => document.activeElement.getAttribute('aria-label')), 'Move up Iterations');
	await page.click('button[aria-label="Remove Tasks"]');
	await page.selectOption('.toolbar select', 'ready');
	assert.deepEqual(await panelsOf(page), ['iteration', 'lack-of-ready', 'ready']);
	await page.dragAndDrop('[data-panel=ready] .tk-head', '[data-panel=iteration] .tk-head');
	assert.deepEqual(await panelsOf(page), ['ready', 'iteration', 'lack-of-ready']);
	const link = page.url();
	await page.goBack();
	assert.deepEqual(await panelsOf(page), ['iteration', 'lack-of-ready', 'ready']);
	await close();
	const again = await open(browser, link);
	await again.page.waitForSelector('.tk-board[data-drawn]');
	assert.deepEqual(await panelsOf(again.page), ['ready', 'iteration', 'lack-of-ready']);
	await again.close();
}

const windowOf = ({ from, until }) => [Number(from), Number(until)];

// All panels and the time line have one window.
async function checkZoom(browser, url) {
	const { page, close } = await openTasks(browser, url, '&panels=ready,st');
	const picture = '[data-panel=ready] .tk-picture';
	const [first, last] = data.header.runs[0].tasks.window;
	await page.focus(picture);
	await page.keyboard.press('+');
	const [from, until] = windowOf(await stateOf(page));
	assert.ok(from > first && until < last && Math.abs((until - from) / (last - first) - 0.5) < 0.03);
	const box = await (await page.$(`${picture} canvas`)).boundingBox();
	await page.mouse.move(box.x + box.width * 0.7, box.y + 30);
	await page.mouse.wheel(0, -300);
	const [closeFrom, closeUntil] = windowOf(await stateOf(page));
	assert.ok(closeUntil - closeFrom < until - from);
	await page.mouse.down();
	await page.mouse.move(box.x + box.width * 0.6, box.y + 30, { steps: 4 });
	await page.mouse.up();
	const [movedFrom, movedUntil] = windowOf(await stateOf(page));
	assert.ok(movedFrom > closeFrom && Math.abs(movedUntil - movedFrom - (closeUntil - closeFrom)) <= 2);
	await page.keyboard.down('Shift');
	await page.mouse.down();
	await page.mouse.move(box.x + box.width * 0.8, box.y + 30, { steps: 4 });
	await page.mouse.up();
	await page.keyboard.up('Shift');
	const band = windowOf(await stateOf(page));
	assert.ok(band[1] - band[0] < (movedUntil - movedFrom) * 0.4, 'Shift+drag selects a window');
	await page.click('nav a[href*="view=timeline"]');
	await page.waitForSelector('.timeline-widget[data-loaded]', { state: 'attached' });
	assert.deepEqual(windowOf(await stateOf(page)), band, 'the time line shows the same window');
	await page.click('nav a[href*="view=tasks"]');
	await page.waitForSelector('.tk-board[data-drawn]');
	await page.focus(picture);
	await page.keyboard.press('f');
	assert.equal((await stateOf(page)).from, undefined);
	await close();
}

// The chain of a task, by hand.
function chainOf(task, levels) {
	const chain = [task];
	while (chain.length <= levels) {
		const { before } = truth.tasks[chain.at(-1)];
		if (before.length === 0)
			break;
		chain.push(before.reduce((last, one) => (truth.tasks[one].end > truth.tasks[last].end ? one : last)));
	}
	return chain;
}

async function checkChain(browser, url) {
	const { page, close } = await openTasks(browser, url, '&panels=st');
	await page.focus('.tk-picture');
	await page.keyboard.press('Enter');
	const { task } = await stateOf(page);
	const chain = chainOf(Number(task), 5);
	const links = () => page.$$eval('.tk-chain li', (rows) => rows.length);
	assert.equal(await links(), chain.length - 1);
	await page.keyboard.press(']');
	assert.equal(await links(), chainOf(Number(task), 6).length - 1);
	for (const expected of chain.slice(1, 4)) {
		await page.keyboard.press('p');
		assert.equal(Number((await stateOf(page)).task), expected);
	}
	assert.match(await page.textContent('.tl-live'), /MPI Rank \d, .* from /);
	const before = await page.$eval('[data-panel=st] canvas', (canvas) => canvas.toDataURL());
	await page.keyboard.press('c');
	await drawn(page);
	assert.notEqual(await page.$eval('[data-panel=st] canvas', (canvas) => canvas.toDataURL()), before);
	await page.screenshot({ path: join(folder, 'tasks-chain.png') });
	const state = await stateOf(page);
	assert.deepEqual([state['tk.levels'], state['tk.critical']], ['6', '1']);
	const card = await page.textContent('.tk-details');
	const link = page.url();
	await close();
	const again = await open(browser, link);
	await again.page.waitForSelector('.tk-board[data-drawn]');
	assert.equal(await again.page.textContent('.tk-details'), card, 'a link shows the same task');
	await again.page.focus('.tk-picture');
	await again.page.keyboard.press('Escape');
	assert.equal(await again.page.isHidden('.tk-details'), true);
	await again.close();
}

// A click meets the task that is there.
async function checkClick(browser, url) {
	const { page, close } = await openTasks(browser, url, '&panels=st');
	const { x, y, width } = await (await page.$('.tk-picture canvas')).boundingBox();
	await page.mouse.move(x + width * 0.6, y + 30);
	assert.ok(await page.isVisible('.tip'));
	await page.mouse.click(x + width * 0.6, y + 30);
	const { task } = await stateOf(page);
	assert.equal(truth.tasks[Number(task)].worker, 0);
	assert.match(await page.textContent('.tk-details'), new RegExp(`lasts.*waited`));
	await close();
}

// Two runs: two pictures a panel, and the window of one is that of the other, from the first tasks on.
async function checkTwo(browser, url) {
	const { page, close } = await openTasks(browser, url, '&panels=st,ready');
	const pictures = await page.$$('.tk-picture');
	assert.equal(pictures.length, 4);
	const boxes = await Promise.all(pictures.map((picture) => picture.boundingBox()));
	assert.ok(boxes[0].y === boxes[1].y && boxes[0].x < boxes[1].x && boxes[0].height === boxes[1].height);
	await page.mouse.click(boxes[1].x + boxes[1].width * 0.6, boxes[1].y + 30);
	assert.equal((await stateOf(page)).run, '1');
	await close();
	const narrow = await openTasks(browser, url, '&panels=st,ready', { width: 400 });
	const stacked = await Promise.all((await narrow.page.$$('.tk-picture')).map((picture) => picture.boundingBox()));
	assert.ok(stacked[0].x === stacked[1].x && stacked[0].y < stacked[1].y);
	await narrow.close();
}

async function checkNone(browser, url) {
	const { page, close } = await open(browser, url);
	assert.equal(await page.$('nav a[href*="view=tasks"]'), null, 'tasks are shown without tasks');
	await close();
}

mkdirSync(folder, { recursive: true });
const settings = { processes: 2, threads: 4, events: 2000 };
const data = makeData({ ...settings, tasks: 1500 });
const truth = data.truths[0].tasks;
const one = makePage('one', data);
const two = makePage('two', makeData({ ...settings, tasks: 600, nrRuns: 2 }));
const none = makePage('none', makeData(settings));
const browser = await launch(options);
const checkAccess = accessChecker(options.modules);
try {
	await checkLooks(browser, 'one', one);
	await checkLooks(browser, 'two', two);
	await checkAllPanels(browser, one);
	await checkChoice(browser, one);
	await checkZoom(browser, one);
	await checkChain(browser, one);
	await checkClick(browser, one);
	await checkTwo(browser, two);
	await checkNone(browser, none);
} finally {
	await browser.close();
}
