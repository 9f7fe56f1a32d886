// SPDX-License-Identifier: BSD-3-Clause
// Makes elements. Text is always a text node: names in a report are untrusted.

const SVG = 'http://www.w3.org/2000/svg';

function fillElement(element, attributes, children) {
	for (const [name, value] of Object.entries(attributes ?? {})) {
		if (name.startsWith('on'))
			element.addEventListener(name.slice(2), value);
		else if (name === 'style')
			Object.entries(value).forEach(([property, text]) => element.style.setProperty(property, text));
		else if (value === true)
			element.setAttribute(name, '');
		else if (value !== false && value != null)
			element.setAttribute(name, value);
	}
	element.append(...children.flat(Infinity).filter((child) => child != null && child !== false));
	return element;
}

// h('button', {class: 'x', onclick: f, style: {width: '3%'}}, 'text', other elements, lists of them ...)
export function h(tag, attributes, ...children) {
	return fillElement(document.createElement(tag), attributes, children);
}

export function svg(tag, attributes, ...children) {
	return fillElement(document.createElementNS(SVG, tag), attributes, children);
}

// A canvas of this size in CSS pixels, sharp on dense screens; returns its context.
export function sizeCanvas(canvas, width, height) {
	const ratio = window.devicePixelRatio || 1;
	const sides = [Math.max(1, Math.round(width * ratio)), Math.max(1, Math.round(height * ratio))];
	if (canvas.width !== sides[0] || canvas.height !== sides[1])
		[canvas.width, canvas.height] = sides;
	canvas.style.width = `${width}px`;
	canvas.style.height = `${height}px`;
	const context = canvas.getContext('2d');
	context.setTransform(ratio, 0, 0, ratio, 0, 0);
	context.clearRect(0, 0, width, height);
	return context;
}

// Calls draw() once before the next frame, however often it is asked to.
export function onceAFrame(draw) {
	let isAsked = false;
	return () => {
		if (isAsked)
			return;
		isAsked = true;
		requestAnimationFrame(() => {
			isAsked = false;
			draw();
		});
	};
}
