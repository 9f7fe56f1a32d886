// SPDX-License-Identifier: BSD-3-Clause
// The frame of the page: header with the runs and the theme, list of views, and the open view.
import { PathSelection } from './data/selection.js';
import { h } from './dom.js';
import { count, nanoseconds, plural } from './format.js';
import { selectControl } from './ui/controls.js';
import { scopeOf } from './ui/scope.js';
import { VIEWS } from './views.js';

const THEMES = [['auto', 'Auto'], ['light', 'Light'], ['dark', 'Dark']];

function themeSwitch(theme) {
	const select = h('select', { onchange: () => theme.choose(select.value) },
		THEMES.map(([value, title]) => h('option', { value, selected: value === theme.choice }, title)));
	return h('label', { class: 'control' }, h('span', null, 'Colours'), select);
}

// Copies the address, which has all of the state.
function linkButton() {
	const button = h('button', { class: 'plain', title: 'Copy a link that opens this view in this state',
		onclick: async () => {
			try {
				await navigator.clipboard.writeText(location.href);
				button.textContent = 'Copied';
			} catch {
				button.textContent = 'See the address bar';
			}
			setTimeout(() => { button.textContent = 'Copy link'; }, 2000);
		} }, 'Copy link');
	return button;
}

function runLine({ name, profile }, index, nrRuns) {
	const words = profile ? [nanoseconds(profile.time_ns), plural(profile.nr_processes, 'process', 'processes'),
		plural(profile.nr_locations, 'location'), `${count(profile.events)} events`] : [];
	return h('p', null, nrRuns > 1 && h('strong', null, `${'AB'[index]} ${name} `), words.join(' · '));
}

function showHeader({ report, runs, theme, state }) {
	const runChoice = runs.length > 1
		? selectControl(state, 'run', 'Run', runs.map(({ name }, index) => [index, `${'AB'[index]} ${name}`])) : null;
	return h('header', null,
		h('div', { class: 'title' }, h('h1', null, report.title),
			runs.map((run, index) => runLine(run, index, runs.length))),
		h('div', { class: 'tools' }, runChoice, linkButton(), themeSwitch(theme)));
}

// Follows a link inside the page, but leaves new tabs and windows to the browser.
function onPlainClick(act) {
	return (event) => {
		if (event.metaKey || event.ctrlKey || event.shiftKey || event.button !== 0)
			return;
		event.preventDefault();
		act();
	};
}

function listViews(views, state) {
	const links = new Map(views.map(({ id, title }) => [id, h('a', {
		href: `#view=${id}`, onclick: onPlainClick(() => state.set({ view: id }, { step: true })),
	}, title)]));
	const groups = [...new Set(views.map(({ group }) => group ?? ''))];
	return {
		element: h('nav', { 'aria-label': 'Views' }, groups.map((group) => [
			group && h('h2', null, group),
			h('ul', null, views.filter((view) => (view.group ?? '') === group)
				.map(({ id }) => h('li', null, links.get(id)))),
		])),
		mark(id) {
			for (const [other, link] of links) {
				link.href = state.link({ view: other });
				if (other === id) {
					link.setAttribute('aria-current', 'page');
					link.scrollIntoView({ block: 'nearest', inline: 'nearest' });
				} else {
					link.removeAttribute('aria-current');
				}
			}
		},
	};
}

// Regions of computation, the one with the most time first: they get colours that differ.
function rankingOf(profile) {
	return (profile?.regions ?? []).filter(({ group }) => group === 'compute')
		.sort((a, b) => b.exclusive_ns - a.exclusive_ns).map(({ name }) => name);
}

class Frame {
	#context;
	#views;
	#list;
	#main = h('main', { id: 'view' });
	#open = null; // { view, run, scope, made }

	constructor(body, context) {
		this.#context = { ...context, paths: new PathSelection(context.runs, context.state) };
		this.#views = VIEWS.filter((view) => view.has(context.report));
		this.#list = listViews(this.#views, context.state);
		body.append(
			h('a', { class: 'skip', href: '#view', onclick: onPlainClick(() => this.#focusTitle()) },
				'Skip to the view'),
			showHeader(context), h('div', { class: 'columns' }, this.#list.element, this.#main));
		for (const { profile } of context.runs)
			context.theme.rankRegions(rankingOf(profile));
		context.state.subscribe(['view', 'run'], () => this.#show());
		context.theme.subscribe(() => this.#showColours());
		this.#show();
	}

	#focusTitle() {
		this.#main.querySelector('h2').focus();
	}

	#show() {
		const { state } = this.#context;
		const view = this.#views.find(({ id }) => id === state.get('view')) ?? this.#views[0];
		this.#list.mark(view.id);
		if (view === this.#open?.view && (view.showsAllRuns || this.#open.run === state.get('run')))
			return;
		this.#create(view);
	}

	// Views draw with the colours of the time at which they are made, but for those that follow the theme.
	#showColours() {
		if (this.#open && !this.#open.view.followsTheme)
			this.#create(this.#open.view);
	}

	#create(view) {
		this.#open?.made?.destroy?.();
		this.#open?.scope.end();
		const { report, runs, state } = this.#context;
		const scope = scopeOf(state);
		const run = runs[state.get('run')] ?? runs[0];
		const title = h('h2', { tabindex: -1 }, view.title);
		const container = h('section', { class: `view ${view.id}`, 'aria-label': view.title });
		this.#main.replaceChildren(title, container);
		document.title = `${view.title} – ${report.title}`;
		this.#open = { view, run: state.get('run'), scope, made: null };
		this.#open.made = view.create(container, { ...this.#context, run, state: scope.state });
	}
}

export function createFrame(body, context) {
	return new Frame(body, context);
}
