// SPDX-License-Identifier: BSD-3-Clause
// What eslint looks for in the page's sources and its tests; tests/page/lint.sh runs it.
import js from '@eslint/js';
import globals from 'globals';

// Names in a report are untrusted: they become text, never markup.
const NO_MARKUP = [
	...['innerHTML', 'outerHTML', 'insertAdjacentHTML', 'srcdoc', 'createContextualFragment', 'setHTMLUnsafe']
		.map((name) => ({ property: name, message: 'Names are untrusted: use textContent.' })),
	{ object: 'document', property: 'write', message: 'Names are untrusted: use textContent.' },
	{ object: 'document', property: 'writeln', message: 'Names are untrusted: use textContent.' },
];

const rules = {
	'no-restricted-properties': ['error', ...NO_MARKUP],
	'no-eval': 'error',
	'no-implied-eval': 'error',
	'no-new-func': 'error',
	'no-var': 'error',
	'prefer-const': 'error',
	eqeqeq: ['error', 'always', { null: 'ignore' }],
	'no-shadow': 'error',
	'no-unused-vars': ['error', { args: 'after-used' }],
	'max-len': ['error', { code: 120, tabWidth: 4 }],
	'max-lines': ['error', 450],
	'max-lines-per-function': ['error', { max: 100, skipComments: true, skipBlankLines: true }],
	'no-warning-comments': 'error',
};

export default [
	{ ...js.configs.recommended, files: ['**/*.js', '**/*.mjs'] },
	{
		files: ['**/*.js', '**/*.mjs'],
		languageOptions: { ecmaVersion: 2022, sourceType: 'module', globals: globals.browser },
		rules,
	},
	{
		files: ['**/src/**'],
		languageOptions: { globals: { MEASURE_VERSION: 'readonly' } },
	},
	{
		files: ['**/*.mjs', '**/tests/page/**'],
		languageOptions: { globals: globals.node },
	},
];
