// SPDX-License-Identifier: BSD-3-Clause
// The state as one view sees it: what the view subscribes to ends when another view is opened.

export function scopeOf(state) {
	const leave = [];
	return {
		state: {
			get: (name) => state.get(name),
			set: (changes, options) => state.set(changes, options),
			link: (changes) => state.link(changes),
			define: (name, field) => state.define(name, field),
			subscribe(names, callback) {
				const end = state.subscribe(names, callback);
				leave.push(end);
				return end;
			},
		},
		end() {
			leave.splice(0).forEach((callback) => callback());
		},
	};
}
