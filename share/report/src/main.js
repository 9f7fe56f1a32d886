// SPDX-License-Identifier: BSD-3-Clause
// Starts the page: reads its data, and shows a frame with one view at a time.
import { loadReport } from './data/report.js';
import { h } from './dom.js';
import { createFrame } from './frame.js';
import { State } from './state.js';
import { Theme } from './theme.js';

function showFailure(error) {
	document.body.append(h('main', { class: 'failure', role: 'alert' },
		h('h1', null, 'This report cannot be shown'), h('p', null, error.message)));
}

async function start() {
	try {
		const report = await loadReport(document);
		const theme = new Theme(window);
		const state = new State(window);
		createFrame(document.body, { report, runs: report.runs, state, theme });
	} catch (error) {
		showFailure(error);
		throw error;
	}
}

start();
