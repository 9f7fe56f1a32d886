// SPDX-License-Identifier: BSD-3-Clause
// The keys of the time line: what each does, for the handler and for the page that explains them.

export const KEYS = [
	{ keys: ['+', '='], command: 'zoomIn', shown: '+', text: 'zoom in' },
	{ keys: ['-', '_'], command: 'zoomOut', shown: '−', text: 'zoom out' },
	{ keys: ['f', '0'], command: 'fit', shown: 'f', text: 'show the whole run' },
	{ keys: ['z'], command: 'zoomCall', shown: 'z', text: 'zoom to the call at the cursor' },
	{ keys: ['ArrowLeft'], command: 'left', shown: '←', text: 'earlier (with Shift: a window)' },
	{ keys: ['ArrowRight'], command: 'right', shown: '→', text: 'later (with Shift: a window)' },
	{ keys: ['Home'], command: 'begin', shown: 'Home', text: 'start of the run' },
	{ keys: ['End'], command: 'end', shown: 'End', text: 'end of the run' },
	{ keys: ['ArrowUp'], command: 'up', shown: '↑', text: 'row above' },
	{ keys: ['ArrowDown'], command: 'down', shown: '↓', text: 'row below' },
	{ keys: ['PageUp'], command: 'pageUp', shown: 'Page Up', text: 'rows above' },
	{ keys: ['PageDown'], command: 'pageDown', shown: 'Page Down', text: 'rows below' },
	{ keys: ['['], command: 'previousCall', shown: '[', text: 'previous call in the row' },
	{ keys: [']'], command: 'nextCall', shown: ']', text: 'next call in the row' },
	{ keys: ['Enter'], command: 'open', shown: 'Enter', text: 'open the row: call stack, or its members' },
	{ keys: [' '], command: 'collapse', shown: 'Space', text: 'collapse or expand the group' },
	{ keys: ['<', ','], command: 'thinner', shown: '<', text: 'thinner rows' },
	{ keys: ['>', '.'], command: 'thicker', shown: '>', text: 'thicker rows' },
	{ keys: ['m'], command: 'followMessage', shown: 'm', text: 'follow the message to its other end, and on' },
	{ keys: ['n'], command: 'nextMessage', shown: 'n', text: 'next message of the row' },
	{ keys: ['p'], command: 'previousMessage', shown: 'p', text: 'previous message of the row' },
	{ keys: ['w'], command: 'nextWait', shown: 'w', text: 'next wait of the row' },
	{ keys: ['j'], command: 'cause', shown: 'j', text: 'jump to the cause of the wait' },
	{ keys: ['c'], command: 'critical', shown: 'c', text: 'critical path on or off' },
	{ keys: ['l'], command: 'lines', shown: 'l', text: 'messages and collectives on or off' },
	{ keys: ['k'], command: 'colours', shown: 'k', text: 'colours by class or by region' },
	{ keys: ['s'], command: 'sort', shown: 's', text: 'next order of rows' },
	{ keys: ['/'], command: 'search', shown: '/', text: 'search regions (Enter: next, Shift+Enter: previous)' },
	{ keys: ['Escape'], command: 'clear', shown: 'Esc', text: 'end search, selection, this help' },
	{ keys: ['?'], command: 'help', shown: '?', text: 'show the keys' },
];

const COMMANDS = new Map(KEYS.flatMap(({ keys, command }) => keys.map((key) => [key, command])));

// The command of a key press, or null: keys with Control, Alt or Meta belong to the browser.
export function commandOf({ key, ctrlKey = false, altKey = false, metaKey = false }) {
	if (ctrlKey || altKey || metaKey)
		return null;
	return COMMANDS.get(key) ?? COMMANDS.get(key.length === 1 ? key.toLowerCase() : key) ?? null;
}
