// SPDX-License-Identifier: BSD-3-Clause
// The page's state and its address are the same, in both directions.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { State, choice, flag, integer, integers, text } from '../../share/report/src/state.js';

// A browser's window as far as the state needs it.
function fakeWindow(hash = '') {
	const entries = [hash];
	let at = 0;
	const listeners = {};
	const timers = [];
	const location = { pathname: '/page.html', search: '', get hash() { return entries[at]; } };
	const fragmentOf = (address) => (address.startsWith('#') ? address : '');
	return {
		location,
		entries,
		addEventListener(name, listener) { listeners[name] = listener; },
		setTimeout(callback) { return timers.push(callback); },
		clearTimeout(id) { timers[id - 1] = null; },
		runTimers() { timers.splice(0).forEach((callback) => callback?.()); },
		back() { at--; listeners.popstate(); },
		history: {
			pushState(_state, _title, address) { entries.splice(++at, Infinity, fragmentOf(address)); },
			replaceState(_state, _title, address) { entries[at] = fragmentOf(address); },
		},
	};
}

test('a link opens the same state', () => {
	const window = fakeWindow();
	const state = new State(window);
	state.define('order', choice(['time', 'name']));
	state.define('rows', integers());
	state.define('open', flag());
	const values = { view: 'waits', from: 12, until: 2 ** 51, region: 'a/b & "c" <d> ü📈', order: 'name', rows: [1, 30],
		open: true };
	const other = new State(fakeWindow(state.link(values)));
	other.define('order', choice(['time', 'name']));
	other.define('rows', integers());
	other.define('open', flag());
	for (const [name, value] of Object.entries(values))
		assert.deepEqual(other.get(name), value, name);
	assert.equal(other.get('location'), null);
});

test('what is not set is not in the address', () => {
	assert.equal(new State(fakeWindow()).link(), '#');
});

test('values that nobody wrote are ignored', () => {
	const state = new State(fakeWindow('#from=abc&location=-&order=colour'));
	state.define('order', choice(['time', 'name']));
	assert.equal(state.get('from'), null);
	assert.equal(state.get('location'), null);
	assert.equal(state.get('order'), 'time');
});

test('what a view wrote that is not open yet stays in the address', () => {
	const state = new State(fakeWindow('#view=a&matrix.by=count'));
	assert.match(state.link({ view: 'b' }), /matrix\.by=count/);
	state.define('matrix.by', text('bytes'));
	assert.equal(state.get('matrix.by'), 'count');
});

test('a step can be undone, also after continuous changes', () => {
	const window = fakeWindow();
	const state = new State(window);
	state.set({ view: 'timeline' }, { step: true });
	state.set({ from: 1 });
	state.set({ from: 2 });
	state.set({ view: 'waits', location: 3 }, { step: true });
	assert.deepEqual(window.entries, ['', '#view=timeline&from=2', '#view=waits&from=2&location=3']);
	window.back();
	assert.equal(state.get('view'), 'timeline');
	assert.equal(state.get('location'), null);
	assert.equal(state.get('from'), 2);
});

test('continuous changes replace the address later, once', () => {
	const window = fakeWindow();
	const state = new State(window);
	for (let from = 1; from <= 100; from++)
		state.set({ from });
	assert.deepEqual(window.entries, ['']);
	window.runTimers();
	assert.deepEqual(window.entries, ['#from=100']);
});

test('subscribers hear of their own changes only, and no more after they leave', () => {
	const window = fakeWindow();
	const state = new State(window);
	const heard = [];
	const leave = state.subscribe(['from', 'until'], (changed) => heard.push([...changed].join()));
	state.set({ location: 1 });
	state.set({ from: 1, until: 2 });
	state.set({ from: 1 });
	leave();
	state.set({ from: 5 });
	assert.deepEqual(heard, ['from,until']);
});

test('subscribers hear of what the back button changes', () => {
	const window = fakeWindow();
	const state = new State(window);
	state.define('rows', integers());
	state.set({ rows: [1, 2] }, { step: true });
	state.set({ from: 7 }, { step: true });
	const heard = [];
	state.subscribe(['from', 'rows'], (changed) => heard.push([...changed].join()));
	window.back();
	assert.deepEqual(heard, ['from']);
	window.back();
	assert.deepEqual(heard, ['from', 'rows']);
});

test('an unknown name is a mistake of the caller', () => {
	const state = new State(fakeWindow());
	assert.throws(() => state.get('nothing'), /no "nothing"/);
	assert.throws(() => state.define('a', integer()) ?? state.set({ b: 1 }), /no "b"/);
});
