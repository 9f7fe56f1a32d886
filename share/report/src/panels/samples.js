// SPDX-License-Identifier: BSD-3-Clause
// Where the program was when timers interrupted it: samples by function and by library.
import { h } from '../dom.js';
import { count, percent, plural } from '../format.js';
import { countColumn, largest, shareColumn, textColumn } from '../ui/columns.js';
import { facts, note } from '../ui/elements.js';
import { createTable } from '../ui/table.js';

const MARGIN = 1.96; // standard deviations: 95 per cent of samples that are independent of each other

// Half the width of the interval that a share of the time is in, for so many of all samples.
export function marginOf(nr, total) {
	return total > 0 ? MARGIN * Math.sqrt((nr / total) * (1 - nr / total) / total) : 0;
}

function fileName(path) {
	return path.slice(path.lastIndexOf('/') + 1);
}

function libraryColumn() {
	return { key: 'library', title: 'Program or library', value: (row) => fileName(row.library),
		text: (row) => h('span', { title: row.library }, fileName(row.library) || 'unknown') };
}

// Samples in which a function of the library is the innermost one: [{library, self, functions}]
export function samplesByLibrary(functions) {
	const sums = new Map();
	for (const { library, self } of functions) {
		const sum = sums.get(library) ?? { library, self: 0, functions: 0 };
		sum.self += self;
		sum.functions += self > 0 ? 1 : 0;
		sums.set(library, sum);
	}
	return [...sums.values()].filter(({ self }) => self > 0).sort((a, b) => b.self - a.self);
}

function selfColumns(rows, total) {
	const most = largest(rows, 'self');
	return [
		countColumn('self', 'Samples', { share: (row) => row.self / most,
			hint: 'in which it was the innermost function' }),
		shareColumn('self', total, { hint: 'of all samples' }),
		{ key: 'margin', title: '±', isNumber: true, hint: 'of the share, for 95 % of such measurements',
			value: (row) => marginOf(row.self, total),
			text: (row) => (row.self > 0 ? percent(marginOf(row.self, total)) : '') },
	];
}

export const samples = {
	id: 'samples',
	title: 'Samples',
	has: ({ runs }) => runs.some(({ profile }) => profile?.sampled_functions?.length > 0),
	create(container, { state, run: { name, profile } }) {
		const functions = profile.sampled_functions ?? [];
		if (functions.length === 0) {
			container.append(note(`${name} has no samples: record it with measure --sample.`));
			return;
		}
		const total = functions.reduce((sum, { self }) => sum + self, 0);
		const libraries = samplesByLibrary(functions);
		const clocks = [...new Set(profile.samples.map(({ clock }) => clock))].join(', ');
		container.append(
			facts([['Samples', count(total)], ['Timer', clocks], ['Functions', count(functions.length)],
				['Programs and libraries', count(libraries.length)]]),
			note(`A timer interrupted the threads ${plural(total, 'time')}; each time the functions on the stack were `,
				'noted. Functions are counted whether their calls are recorded or not.'),
			h('h3', null, 'Programs and libraries'),
			createTable({ id: 'samples.libraries', caption: 'Samples by program or library', rows: libraries, state,
				sort: '-self', nrFirst: 12,
				columns: [libraryColumn(), ...selfColumns(libraries, total), countColumn('functions', 'Functions')] }),
			h('h3', null, 'Functions'),
			createTable({
				id: 'samples.functions', caption: 'Samples by function', rows: functions, state, sort: '-self',
				columns: [
					textColumn('name', 'Function', { text: (row) => h('span', { class: 'path' }, row.name) }),
					libraryColumn(), ...selfColumns(functions, total),
					countColumn('whole', 'On the stack', { hint: 'samples in which it was anywhere on the stack' }),
					shareColumn('whole', total, { hint: 'of all samples' }),
					{ key: 'place', title: 'Place', value: (row) => `${fileName(row.file)}:${row.line}`,
						text: (row) => h('span', { title: row.file },
							row.file && row.line > 0 ? `${fileName(row.file)}:${row.line}` : fileName(row.file)) },
				] }));
	},
};
