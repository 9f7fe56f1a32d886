// SPDX-License-Identifier: BSD-3-Clause
// The keys of the panels of tasks: what each does, for the handler and for those who read the list.

export const KEYS = [
	{ keys: ['+', '='], command: 'zoomIn', shown: '+', text: 'zoom in' },
	{ keys: ['-', '_'], command: 'zoomOut', shown: '−', text: 'zoom out' },
	{ keys: ['f', '0', 'Home'], command: 'fit', shown: 'f', text: 'show all tasks' },
	{ keys: ['z'], command: 'zoomTask', shown: 'z', text: 'zoom to the selected task' },
	{ keys: ['ArrowLeft'], command: 'left', shown: '←', text: 'task before, on its worker; without a task: earlier' },
	{ keys: ['ArrowRight'], command: 'right', shown: '→', text: 'task after, on its worker; without a task: later' },
	{ keys: ['ArrowUp'], command: 'up', shown: '↑', text: 'task at the same time on the worker above' },
	{ keys: ['ArrowDown'], command: 'down', shown: '↓', text: 'task at the same time on the worker below' },
	{ keys: ['Enter'], command: 'enter', shown: 'Enter', text: 'select a task in the middle of the window' },
	{ keys: ['p'], command: 'predecessor', shown: 'p', text: 'to the predecessor that ended last' },
	{ keys: ['n'], command: 'successor', shown: 'n', text: 'to the successor that started first' },
	{ keys: [']'], command: 'longer', shown: ']', text: 'show more of the chain' },
	{ keys: ['['], command: 'shorter', shown: '[', text: 'show less of the chain' },
	{ keys: ['c'], command: 'critical', shown: 'c', text: 'critical path on or off' },
	{ keys: ['Escape'], command: 'clear', shown: 'Esc', text: 'no task' },
];

const COMMANDS = new Map(KEYS.flatMap(({ keys, command }) => keys.map((key) => [key, command])));

// The command of a key press, or null: keys with Control, Alt or Meta belong to the browser.
export function commandOf({ key, ctrlKey = false, altKey = false, metaKey = false }) {
	if (ctrlKey || altKey || metaKey)
		return null;
	return COMMANDS.get(key) ?? COMMANDS.get(key.length === 1 ? key.toLowerCase() : key) ?? null;
}
