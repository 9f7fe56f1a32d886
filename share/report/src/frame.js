// SPDX-License-Identifier: BSD-3-Clause
// The frame of the page: header with the runs and the theme, list of views, and the open view.
import { h } from './dom.js';
import { VIEWS } from './views.js';

const THEMES = [['auto', 'Auto'], ['light', 'Light'], ['dark', 'Dark']];

function themeSwitch(theme) {
	const select = h('select', { 'aria-label': 'Colours', onchange: () => theme.choose(select.value) },
		THEMES.map(([value, title]) => h('option', { value, selected: value === theme.choice }, title)));
	return select;
}

function showHeader({ report, theme }) {
	return h('header', null,
		h('h1', null, report.title),
		h('div', { class: 'tools' }, themeSwitch(theme)));
}

function listViews(views, state) {
	const links = new Map(views.map((view) => [view.id, h('a', { href: `#view=${view.id}` }, view.title)]));
	for (const [id, link] of links)
		link.addEventListener('click', (event) => {
			event.preventDefault();
			state.set({ view: id }, { step: true });
		});
	return {
		element: h('nav', { 'aria-label': 'Views' }, h('ul', null, [...links.values()].map((a) => h('li', null, a)))),
		mark(id) {
			for (const [other, link] of links) {
				link.href = state.link({ view: other });
				if (other === id)
					link.setAttribute('aria-current', 'page');
				else
					link.removeAttribute('aria-current');
			}
		},
	};
}

export function createFrame(body, context) {
	const { report, state } = context;
	const views = VIEWS.filter((view) => view.has(report));
	const list = listViews(views, state);
	const title = h('h2', { tabindex: -1 });
	const main = h('main', { id: 'view' });
	let shown = null;
	let open = null;

	function show() {
		const view = views.find(({ id }) => id === state.get('view')) ?? views[0];
		list.mark(view.id);
		if (view === shown)
			return;
		open?.destroy?.();
		shown = view;
		title.textContent = view.title;
		document.title = `${view.title} – ${report.title}`;
		const container = h('section', { class: `view ${view.id}`, 'aria-label': view.title });
		main.replaceChildren(title, container);
		open = view.create(container, context);
	}

	body.append(
		h('a', { class: 'skip', href: '#view', onclick: (event) => { event.preventDefault(); title.focus(); } },
			'Skip to the view'),
		showHeader(context), h('div', { class: 'columns' }, list.element, main));
	state.subscribe(['view'], show);
	show();
}
