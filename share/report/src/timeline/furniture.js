// SPDX-License-Identifier: BSD-3-Clause
// What stands around the canvas of the time line: toolbar, tooltip, notes, legend, help, and the voice for screen
// readers.

import { h } from '../dom.js';
import { count } from '../format.js';
import { MOST_LINES } from './arrows.js';
import { KEYS } from './keys.js';
import { Legend } from './legend.js';
import { Toolbar } from './toolbar.js';
import { exactTime, sliceCommand } from './words.js';

function helpDialog(close) {
	return h(
		'dialog',
		{ class: 'tl-help', 'aria-label': 'Keys of the time line' },
		h(
			'div',
			{ class: 'tl-details-head' },
			h('strong', null, 'Keys of the time line'),
			h('button', { type: 'button', 'aria-label': 'Close', onclick: close }, '×'),
		),
		h(
			'dl',
			null,
			KEYS.map(({ shown, text }) => [h('dt', null, h('kbd', null, shown)), h('dd', null, text)]),
		),
		h(
			'p',
			null,
			'Mouse: drag to move, wheel to zoom, Shift+drag or drag on the axis to select a window, ' +
				'double click to zoom to a call. Shift+wheel, or the wheel over the names, scrolls the rows. ' +
				'Touch: drag, and pinch to zoom.',
		),
	);
}

const COPIED_MS = 2000;

// A command for a terminal, and a button that copies it.
function createCommandLine() {
	const code = h('code');
	const button = h('button', { type: 'button', title: 'Copy this command' }, 'Copy');
	const element = h('div', { class: 'tl-command', hidden: true }, code, button);
	button.addEventListener('click', async () => {
		try {
			await navigator.clipboard.writeText(code.textContent);
			button.textContent = 'Copied';
		} catch {
			window.getSelection().selectAllChildren(code);
			button.textContent = 'Press Ctrl+C';
		}
		setTimeout(() => {
			button.textContent = 'Copy';
		}, COPIED_MS);
	});
	const show = (command) => {
		element.hidden = command === null;
		if (command !== null && code.textContent !== command)
			code.textContent = command;
	};
	return { element, show };
}

class Furniture {
	constructor(timeline) {
		this.timeline = timeline;
		this.toolbar = new Toolbar(timeline);
		this.legend = new Legend(timeline);
		this.canvas = h('canvas', {
			tabindex: 0,
			role: 'application',
			'aria-roledescription': 'time line',
			class: 'tl-canvas',
			'aria-label': 'Time line. Arrow keys move, plus and minus zoom, question mark lists the keys.',
		});
		this.tooltip = h('div', { class: 'tl-tooltip', role: 'tooltip', hidden: true });
		this.hair = h('div', { class: 'tl-hair', hidden: true });
		this.hairTime = h('div', { class: 'tl-hair-time', hidden: true });
		this.bandElement = h('div', { class: 'tl-band', hidden: true });
		this.status = h('div', { class: 'tl-status', role: 'status' });
		this.command = createCommandLine();
		this.live = h('div', { class: 'tl-live', 'aria-live': 'polite' });
		this.helpElement = helpDialog(() => this.closeHelp());
		this.frame = h(
			'div',
			{ class: 'tl-frame' },
			this.canvas,
			this.hair,
			this.hairTime,
			this.bandElement,
			this.tooltip,
		);
		this.root = h(
			'div',
			{ class: 'timeline-widget' },
			this.toolbar.element,
			this.frame,
			this.status,
			this.command.element,
			this.legend.element,
			this.live,
			this.helpElement,
		);
		timeline.container.append(this.root);
		this.update();
	}

	destroy() {
		clearTimeout(this.legend.timer);
		this.root.remove();
	}

	update() {
		this.toolbar.update();
		this.legend.ask();
	}

	belowHeight() {
		const legend = Math.max(this.legend.element.offsetHeight, 28);
		return this.status.offsetHeight + this.command.element.offsetHeight + legend + 16;
	}

