// SPDX-License-Identifier: BSD-3-Clause
// Which panels are shown, and in which order: as a text of ids, st,ready,abe.

// Shown where nobody has chosen, as far as the runs have them.
const USUAL = ['st', 'iteration', 'states', 'submitted', 'ready', 'utilisation'];

// Panels of all runs, {id, title, unit, kind}, those of the first run first.
export function panelsOf(runs) {
	const panels = new Map();
	for (const { tasks } of runs)
		for (const panel of tasks.panels)
			if (!panels.has(panel.id))
				panels.set(panel.id, panel);
	return [...panels.values()];
}

// Ids in a text, each once; panels may be called by other names that they have (aliases).
export function parsePanels(text, panels) {
	const known = new Map(panels.flatMap(({ id, aliases = [] }) => [id, ...aliases].map((name) => [name, id])));
	const ids = (text ?? '').split(',').map((word) => known.get(word.trim()));
	return [...new Set(ids)].filter((id) => id !== undefined);
}

// What the command line or the usual choice says.
export function usualPanels(runs, panels) {
	const chosen = runs.find(({ tasks }) => tasks.chosen?.length > 0)?.tasks.chosen;
	const ids = parsePanels((chosen ?? USUAL).join(','), panels);
	return ids.length > 0 ? ids : panels.slice(0, 1).map(({ id }) => id);
}

// With one of them moved by so many places; it stays among them.
export function movePanel(ids, id, by) {
	const at = ids.indexOf(id);
	const to = Math.min(ids.length - 1, Math.max(0, at + by));
	const others = ids.filter((other) => other !== id);
	return at < 0 ? ids : [...others.slice(0, to), id, ...others.slice(to)];
}
