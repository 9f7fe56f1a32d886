// SPDX-License-Identifier: BSD-3-Clause
/*
 * The views of the page, in the order of its list. A view is
 *
 *	{ id, title, has(report): whether the report has what it needs, create(container, context): shows it }
 *
 * with context = { report, runs, state, theme }. create() fills the container, which is shown until another view is
 * opened, and may return { destroy() }. It reads what it needs from state, subscribes to it, and unsubscribes in
 * destroy().
 */
import { about } from './panels/about.js';

export const VIEWS = [about];
