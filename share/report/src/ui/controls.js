// SPDX-License-Identifier: BSD-3-Clause
// Controls that show and change one name of the state.
import { h } from '../dom.js';

let nrControls = 0;

// A row of radio buttons; options: [[value, title], ...]
export function choiceControl(state, name, label, options) {
	const group = `choice${nrControls++}`;
	const inputs = options.map(([value]) => h('input', {
		type: 'radio', name: group, value, checked: state.get(name) === value,
		onchange: () => state.set({ [name]: value }),
	}));
	state.subscribe([name], () => inputs.forEach((input) => { input.checked = input.value === state.get(name); }));
	return h('fieldset', { class: 'choice' }, h('legend', null, label),
		inputs.map((input, i) => h('label', null, input, h('span', null, options[i][1]))));
}

// A list to choose one of; options as above, values of the same type as the state's
export function selectControl(state, name, label, options) {
	const select = h('select', { onchange: () => state.set({ [name]: options[select.selectedIndex][0] }) },
		options.map(([, title]) => h('option', null, title)));
	const show = () => { select.selectedIndex = options.findIndex(([value]) => value === state.get(name)); };
	show();
	state.subscribe([name], show);
	return h('label', { class: 'control' }, h('span', null, label), select);
}

export function searchControl(state, name, label) {
	const input = h('input', {
		type: 'search', value: state.get(name) ?? '', placeholder: label, 'aria-label': label, spellcheck: 'false',
		oninput: () => state.set({ [name]: input.value }),
	});
	state.subscribe([name], () => {
		if (input.value !== state.get(name))
			input.value = state.get(name) ?? '';
	});
	return input;
}

export function toolbar(...controls) {
	return h('div', { class: 'toolbar' }, controls);
}
