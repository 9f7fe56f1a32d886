// SPDX-License-Identifier: BSD-3-Clause
// Stands for the browser's document where tests read the data of a page.
import { encodeData } from './encode.js';

// Stands for the document: the data's own script elements.
export function documentOf({ header, blocks }) {
	const elements = new Map();
	const scripts = /<script type="[^"]*" id="([^"]*)">([^<]*)<\/script>/g;
	for (const [, id, text] of encodeData(header, blocks).matchAll(scripts))
		elements.set(id, { textContent: text });
	return { getElementById: (id) => elements.get(id) ?? null };
}
