// SPDX-License-Identifier: BSD-3-Clause
/*
 * The page in a real browser: every view draws without an error, wide and narrow, light and dark; by keyboard and by
 * link.
 *
 *	node browser.mjs --template report-page.html --modules DIR --browser CHROMIUM --screenshots DIR
 */
import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { fillTemplate } from './encode.js';
import { makeData } from './make-page.js';
import { accessChecker, drawn, launch, open, openView, viewsOf } from './pages.mjs';

const string = { type: 'string' };
const { values: options } = parseArgs({
	options: { template: string, modules: string, browser: string, screenshots: string },
});
const folder = resolve(options.screenshots);
const template = readFileSync(options.template, 'utf8');
const HOSTILE = '<img src=x onerror="window.isExecuted = true"></script><script>window.isExecuted = true</script>';

function writePage(name, { header, blocks }) {
	const path = join(folder, `${name}.html`);
	writeFileSync(path, fillTemplate(template, header, blocks));
	return pathToFileURL(path).href;
}

function makePages() {
	const one = makeData({ processes: 8, threads: 2, events: 20000, metrics: 4, title: HOSTILE });
	const [run] = one.header.runs;
	for (const region of [run.profile.regions[0], run.profile.paths[4], run.timeline.regions[2]])
		region.name = `${HOSTILE} ${'long '.repeat(2000)}`;
	run.profile.files.push({ file: `/data/${HOSTILE}`, interface: 'POSIX', opened: 1, operations: 2, bytes_read: 3e6,
		bytes_written: 0, time_ns: 2e9, empty_operations: 0, operations_of_unknown_size: 0 });
	return {
		one: writePage('one', one),
		two: writePage('two', makeData({ processes: 4, events: 4000, nrRuns: 2 })),
		plain: writePage('plain', makeData({ processes: 2, events: 2000, metrics: 0 })),
		broken: writePage('broken', { header: { schema: 99, runs: [] }, blocks: {} }),
	};
}

// What has no name for a screen reader.
function namelessIn(page) {
	return page.evaluate(() => [...document.querySelectorAll('a, button, select, input, [tabindex="0"], [role=img]')]
		.filter((element) => !(element.getAttribute('aria-label') || element.textContent.trim() ||
			element.closest('label')?.textContent.trim() || element.getAttribute('title')))
		.map((element) => `${element.localName}.${element.className} of ${element.parentElement.className}`));
}

async function checkViews(browser, name, url) {
	for (const scheme of ['light', 'dark'])
		for (const width of [1280, 400]) {
			const { page, close } = await open(browser, url, { width, scheme });
			for (const view of await viewsOf(page)) {
				await openView(page, view);
				const where = `${name} ${view} ${scheme} ${width}`;
				assert.equal(await page.textContent('nav a[aria-current]'), await page.textContent('main h2'), where);
				const excess = await page.evaluate(() =>
					document.documentElement.scrollWidth - document.documentElement.clientWidth);
				assert.ok(excess <= 0, `${where}: ${excess} pixels too wide`);
				assert.ok((await page.textContent('main section')).trim().length > 20, `${where}: is empty`);
				assert.deepEqual(await namelessIn(page), [], where);
				assert.equal(await page.evaluate(() => window.isExecuted), undefined, where);
				assert.equal(await page.evaluate(() => document.querySelectorAll('main img').length), 0, where);
				await checkAccess(page, where);
				await page.screenshot({ path: join(folder, `${name}-${view}-${scheme}-${width}.png`) });
			}
			await close();
		}
}

function focusedRow(page) {
	return page.evaluate(() => document.activeElement.closest('tr')?.querySelector('.name')?.textContent);
}

async function checkTree(browser, url) {
	const { page, close } = await open(browser, `${url}#view=tree`);
	const nrRows = () => page.$$eval('table[role=treegrid] tbody tr', (rows) => rows.length);
	const before = await nrRows();
	await page.focus('table[role=treegrid] tbody tr');
	await page.keyboard.press('ArrowDown');
	assert.equal(await focusedRow(page), 'main');
	await page.keyboard.press('ArrowLeft');
	await drawn(page);
	assert.ok(await nrRows() < before, 'ArrowLeft closes a row');
	assert.equal(await focusedRow(page), 'main');
	await page.keyboard.press('ArrowRight');
	await drawn(page);
	assert.equal(await nrRows(), before);
	await page.keyboard.press('Enter');
	await drawn(page);
	assert.equal(await page.$eval('tr[aria-selected=true] .name', (name) => name.textContent), 'main');
	await page.fill('input[type=search]', 'allreduce');
	await drawn(page);
	assert.deepEqual(await page.$$eval('tbody tr:not(.context) .name', (names) => names.map((n) => n.textContent)),
		['MPI_Allreduce']);
	await page.waitForFunction(() => ['search=allreduce', 'region=main'].every((word) => location.hash.includes(word)));
	const link = page.url();
	const rows = await page.textContent('table[role=treegrid]');
	await close();
	const again = await open(browser, link);
	assert.equal(await again.page.textContent('table[role=treegrid]'), rows, 'a link opens the same view');
	await again.close();
}

