// SPDX-License-Identifier: BSD-3-Clause
// What made the page, how to use it, and the licences of the libraries in it.
import licences from 'licences';
import { h } from '../dom.js';

function showLicence({ name, version, licence, text }) {
	return h('details', null,
		h('summary', null, `${name} ${version} (${licence})`), h('pre', { class: 'licence' }, text));
}

export const about = {
	id: 'about',
	title: 'About',
	has: () => true,
	create(container, { report }) {
		container.append(
			h('p', null, `Made by measure-report of Measure ${report.measure}. `,
				'This file holds all of its data and loads nothing from a network.'),
			h('h3', null, 'Licences'),
			licences.map(showLicence),
		);
	},
};
