// SPDX-License-Identifier: BSD-3-Clause
/*
 * What the user has set and selected, in one place. It is the fragment of the page's address, so that a link opens the
 * same view in the same state, and the browser's back button undoes a step.
 *
 *	state.get('location')
 *	state.set({ from: 0, until: 100 })              continuous, such as panning: replaces the address
 *	state.set({ view: 'waits' }, { step: true })    a step: the back button comes back here
 *	const unsubscribe = state.subscribe(['from', 'until'], () => ...)
 *	state.define('matrix.by', text('bytes'))        what a view adds, before it reads it
 */

// Browsers refuse to replace the address more than some 200 times in 30 s.
const REPLACE_INTERVAL_MS = 300;

export function text(initial = null) {
	return { initial, parse: (value) => value, format: String };
}

export function integer(initial = null) {
	return {
		initial,
		parse: (value) => (/^-?\d{1,16}$/.test(value) ? Number(value) : initial),
		format: String,
	};
}

export function choice(values, initial = values[0]) {
	return { initial, parse: (value) => (values.includes(value) ? value : initial), format: String };
}

export function flag(initial = false) {
	return { initial, parse: (value) => value === '1', format: (value) => (value ? '1' : '0') };
}

// A set of numbers, as an array in ascending order.
export function integers() {
	return {
		initial: null,
		parse: (value) => value.split('.').filter((word) => /^\d+$/.test(word)).map(Number),
		format: (values) => values.join('.'),
	};
}

// What several views share. Times are page ticks since the start of each run.
const SHARED = {
	view: text(),
	run: integer(0), // the one that views show which show one run
	from: integer(), // time window; null: all
	until: integer(),
	location: integer(), // index in timeline.locations
	region: text(), // name; the same in both runs
	path: integer(), // index in timeline.paths
	message: integer(), // index in the block "messages"
	search: text(''),
};

export class State {
	#fields = new Map();
	#values = new Map();
	#unknown = new Map(); // of views that have not been opened yet
	#subscribers = new Set();
	#window;
	#timer = null;

	// window: the browser's, or what a test passes
	constructor(window) {
		this.#window = window;
		this.#unknown = new Map(new URLSearchParams(window.location.hash.slice(1)));
		for (const [name, field] of Object.entries(SHARED))
			this.define(name, field);
		window.addEventListener('popstate', () => this.#restore());
		window.addEventListener('hashchange', () => this.#restore());
	}

	define(name, field) {
		if (this.#fields.has(name))
			return;
		this.#fields.set(name, field);
		const written = this.#unknown.get(name);
		this.#values.set(name, written === undefined ? field.initial : field.parse(written));
		this.#unknown.delete(name);
	}

	get(name) {
		if (!this.#fields.has(name))
			throw new Error(`state has no "${name}"`);
		return this.#values.get(name);
	}

	set(changes, { step = false } = {}) {
		if (step)
			this.#flush(); // to come back to what was on the screen
		const changed = this.#assign(changes);
		if (changed.size === 0)
			return;
		if (step)
			this.#window.history.pushState(null, '', this.#address());
		else
			this.#timer ??= this.#window.setTimeout(() => this.#flush(), REPLACE_INTERVAL_MS);
		this.#notify(changed);
	}

	// Calls callback after one of these changed; returns a function that ends it.
	subscribe(names, callback) {
		const subscriber = { names, callback };
		this.#subscribers.add(subscriber);
		return () => this.#subscribers.delete(subscriber);
	}

	// The fragment of a link to the present state with these changes.
	link(changes = {}) {
		const parameters = new URLSearchParams();
		for (const [name, field] of this.#fields) {
			const value = name in changes ? changes[name] : this.#values.get(name);
			if (value !== field.initial && value != null)
				parameters.set(name, field.format(value));
		}
		for (const [name, value] of this.#unknown)
			parameters.set(name, value);
		return `#${parameters}`;
	}

	#assign(changes) {
		const changed = new Set();
		for (const [name, value] of Object.entries(changes)) {
			if (Object.is(this.get(name), value))
				continue;
			this.#values.set(name, value);
			changed.add(name);
		}
		return changed;
	}

	#address() {
		const link = this.link();
		return link === '#' ? this.#window.location.pathname + this.#window.location.search : link;
	}

	#flush() {
		if (this.#timer === null)
			return;
		this.#window.clearTimeout(this.#timer);
		this.#timer = null;
		this.#window.history.replaceState(null, '', this.#address());
	}

	#restore() {
		if (this.#timer !== null) {
			this.#window.clearTimeout(this.#timer);
			this.#timer = null;
		}
		const written = new Map(new URLSearchParams(this.#window.location.hash.slice(1)));
		const changes = {};
		for (const [name, field] of this.#fields) {
			changes[name] = written.has(name) ? field.parse(written.get(name)) : field.initial;
			written.delete(name);
		}
		this.#unknown = written;
		const changed = new Set();
		for (const [name, value] of Object.entries(changes)) {
			const field = this.#fields.get(name);
			const old = this.#values.get(name);
			if (value === old || (value != null && old != null && field.format(value) === field.format(old)))
				continue;
			this.#values.set(name, value);
			changed.add(name);
		}
		if (changed.size > 0)
			this.#notify(changed);
	}

	#notify(changed) {
		for (const { names, callback } of [...this.#subscribers])
			if (names.some((name) => changed.has(name)))
				callback(changed);
	}
}
