// SPDX-License-Identifier: BSD-3-Clause
// Small things that several views show: call paths, legends, bars of several parts, tips at the pointer.
import { shortPath } from '../data/path_tree.js';
import { h } from '../dom.js';
import { percent } from '../format.js';

// The end of a call path; all of it when the pointer is on it, and for screen readers.
export function pathElement(names, most = 60) {
	const whole = names.join('/');
	const short = shortPath(names, most);
	return h('span', { class: 'path', title: whole, 'aria-label': whole === short ? null : whole }, short);
}

// What this view has to say, or how to get what the page lacks.
export function note(...content) {
	return h('p', { class: 'note' }, content);
}

export function legend(entries) {
	return h('ul', { class: 'legend' }, entries.map(([colour, title]) =>
		h('li', null, h('span', { class: 'swatch', style: { background: colour }, 'aria-hidden': 'true' }), title)));
}

// parts: [{title, value, colour}]; one bar, all of it being total
export function stackedBar(parts, total, label) {
	const said = parts.map(({ title, value }) => `${title} ${percent(value / total)}`).join(', ');
	const element = ({ title, value, colour }) => h('span', {
		title: `${title} ${percent(value / total)}`,
		style: { width: `${(100 * value) / total}%`, background: colour },
	});
	return h('div', { class: 'stacked', role: 'img', 'aria-label': `${label}: ${said}` }, parts.map(element));
}

// A text beside the pointer: tip.show(event, [lines]), tip.hide()
export function createTip(container) {
	const element = h('div', { class: 'tip', hidden: true, 'aria-hidden': 'true' });
	container.append(element);
	return {
		show({ clientX, clientY }, lines) {
			element.replaceChildren(...lines.map((line, i) => h(i === 0 ? 'strong' : 'div', null, line)));
			element.hidden = false;
			const { width, height } = element.getBoundingClientRect();
			const x = Math.max(4, Math.min(clientX + 14, window.innerWidth - width - 4));
			const y = clientY + 18 + height > window.innerHeight ? clientY - height - 10 : clientY + 18;
			element.style.left = `${x}px`;
			element.style.top = `${Math.max(4, y)}px`;
		},
		hide() {
			element.hidden = true;
		},
	};
}

// Facts as a list of terms: [[term, text or element], ...]
export function facts(rows) {
	return h('dl', { class: 'facts' }, rows.filter(([, value]) => value != null)
		.map(([term, value]) => h('div', null, h('dt', null, term), h('dd', null, value))));
}
