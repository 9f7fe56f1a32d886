// SPDX-License-Identifier: BSD-3-Clause
/*
 * The views of the page, in the order of its list. A view is
 *
 *	{ id, title, group: heading in the list,
 *	  has(report): whether the report has what the view needs,
 *	  create(container, context): fills the container; may return { destroy() },
 *	  showsAllRuns: it shows two runs beside each other (else it is made again for the run that is chosen),
 *	  followsTheme: it draws itself again in other colours (else it is made again) }
 *
 * with context = { report, runs, run (the chosen one), state, theme, paths (PathSelection) }. What a view subscribes to
 * in this state ends when another view is opened.
 */
import { about } from './panels/about.js';
import { balance } from './panels/balance.js';
import { clocks } from './panels/clocks.js';
import { counters, memory } from './panels/counters.js';
import { critical } from './panels/critical.js';
import { efficiency } from './panels/efficiency.js';
import { files } from './panels/files.js';
import { flame } from './panels/flame.js';
import { matrix } from './panels/matrix.js';
import { phases } from './panels/phases.js';
import { samples } from './panels/samples.js';
import { sizes } from './panels/sizes.js';
import { summary } from './panels/summary.js';
import { tree } from './panels/tree.js';
import { waits } from './panels/waits.js';
import { tasks } from './tasks/tasks.js';
import { timeline } from './timeline/timeline.js';

function inGroup(group, ...views) {
	return views.map((view) => ({ ...view, group }));
}

export const VIEWS = [
	...inGroup('', summary, timeline, tasks),
	...inGroup('Over time', counters, memory, phases),
	...inGroup('Profile', tree, flame, balance, samples),
	...inGroup('Communication', matrix, sizes),
	...inGroup('Waiting', efficiency, waits, critical),
	...inGroup('System', clocks, files, about),
];
