// SPDX-License-Identifier: BSD-3-Clause
// Input and output by file.
import { bytes, count, nanoseconds } from '../format.js';
import { bytesColumn, countColumn, largest, textColumn, timeColumn } from '../ui/columns.js';
import { facts, note } from '../ui/elements.js';
import { createTable } from '../ui/table.js';

export const files = {
	id: 'files',
	title: 'Files',
	has: ({ runs }) => runs.some(({ profile }) => profile?.files?.length > 0),
	create(container, { state, run }) {
		const rows = run.profile.files ?? [];
		if (rows.length === 0) {
			container.append(note(`${run.name} recorded no files.`));
			return;
		}
		const sum = (name) => rows.reduce((total, row) => total + row[name], 0);
		const most = largest(rows, 'time_ns');
		container.append(
			facts([['Files', count(rows.length)], ['Time', nanoseconds(sum('time_ns'))],
				['Read', bytes(sum('bytes_read'))],
				['Written', bytes(sum('bytes_written'))], ['Operations', count(sum('operations'))]]),
			createTable({
				id: 'files', caption: 'Input and output by file', rows, state, sort: '-time_ns',
				columns: [
					textColumn('file', 'File'), textColumn('interface', 'Interface'), countColumn('opened', 'Opened'),
					countColumn('operations', 'Operations'), bytesColumn('bytes_read', 'Read'),
					bytesColumn('bytes_written', 'Written'),
					timeColumn('time_ns', 'Time', { share: (row) => row.time_ns / most }),
					{ key: 'rate', title: 'Rate', isNumber: true, hint: 'bytes per second of the time in operations',
						value: (row) => (row.bytes_read + row.bytes_written) / (row.time_ns || Infinity),
						text: (row) => (row.time_ns > 0 && row.bytes_read + row.bytes_written > 0
							? `${bytes(((row.bytes_read + row.bytes_written) * 1e9) / row.time_ns)}/s` : '') },
					countColumn('empty_operations', 'Empty', { hint: 'operations that moved nothing' }),
				],
			}));
	},
};
