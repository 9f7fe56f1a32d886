// SPDX-License-Identifier: BSD-3-Clause
/*
 * Measures how long frames of the time line take while it is panned and zoomed by the wheel:
 *
 *	node frames.mjs --page PAGE --modules node_modules [--frames 200] [--most-ms 50] [--open-ms 2000]
 *
 * Prints the time until the time line shows its rows, and the median and the 95th percentile of the frames; exits with 1
 * if one of them is beyond its limit.
 */
import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';

const { values: options } = parseArgs({
	options: {
		page: { type: 'string' },
		modules: { type: 'string' },
		chromium: { type: 'string', default: '/usr/bin/chromium' },
		frames: { type: 'string', default: '200' },
		'most-ms': { type: 'string', default: '50' },
		'open-ms': { type: 'string', default: '2000' },
		hash: { type: 'string', default: '' },
	},
});
const { chromium } = createRequire(join(resolve(options.modules), 'package.json'))('playwright-core');

// Runs in the page: one wheel event per frame, and the time from it until the next frame has been drawn.
async function measureFrames({ frames, deltaOf }) {
	const canvas = document.querySelector('.tl-canvas');
	const { width, height } = canvas.getBoundingClientRect();
	const next = () =>
		new Promise((done) => {
			requestAnimationFrame(done);
		});
	const times = [];
	let last = await next();
	for (let i = 0; i < frames; i++) {
		const [deltaX, deltaY] = deltaOf === 'pan' ? [i % 80 < 40 ? 60 : -60, 0] : [0, i % 40 < 20 ? -100 : 100];
		const box = canvas.getBoundingClientRect();
		canvas.dispatchEvent(
			new WheelEvent('wheel', {
				deltaX,
				deltaY,
				bubbles: true,
				cancelable: true,
				clientX: box.left + width * 0.6,
				clientY: box.top + height * 0.6,
			}),
		);
		const now = await next();
		times.push(now - last);
		last = now;
	}
	return times;
}

function quantile(times, share) {
	const sorted = [...times].sort((a, b) => a - b);
	return sorted[Math.min(sorted.length - 1, Math.max(0, Math.ceil(share * sorted.length) - 1))];
}

async function measure(browser) {
	const page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
	const errors = [];
	page.on('pageerror', (error) => errors.push(error.message));
	const start = performance.now();
	await page.goto(pathToFileURL(resolve(options.page)).href + options.hash);
	await page.waitForSelector('.timeline-widget[data-loaded]', { state: 'attached' });
	const open = performance.now() - start;
	console.log(`open ${open.toFixed(0)} ms`);
	let isSlow = open > Number(options['open-ms']);
	// Zoomed in so that panning has where to go.
	for (const [kind, zoom] of [
		['zoom', 0],
		['pan', 6],
	]) {
		await page.focus('.tl-canvas');
		await page.keyboard.press('f');
		for (let i = 0; i < zoom; i++)
			await page.keyboard.press('+');
		const times = await page.evaluate(measureFrames, { frames: Number(options.frames), deltaOf: kind });
		const [p50, p95, most] = [quantile(times, 0.5), quantile(times, 0.95), quantile(times, 1)];
		const figures = [p50, p95, most].map((ms) => `${ms.toFixed(1)} ms`);
		console.log(`${kind} ${times.length} frames: p50 ${figures[0]}, p95 ${figures[1]}, longest ${figures[2]}`);
		isSlow ||= p95 > Number(options['most-ms']);
	}
	errors.forEach((error) => console.error(`error in the page: ${error}`));
	return isSlow || errors.length > 0 ? 1 : 0;
}

const browser = await chromium.launch({
	executablePath: options.chromium,
	args: ['--headless=new', '--no-sandbox'],
});
try {
	process.exitCode = await measure(browser);
} finally {
	await browser.close();
}
