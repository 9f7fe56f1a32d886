// SPDX-License-Identifier: BSD-3-Clause
/*
 * Opens each page of a folder: every view, of some also dark. What archives have in them is neither executed nor
 * requested, views can be used by all people as far as axe-core can tell, and printed.
 *
 *	node archives.mjs --folder DIR --modules DIR --browser CHROMIUM
 */
import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { accessChecker, launch, open, openView, viewsOf } from './pages.mjs';

const string = { type: 'string' };
const { values: options } = parseArgs({ options: { folder: string, modules: string, browser: string } });
const folder = resolve(options.folder);
const DARK = ['sampled.html', 'two.html']; // colours do not depend on names
const checkAccess = accessChecker(options.modules);

// Nothing but the page's own script may run, and nothing may be loaded: not only does the page not try to.
async function checkPolicy(page, where) {
	const policy = await page.getAttribute('meta[http-equiv=Content-Security-Policy]', 'content');
	assert.match(policy, /^default-src 'none'; script-src 'sha256-[^']*'; style-src 'sha256-[^']*'; /, where);
	const refused = await page.evaluate(async () => {
		const violations = [];
		document.addEventListener('securitypolicyviolation', (event) => violations.push(event.effectiveDirective));
		const script = document.createElement('script');
		script.textContent = 'window.isExecuted = true';
		document.head.append(script);
		const image = document.createElement('img');
		image.src = 'http://127.0.0.1:9/image.png';
		document.body.append(image);
		const isFetched = await fetch('http://127.0.0.1:9/').then(() => true, () => false);
		await new Promise((done) => { setTimeout(done, 50); });
		return { isFetched, isExecuted: window.isExecuted ?? false, violations: violations.sort() };
	});
	assert.deepEqual(refused, { isFetched: false, isExecuted: false,
		violations: ['connect-src', 'img-src', 'script-src-elem'] }, where);
}

// What is in the page but its own script: as the browser sees it.
function foreignElements(page) {
	return page.evaluate(() => [...document.querySelectorAll('script, img, iframe, object, embed, link, base, form')]
		.filter((element) => !(element.localName === 'script' && (element.type.startsWith('application/') ||
			element === document.body.querySelector('script:not([type])'))))
		.map((element) => `${element.localName} in ${element.parentElement?.localName}`));
}

async function checkView(page, view, where) {
	await openView(page, view);
	assert.ok((await page.textContent('main section')).trim().length > 20, `${where}: is empty`);
	assert.equal(await page.evaluate(() => window.isExecuted), undefined, where);
	assert.notEqual(await page.title(), 'run', where);
	assert.deepEqual(await foreignElements(page), [], where);
	await checkAccess(page, where);
}

async function checkPage(browser, path, schemes) {
	const name = basename(path, '.html');
	const url = pathToFileURL(path).href;
	let views = [];
	for (const scheme of schemes) {
		const { page, close } = await open(browser, url, { scheme });
		views = await viewsOf(page);
		for (const view of views) {
			await checkView(page, view, `${name} ${view} ${scheme}`);
			if (scheme === 'light')
				await page.pdf({ path: join(folder, `${name}-${view}.pdf`), format: 'A4' });
			await page.screenshot({ path: join(folder, `${name}-${view}-${scheme}.png`) });
		}
		await close();
	}
	return views;
}

const browser = await launch(options);
try {
	const pages = readdirSync(folder).filter((file) => file.endsWith('.html'));
	assert.ok(pages.length >= 8);
	for (const file of pages) {
		const views = await checkPage(browser, join(folder, file), DARK.includes(file) ? ['light', 'dark'] : ['light']);
		assert.equal(views.includes('samples'), file === 'sampled.html', file);
	}
	const { page, close } = await open(browser, pathToFileURL(join(folder, pages[0])).href, { mayFail: true });
	await checkPolicy(page, pages[0]);
	await close();
} finally {
	await browser.close();
}
