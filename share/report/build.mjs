// SPDX-License-Identifier: BSD-3-Clause
/*
 * Makes the report page, one HTML file, of page.html, page.css, src/ and the libraries in node_modules. No network.
 *
 *	node build.mjs --modules DIR --version VERSION --out FILE
 *
 * --modules names the folder node_modules; it need not be beside this file.
 */
import { createHash } from 'node:crypto';
import { readFileSync, readdirSync, renameSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

// Licences under which a library may be part of the page.
const PERMISSIVE = new Set(['0BSD', 'BSD-2-Clause', 'BSD-3-Clause', 'ISC', 'MIT', 'Apache-2.0', 'Zlib']);

const source = dirname(fileURLToPath(import.meta.url));
const { values: options } = parseArgs({
	options: {
		modules: { type: 'string', default: join(source, 'node_modules') },
		version: { type: 'string', default: '' },
		out: { type: 'string' },
	},
});
const modules = resolve(options.modules);

function licenceOf(name) {
	const folder = join(modules, name);
	const { version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
	if (!PERMISSIVE.has(license))
		throw new Error(`${name} ${version}: licence ${license} is not known as permissive`);
	const file = readdirSync(folder).find((entry) => /^licen[cs]e/i.test(entry));
	if (!file)
		throw new Error(`${name} ${version}: no licence text`);
	return { name, version, licence: license, text: readFileSync(join(folder, file), 'utf8').trim() };
}

// `import licences from 'licences'`: of all libraries that package.json lists as part of the page.
function licencePlugin(licences) {
	return {
		name: 'licences',
		setup(build) {
			build.onResolve({ filter: /^licences$/ }, () => ({ path: 'licences', namespace: 'licences' }));
			build.onLoad({ filter: /.*/, namespace: 'licences' }, () => ({
				contents: JSON.stringify(licences), loader: 'json',
			}));
		},
	};
}

async function bundle(entry, licences) {
	const esbuild = createRequire(join(modules, 'package.json'))('esbuild');
	const result = await esbuild.build({
		absWorkingDir: source,
		entryPoints: [entry],
		bundle: true,
		write: false,
		minify: true,
		format: 'iife',
		target: 'es2022',
		charset: 'ascii',
		legalComments: 'none',
		nodePaths: [modules],
		define: { MEASURE_VERSION: JSON.stringify(options.version) },
		plugins: [licencePlugin(licences)],
		logLevel: 'warning',
	});
	return result.outputFiles[0].text.trim();
}

// What a Content-Security-Policy names this text by: nothing but it may run.
function hashOf(text) {
	return `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
}

function fill(template, parts) {
	return template.replace(/<!--([A-Z]+)-->|\{([A-Z]+)\}/g, (mark, name, value) => parts[name ?? value] ?? mark);
}

// In a comment, "--" would end it.
function commentOf(licences) {
	return licences.map(({ name, version, licence, text }) => `${name} ${version} (${licence})\n${text}`)
		.join('\n\n').replaceAll('--', '- -');
}

const packages = JSON.parse(readFileSync(join(source, 'package.json'), 'utf8'));
const licences = Object.keys(packages.dependencies).sort().map(licenceOf);
const script = await bundle('src/main.js', licences);
const style = await bundle('page.css', licences);
for (const [name, text] of [['script', script], ['style', style]])
	if (text.toLowerCase().includes(`</${name}`))
		throw new Error(`the bundle has </${name} in it`);
const page = fill(readFileSync(join(source, 'page.html'), 'utf8'), {
	LICENCES: `<!--\nThis page contains:\n\n${commentOf(licences)}\n-->`,
	STYLE: `<style>${style}</style>`,
	SCRIPT: `<script>${script}</script>`,
	STYLEHASH: hashOf(style),
	SCRIPTHASH: hashOf(script),
});
writeFileSync(`${options.out}.new`, page);
renameSync(`${options.out}.new`, options.out);
