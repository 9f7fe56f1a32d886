// SPDX-License-Identifier: BSD-3-Clause
/*
 * What tests of pages in a real browser have in common: starting it, opening a page whose errors fail the test, its
 * views, and what axe-core finds in them.
 */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';

export function launch({ modules, browser }) {
	const { chromium } = createRequire(join(resolve(modules), 'package.json'))('playwright-core');
	return chromium.launch({ executablePath: browser, args: ['--no-sandbox'] });
}

// A page whose errors fail the test.
export async function open(browser, url, { width = 1280, scheme = 'light', mayFail = false } = {}) {
	const page = await browser.newPage({ viewport: { width, height: 900 }, colorScheme: scheme });
	page.setDefaultTimeout(20000);
	const errors = [];
	page.on('pageerror', (error) => errors.push(error.message));
	page.on('console', (message) => {
		if (message.type() === 'error' || message.type() === 'warning')
			errors.push(message.text());
	});
	page.on('request', (request) => {
		if (request.url() !== url.replace(/#.*/, ''))
			errors.push(`request of ${request.url()}`);
	});
	await page.goto(url);
	await page.waitForSelector('main h1, main h2');
	return { page, close: async () => {
		await page.close();
		if (!mayFail)
			assert.deepEqual(errors, []);
	} };
}

export function viewsOf(page) {
	return page.$$eval('nav a', (links) => links.map((a) => new URLSearchParams(a.hash.slice(1)).get('view')));
}

// Two frames later, all has been drawn.
export function drawn(page) {
	return page.evaluate(() => new Promise((done) => {
		requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done, 60)));
	}));
}

export async function openView(page, view) {
	await page.click(`nav a[href*="view=${view}"]`);
	await page.waitForSelector(`section.view.${view}`);
	await drawn(page);
}

// checkAccess(page, where): nothing that keeps people from using the page, of those rules that axe-core has.
export function accessChecker(modules) {
	const axe = readFileSync(join(resolve(modules), 'axe-core/axe.min.js'), 'utf8');
	return async (page, where) => {
		if (await page.evaluate(() => !window.axe))
			await page.evaluate(axe);
		const { violations } = await page.evaluate(() => window.axe.run(document, { resultTypes: ['violations'] }));
		const elements = (nodes) => nodes.slice(0, 3).map(({ html }) => html.slice(0, 200)).join(' ');
		assert.deepEqual(violations.filter(({ impact }) => impact === 'serious' || impact === 'critical')
			.map(({ id, help, nodes }) => `${id}: ${help}: ${elements(nodes)}`), [], where);
	};
}
