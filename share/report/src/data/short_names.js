// SPDX-License-Identifier: BSD-3-Clause
/*
 * Names of functions without their parameters, and if need be without those of templates: as lib/base/short_names.c
 * shortens them, so that a function has one name in pages, pictures and tables. A list stands in brackets right after
 * a name: "(anonymous namespace)" is none, and "operator()" is a name.
 */

const BEFORE_PARAMETERS = /[\w)>\]}<=+\-*%^&|~!,]$/;
const BEFORE_TEMPLATE = /\w$/;
const CONST = ' const';

function isList(before, pattern) {
	return pattern.test(before) && !before.endsWith('operator');
}

// After the bracket that closes the one at this place, or the place if none does.
function endOfList(name, at, open, close) {
	let depth = 0;
	for (let i = at; i < name.length; i++) {
		depth += (name[i] === open) - (name[i] === close);
		if (depth === 0)
			return open === '(' && name.startsWith(CONST, i + 1) ? i + 1 + CONST.length : i + 1;
	}
	return at;
}

function withoutLists(name, open, close, pattern) {
	let short = '';
	for (let at = 0; at < name.length;) {
		const isOne = name[at] === open && isList(name.slice(Math.max(0, at - 'operator'.length), at), pattern);
		const end = isOne ? endOfList(name, at, open, close) : at;
		if (end === at)
			short += name[at++];
		else
			at = end;
	}
	return short;
}

// With at most this many characters; an ellipsis where that is not enough.
export function shortName(name, most = 48) {
	let short = name;
	if (short.length > most)
		short = withoutLists(short, '(', ')', BEFORE_PARAMETERS);
	if (short.length > most)
		short = withoutLists(short, '<', '>', BEFORE_TEMPLATE);
	return short.length <= most ? short : `${short.slice(0, most - 1)}…`;
}
