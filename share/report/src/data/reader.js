// SPDX-License-Identifier: BSD-3-Clause
// Reads the numbers of a block: LEB128 varints, zigzag for signed ones, and IEEE doubles.

export class Reader {
	constructor(bytes, start = 0, end = bytes.length) {
		this.bytes = bytes;
		this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
		this.at = start;
		this.end = end;
	}

	get isAtEnd() {
		return this.at >= this.end;
	}

	// Numbers stay below 2^53; beyond 28 bits, shifts would wrap, so multiply.
	varint() {
		const { bytes } = this;
		let byte = bytes[this.at++];
		if (byte < 0x80)
			return byte;
		let value = byte & 0x7f;
		let scale = 0x80;
		do {
			if (this.at >= this.end)
				throw new RangeError('block is cut off');
			byte = bytes[this.at++];
			value += (byte & 0x7f) * scale;
			scale *= 0x80;
		} while (byte >= 0x80);
		return value;
	}

	zigzag() {
		const value = this.varint();
		return value % 2 === 0 ? value / 2 : -(value + 1) / 2;
	}

	float64() {
		const value = this.view.getFloat64(this.at, true);
		this.at += 8;
		return value;
	}

	// The next nr bytes, as a reader of their own.
	part(nr) {
		if (this.at + nr > this.end)
			throw new RangeError('block is cut off');
		const part = new Reader(this.bytes, this.at, this.at + nr);
		this.at += nr;
		return part;
	}
}
