// SPDX-License-Identifier: BSD-3-Clause
// The page that is built: one file that loads nothing, runs nothing but its own script, and names its licences.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { after, test } from 'node:test';
import { fillTemplate } from './encode.js';

const source = fileURLToPath(new URL('../../share/report/', import.meta.url));
const modules = process.env.NODE_MODULES || join(source, 'node_modules');
const skip = existsSync(join(modules, 'esbuild')) ? false : 'no npm packages';
const folder = mkdtempSync(join(tmpdir(), 'page-'));
after(() => rmSync(folder, { recursive: true }));

function build(name) {
	const out = join(folder, name);
	const script = join(source, 'build.mjs');
	execFileSync(process.execPath, [script, '--modules', modules, '--version', '7.8.9', '--out', out]);
	return readFileSync(out, 'utf8');
}

const page = skip ? '' : build('page.html');

function between(text, start, end) {
	const from = text.indexOf(start) + start.length;
	return text.slice(from, text.indexOf(end, from));
}

test('the page is the same each time', { skip }, () => {
	assert.equal(build('again.html'), page);
});

test('data stand before the script', { skip }, () => {
	assert.equal(page.split('<!--MEASURE-DATA-->').length, 2);
	assert.equal(page.split('\n').filter((line) => line === '<!--MEASURE-DATA-->').length, 1);
	assert.ok(page.indexOf('<!--MEASURE-DATA-->') < page.indexOf('<script>'));
});

test('only the page\'s own script and style may run', { skip }, () => {
	const policy = between(page, 'Content-Security-Policy" content="', '"');
	assert.match(policy, /^default-src 'none';/);
	for (const [name, text] of [['script', between(page, '<script>', '</script>')],
		['style', between(page, '<style>', '</style>')]]) {
		const hash = createHash('sha256').update(text).digest('base64');
		assert.ok(policy.includes(`${name}-src 'sha256-${hash}'`), name);
	}
	assert.doesNotMatch(policy, /unsafe|https?:/);
});

test('nothing is loaded', { skip }, () => {
	assert.doesNotMatch(page, /<(link|img|iframe|script|object|embed)\b[^>]*\b(src|href|data)=/i);
	assert.doesNotMatch(page, /@import|url\(\s*['"]?https?:/i);
});

test('licences of all libraries are in the page', { skip }, () => {
	const { dependencies } = JSON.parse(readFileSync(join(source, 'package.json'), 'utf8'));
	const comment = between(page, '<!--\nThis page contains:', '-->');
	for (const name of Object.keys(dependencies)) {
		const text = readFileSync(join(modules, name, 'LICENSE'), 'utf8').trim();
		assert.ok(comment.includes(text.replaceAll('--', '- -')), name);
		const [longest] = text.split('\n').sort((a, b) => b.length - a.length);
		assert.ok(between(page, '<script>', '</script>').includes(longest.replaceAll('"', '\\"')) ||
			between(page, '<script>', '</script>').includes(longest), `${name} in the script`);
	}
});

test('what data contain ends no script', { skip }, () => {
	const filled = fillTemplate(page, { schema: 1, title: '</script><script>alert(1)</script> <!-- $& $1' }, {});
	const json = between(filled, 'id="measure-report">', '</script>');
	assert.equal(JSON.parse(json).title, '</script><script>alert(1)</script> <!-- $& $1');
	assert.equal(filled.split('<script').length, page.split('<script').length + 1);
});
