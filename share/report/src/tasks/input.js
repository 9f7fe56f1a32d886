// SPDX-License-Identifier: BSD-3-Clause
// Mouse, touch and keyboard on the panels of tasks: all of them move the same window of time.
import { commandOf } from './keys.js';

const CLICK = 4; // px
const WHEEL = 0.0016;

/*
 * picture: {element, model, gutter(), plot(), x(event): pixels from the left of the plot, isTimeless,
 *	select(event), point(event), leave()}
 */
export function listenToPicture(board, picture) {
	const { element } = picture;
	const pointers = new Map();
	let pressed = null;
	let pinch = null;

	function startPinch() {
		const [a, b] = [...pointers.values()];
		pinch = { distance: Math.max(8, Math.abs(a - b)), middle: (a + b) / 2 };
	}

	function movePinch() {
		const [a, b] = [...pointers.values()];
		const distance = Math.max(8, Math.abs(a - b));
		board.view.zoom(pinch.distance / distance, pinch.middle);
		board.view.pan(pinch.middle - (a + b) / 2);
		startPinch();
		board.moved();
	}

	element.addEventListener('pointerdown', (event) => {
		if (event.button !== 0)
			return;
		pointers.set(event.pointerId, picture.x(event));
		pressed = { x: picture.x(event), first: event.clientX, isMoved: false, isBand: event.shiftKey };
		if (pointers.size === 2)
			startPinch();
	});
	element.addEventListener('pointermove', (event) => {
		const x = picture.x(event);
		if (!pointers.has(event.pointerId)) {
			picture.point(event);
			return;
		}
		pointers.set(event.pointerId, x);
		if (pinch) {
			movePinch();
			return;
		}
		if (!pressed || picture.isTimeless || (!pressed.isMoved && Math.abs(event.clientX - pressed.first) < CLICK))
			return;
		if (!pressed.isMoved)
			element.setPointerCapture(event.pointerId);
		pressed.isMoved = true;
		picture.leave();
		if (pressed.isBand) {
			board.band(picture, pressed.x, x);
		} else {
			board.view.pan(pressed.x - x);
			pressed.x = x;
			board.moved();
		}
	});
	const release = (event) => {
		const wasPressed = pressed;
		pointers.delete(event.pointerId);
		if (pointers.size < 2)
			pinch = null;
		if (pointers.size > 0)
			return;
		pressed = null;
		if (wasPressed?.isBand && wasPressed.isMoved)
			board.zoomToBand(wasPressed.x, picture.x(event));
		else if (wasPressed && !wasPressed.isMoved && event.type === 'pointerup')
			picture.select(event);
	};
	element.addEventListener('pointerup', release);
	element.addEventListener('pointercancel', release);
	element.addEventListener('pointerleave', () => picture.leave());
	element.addEventListener('dblclick', () => board.commands.execute('zoomTask'));
	element.addEventListener('wheel', (event) => {
		const x = picture.x(event);
		if (event.shiftKey || x < 0 || picture.isTimeless)
			return; // scrolls the page
		event.preventDefault();
		if (Math.abs(event.deltaX) > Math.abs(event.deltaY))
			board.view.pan(event.deltaX);
		else
			board.view.zoom(Math.exp(event.deltaY * (event.deltaMode === 1 ? 16 : 1) * WHEEL), x);
		board.moved();
	}, { passive: false });
	element.addEventListener('keydown', (event) => {
		const command = commandOf(event);
		if (!command)
			return;
		event.preventDefault();
		board.commands.execute(command);
	});
}