	// Colours of the canvas that are no classes.
	colours() {
		const { theme } = this.timeline;
		const { isDark } = theme;
		const variable = (name, other) => theme.variable(name) || other;
		return {
			background: variable('--background', isDark ? '#14171b' : '#ffffff'),
			ink: variable('--ink', isDark ? '#e8eaed' : '#16191d'),
			muted: variable('--muted', isDark ? '#a0a7b1' : '#5b626c'),
			line: variable('--line', isDark ? '#2d323a' : '#dfe2e6'),
			accent: variable('--accent', isDark ? '#6cb4ee' : '#0b62a8'),
			panel: isDark ? '#1d2127' : '#f2f4f6',
			veil: isDark ? 'rgba(20, 23, 27, 0.62)' : 'rgba(255, 255, 255, 0.62)',
			bar: isDark ? '#22262d' : '#eceef1',
			focus: isDark ? '#24384a' : '#dcebf8',
			phases: isDark ? ['#2b3440', '#36414f'] : ['#e3e9f0', '#d3dce7'],
			message: isDark ? '#f2f4f7' : '#16191d',
			halo: isDark ? 'rgba(16, 19, 23, 0.75)' : 'rgba(255, 255, 255, 0.75)',
			area: isDark ? 'rgba(120, 190, 250, 0.13)' : 'rgba(0, 70, 140, 0.10)',
			areaLine: isDark ? 'rgba(150, 205, 250, 0.45)' : 'rgba(0, 60, 120, 0.35)',
			areaChosen: isDark ? 'rgba(120, 190, 250, 0.32)' : 'rgba(0, 90, 170, 0.28)',
			critical: isDark ? '#ff5fa2' : '#c2185b',
			criticalPale: isDark ? '#a83c6c' : '#e58bb0',
			wait: isDark ? '#ffffff' : '#000000',
		};
	}

	focusSearch() {
		this.toolbar.search.focus();
		this.toolbar.search.select();
	}

	toggleHelp() {
		if (!this.closeHelp())
			this.helpElement.showModal();
	}

	closeHelp() {
		if (!this.helpElement.open)
			return false;
		this.helpElement.close();
		return true;
	}

	announce(text) {
		this.live.textContent = text;
	}

	note(text) {
		this.problem = text;
		this.status.textContent = text;
	}

	// The window that is being selected, from x1 to x2; null ends it.
	band(x1, x2) {
		this.bandElement.hidden = x1 === null;
		if (x1 === null)
			return;
		this.bandElement.style.left = `${x1}px`;
		this.bandElement.style.width = `${x2 - x1}px`;
	}

	hover(point, target, content) {
		const { timeline } = this;
		const isInPlot = Boolean(point && target && !target.isGutter && !target.isBar && target.part !== 'map');
		this.hair.hidden = !isInPlot;
		this.hairTime.hidden = !isInPlot;
		this.tooltip.hidden = !content;
		if (isInPlot) {
			const { axis } = timeline.places;
			this.hair.style.transform = `translateX(${point.x}px)`;
			this.hair.style.top = `${axis.top + axis.height}px`;
			this.hairTime.textContent = exactTime(timeline.runs[target.index].model, Math.round(target.tick));
			const half = this.hairTime.offsetWidth / 2;
			const x = Math.min(Math.max(point.x - half, 0), timeline.places.width - 2 * half);
			this.hairTime.style.transform = `translate(${x}px, ${axis.top + 2}px)`;
		}
		if (!content)
			return;
		this.tooltip.replaceChildren(
			h('strong', null, content.title),
			...content.lines.map((line) => h('div', null, line)),
		);
		const { offsetWidth: width, offsetHeight: height } = this.tooltip;
		const x = point.x + 14 + width > timeline.places.width ? Math.max(0, point.x - width - 10) : point.x + 14;
		const y =
			point.y + 16 + height > timeline.places.height ? Math.max(0, point.y - height - 8) : point.y + 16;
		this.tooltip.style.transform = `translate(${x}px, ${y}px)`;
	}

	// What the picture cannot show, and how to see it.
	say(timeline) {
		this.toolbar.say();
		this.legend.ask();
		if (this.problem)
			return;
		const notes = [];
		let command = null;
		for (const run of timeline.runs) {
			const { model, found } = run;
			const { blocks } = model.timeline;
			if (model.isCoarse)
				notes.push(
					timeline.view.isWhole
						? model.timeline.note || 'The page has no single calls.'
						: 'Finer than this page:',
				);
			if (model.isCoarse && !timeline.view.isWhole)
				command ??= sliceCommand(model, timeline.viewOf(run.index));
			if (found.total > MOST_LINES && found.shown.length <= 1)
				notes.push(
					`More than ${count(MOST_LINES)} messages here: zoom in, or select a location, to see them.`,
				);
			else if (found.total > found.shown.length)
				notes.push(
					`${count(found.shown.length)} of ${count(found.total)} messages, those with the longest waits.`,
				);
			if (blocks.messages && blocks.messages.shown < blocks.messages.total)
				notes.push(
					`The page has ${count(blocks.messages.shown)} of ${count(blocks.messages.total)} messages,`,
					'those with the longest waits.',
				);
		}
		this.command.show(command);
		const text = [...new Set(notes)].join(' ');
		if (this.status.textContent !== text)
			this.status.textContent = text;
	}
}

export function createFurniture(timeline) {
	return new Furniture(timeline);
}
