// SPDX-License-Identifier: BSD-3-Clause
// The card beside the rows that describes the selected message, collective, wait or call.

import { h } from '../dom.js';
import { seconds } from '../format.js';
import { NOTHING_SELECTED } from './settings.js';
import { describeCollective, describeMessage, describeWait, exactTime } from './words.js';

function describeCall(model, { path, begin, end, location }) {
	const region = model.regions[model.paths.region[path]];
	const pairs = [
		['call of', region.name],
		['on', model.nameOf(location)],
		['begins', exactTime(model, begin)],
		['ends', exactTime(model, end)],
		['lasts', seconds(model.run.seconds(end - begin))],
		['called by', model.paths.names(path, model.regions).slice(0, -1).reverse().join(' ‹ ') || '–'],
	];
	if (region.file)
		pairs.push(['source', `${region.file}${region.line ? `:${region.line}` : ''}`]);
	return pairs;
}

// Of each kind: title, pairs of name and text, commands of the buttons.
function contentOf(timeline) {
	const {
		selection,
		selected: { model },
	} = timeline;
	const isIn = (block) => model[block] && selection.index >= 0 && selection.index < model[block].nr;
	switch (selection?.kind) {
		case 'message':
			return (
				isIn('messages') && {
					title: 'Message',
					pairs: describeMessage(model, selection.index),
					buttons: [
						['Other end, and on', 'followMessage', 'm'],
						['Next', 'nextMessage', 'n'],
						['Previous', 'previousMessage', 'p'],
					],
				}
			);
		case 'collective':
			return (
				isIn('collectives') && {
					title: 'Collective',
					pairs: describeCollective(model, selection.index),
					buttons: [['To the last to come', 'cause', 'j']],
				}
			);
		case 'wait':
			return (
				isIn('waits') && {
					title: 'Wait',
					pairs: describeWait(model, selection.index),
					buttons: [
						['To its cause', 'cause', 'j'],
						['Next', 'nextWait', 'w'],
					],
				}
			);
		case 'call':
			return {
				title: 'Call',
				pairs: describeCall(model, selection),
				buttons: [['Zoom to it', 'zoomCall', 'z']],
			};
		default:
			return null;
	}
}

export function createDetails(timeline) {
	const card = h('aside', { class: 'tl-details', 'aria-label': 'Details of the selection', hidden: true });
	timeline.furniture.frame.append(card);
	return {
		// Above the call stack, which it would hide.
		place() {
			const { places, selectedRun } = timeline;
			const { stackTitle, metrics } = places.stacks[selectedRun];
			const end = stackTitle.height > 0 ? stackTitle.top : metrics.top;
			const bottom = end > places.height / 2 ? places.height - end : 0;
			card.style.setProperty('--above', `${bottom + 10}px`);
		},

		show() {
			const content = contentOf(timeline);
			card.hidden = !content;
			if (!content)
				return;
			const close = () => {
				timeline.set(NOTHING_SELECTED);
				timeline.canvas.focus({ preventScroll: true });
			};
			card.replaceChildren(
				h(
					'div',
					{ class: 'tl-details-head' },
					h('strong', null, content.title),
					h('button', { type: 'button', 'aria-label': 'Close details', onclick: close }, '×'),
				),
				h(
					'dl',
					null,
					content.pairs.map(([name, value]) => [h('dt', null, name), h('dd', null, value)]),
				),
				h(
					'div',
					{ class: 'tl-buttons' },
					content.buttons.map(([text, command, key]) =>
						h(
							'button',
							{ type: 'button', onclick: () => timeline.commands.execute(command) },
							text,
							' ',
							h('kbd', null, key),
						),
					),
				),
			);
		},
	};
}