async function checkHistory(browser, url) {
	const { page, close } = await open(browser, url);
	const title = () => page.textContent('main h2');
	const first = await title();
	await openView(page, 'matrix');
	await openView(page, 'waits');
	await page.goBack();
	assert.equal(await title(), 'Messages');
	await page.goBack();
	assert.equal(await title(), first);
	await page.goForward();
	assert.equal(await title(), 'Messages');
	await close();
}

// A click on a title sorts, in both directions, and says so.
async function checkTable(browser, url) {
	const { page, close } = await open(browser, `${url}#view=waits`);
	const shares = () => page.$$eval('.waits table tbody tr', (rows) => rows.map((row) => row.cells[4].textContent));
	const sortBy = async (direction) => {
		await page.click('.waits th button:has-text("Waiting")');
		await page.waitForSelector(`th[aria-sort=${direction}]:has-text("Waiting")`);
	};
	const first = await shares();
	await sortBy('ascending');
	assert.deepEqual(await shares(), [...first].reverse());
	await sortBy('descending');
	assert.deepEqual(await shares(), first);
	await close();
}

async function checkFlame(browser, url) {
	const { page, close } = await open(browser, `${url}#view=flame`);
	await drawn(page);
	await page.focus('.picture.flame');
	for (const key of ['ArrowDown', 'ArrowDown', 'Enter'])
		await page.keyboard.press(key);
	await page.waitForFunction(() => location.hash.includes('flame.focus='));
	await drawn(page);
	assert.match(await page.textContent('.crumbs'), /^all \/ main/);
	await page.keyboard.press('Escape');
	await page.waitForFunction(() => !location.hash.includes('flame.focus='));
	await page.goBack();
	await drawn(page);
	assert.match(await page.textContent('.crumbs'), /^all \/ main/);
	await close();
}

// Curves show the time window of all views, and change it.
async function checkCurves(browser, url) {
	const { page, close } = await open(browser, `${url}#view=counters`);
	await page.waitForSelector('.curve canvas');
	await page.focus('.curve');
	await page.keyboard.press('+');
	await page.waitForFunction(() => /from=\d+&until=\d+/.test(location.hash));
	const box = await (await page.$('.curve .u-over')).boundingBox();
	const windowOf = () => page.evaluate(() => ['from', 'until'].map((name) =>
		Number(new URLSearchParams(location.hash.slice(1)).get(name))));
	const [from, until] = await windowOf();
	await page.mouse.move(box.x + box.width / 4, box.y + 40);
	await page.mouse.down();
	await page.mouse.move(box.x + (box.width * 3) / 4, box.y + 40, { steps: 4 });
	await page.mouse.up();
	await page.waitForFunction((old) => !location.hash.includes(`from=${old}&`), from);
	const [newFrom, newUntil] = await windowOf();
	const near = (value, expected) => Math.abs(value - expected) < 0.02 * (until - from);
	assert.ok(near(newFrom, from + (until - from) / 4) && near(newUntil, until - (until - from) / 4));
	await page.keyboard.press('Home');
	await page.waitForFunction(() => !location.hash.includes('from='));
	await close();
}

async function checkTheme(browser, url) {
	const { page, close } = await open(browser, url);
	const background = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
	const light = await background();
	await page.selectOption('header select', 'dark');
	assert.notEqual(await background(), light);
	await page.reload();
	assert.notEqual(await background(), light, 'the choice stays');
	await page.selectOption('header select', 'auto');
	assert.equal(await background(), light);
	await close();
}

async function checkFailure(browser, url) {
	const { page, close } = await open(browser, url, { mayFail: true });
	assert.match(await page.textContent('[role=alert]'), /format 99/);
	await close();
}

async function checkEmpty(browser, url) {
	const { page, close } = await open(browser, url);
	const views = await viewsOf(page);
	for (const view of ['counters', 'memory', 'files'])
		assert.ok(!views.includes(view), `${view} is shown without data`);
	await close();
}

mkdirSync(folder, { recursive: true });
const pages = makePages();
const browser = await launch(options);
const checkAccess = accessChecker(options.modules);
try {
	await checkViews(browser, 'one', pages.one);
	await checkViews(browser, 'two', pages.two);
	await checkTree(browser, pages.plain);
	await checkHistory(browser, pages.plain);
	await checkTable(browser, pages.plain);
	await checkFlame(browser, pages.plain);
	await checkCurves(browser, pages.one);
	await checkTheme(browser, pages.plain);
	await checkEmpty(browser, pages.plain);
	await checkFailure(browser, pages.broken);
} finally {
	await browser.close();
}
