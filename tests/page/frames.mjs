// SPDX-License-Identifier: BSD-3-Clause
/*
 * Measures how long frames of the time line, or of another picture, take while it is panned and zoomed by the wheel:
 *
 *	node frames.mjs --page PAGE --modules DIR [--frames 200] [--most-ms 50] [--by elapsed|processor]
 *
 * Prints the time until the picture is shown, and the median and the 95th percentile of the frames; exits with
 * 1 if one of them is beyond its limit.
 */
import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';

const { values: options } = parseArgs({
	options: {
		page: { type: 'string' },
		modules: { type: 'string' },
		browser: { type: 'string', default: '/usr/bin/chromium' },
		frames: { type: 'string', default: '200' },
		'most-ms': { type: 'string', default: '50' },
		'open-ms': { type: 'string', default: '2000' },
		hash: { type: 'string', default: '' },
		by: { type: 'string', default: 'elapsed' },
		wait: { type: 'string', default: '.timeline-widget[data-loaded]' }, // it is there when all is drawn
		picture: { type: 'string', default: '.tl-canvas' },
	},
});
const { chromium } = createRequire(join(resolve(options.modules), 'package.json'))('playwright-core');

// Runs in the page: a wheel event, and the time until the next frame has been drawn.
async function measureFrame([picture, deltaX, deltaY]) {
	const canvas = document.querySelector(picture);
	const { left, top, width, height } = canvas.getBoundingClientRect();
	const next = () =>
		new Promise((done) => {
			requestAnimationFrame(done);
		});
	const before = await next();
	canvas.dispatchEvent(
		new WheelEvent('wheel', {
			deltaX,
			deltaY,
			bubbles: true,
			cancelable: true,
			clientX: left + width * 0.6,
			clientY: top + height * 0.6,
		}),
	);
	await next();
	return (await next()) - before - 1000 / 60;
}

// Of each frame: how long it took, and the processor time of the page's thread in it, which other programs do not
// disturb.
async function measureFrames(page, session, kind) {
	const processorTime = async () => {
		const { metrics } = await session.send('Performance.getMetrics');
		return metrics.find(({ name }) => name === 'TaskDuration').value * 1000;
	};
	const frames = [];
	const nr = Number(options.frames);
	for (let i = 0; i < nr; i++) {
		const delta = kind === 'pan' ? [i % 80 < 40 ? 60 : -60, 0] : [0, i % 40 < 20 ? -100 : 100];
		const before = await processorTime();
		const elapsed = await page.evaluate(measureFrame, [options.picture, ...delta]);
		frames.push({ elapsed, processor: (await processorTime()) - before });
	}
	return frames;
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
	await page.waitForSelector(options.wait, { state: 'attached' });
	const open = performance.now() - start;
	console.log(`open ${open.toFixed(0)} ms`);
	let isSlow = open > Number(options['open-ms']);
	const session = await page.context().newCDPSession(page);
	await session.send('Performance.enable', { timeDomain: 'threadTicks' });
	// Zoomed in so that panning has where to go.
	for (const [kind, zoom] of [
		['zoom', 0],
		['pan', 6],
	]) {
		await page.focus(options.picture);
		await page.keyboard.press('f');
		for (let i = 0; i < zoom; i++)
			await page.keyboard.press('+');
		const frames = await measureFrames(page, session, kind);
		for (const name of ['elapsed', 'processor']) {
			const times = frames.map((frame) => frame[name]);
			const figures = [0.5, 0.95, 1].map((share) => `${quantile(times, share).toFixed(1)} ms`);
			console.log(`${kind} ${name}: p50 ${figures[0]}, p95 ${figures[1]}, longest ${figures[2]}`);
		}
		isSlow ||=
			quantile(
				frames.map((frame) => frame[options.by]),
				0.95,
			) > Number(options['most-ms']);
	}
	errors.forEach((error) => console.error(`error in the page: ${error}`));
	return isSlow || errors.length > 0 ? 1 : 0;
}

const browser = await chromium.launch({
	executablePath: options.browser,
	args: ['--headless=new', '--no-sandbox'],
});
try {
	process.exitCode = await measure(browser);
} finally {
	await browser.close();
}
