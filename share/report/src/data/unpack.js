// SPDX-License-Identifier: BSD-3-Clause
// From the base64 text of a block to its bytes: by the browser's own decoders, piece by piece.

// Characters of base64 that are decoded at once; 4 of them make 3 bytes.
const PIECE = 4 << 18;

function decodeBase64(text) {
	if (Uint8Array.fromBase64)
		return Uint8Array.fromBase64(text);
	const binary = atob(text);
	const bytes = new Uint8Array(binary.length);
	for (let i = 0; i < binary.length; i++)
		bytes[i] = binary.charCodeAt(i);
	return bytes;
}

function base64Stream(text) {
	let at = 0;
	return new ReadableStream({
		pull(controller) {
			if (at >= text.length) {
				controller.close();
				return;
			}
			controller.enqueue(decodeBase64(text.slice(at, at + PIECE)));
			at += PIECE;
		},
	});
}

async function collect(stream) {
	const pieces = [];
	let nr = 0;
	const reader = stream.getReader();
	for (;;) {
		const { done, value } = await reader.read();
		if (done)
			break;
		pieces.push(value);
		nr += value.length;
	}
	const bytes = new Uint8Array(nr);
	let at = 0;
	for (const piece of pieces) {
		bytes.set(piece, at);
		at += piece.length;
	}
	return bytes;
}

// text: base64 of what zlib (RFC 1950) compressed.
export function unpack(text) {
	return collect(base64Stream(text.trim()).pipeThrough(new DecompressionStream('deflate')));
}
