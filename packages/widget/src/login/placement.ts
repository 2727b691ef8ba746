import type { ReactiveControllerHost } from 'lit';
import { parentOf } from '../element/shared.js';

/** Smallest distance to both edges at which an element counts as centred, in pixels. Smaller ones are a container's padding. */
const CENTRED_PX = 32;

/**
 * Finds the side of its reserved box at which the button is drawn: the one nearer to the edge of the parent. So the button
 * ends a header, and begins a paragraph, although the box is wider than the button.
 *
 * @param onLayout called when the button or the page has another size, so the button may be elsewhere.
 */
export function findSide(host: ReactiveControllerHost & HTMLElement, onLayout: () => void) {
  // Missing in simulated browsers. Calls back after the layout and before the paint. So reading positions costs no layout, and nothing jumps.
  const observer =
    globalThis.ResizeObserver &&
    new ResizeObserver(() => {
      onLayout();
      const value = sideOf(host);
      if (value === side.value) return;
      side.value = value;
      host.requestUpdate();
    });
  const side = {
    /** Name of a class: `start` (empty), `center` or `end`. */
    value: '',

    hostConnected(): void {
      observer?.observe(host);
      observer?.observe(document.documentElement);
    },

    hostDisconnected(): void {
      observer?.disconnect();
    },
  };
  host.addController(side);
  return side;
}

function sideOf(host: Element): '' | 'center' | 'end' {
  const { left, right } = host.getBoundingClientRect();
  for (let place = parentOf(host); place; place = parentOf(place)) {
    const outer = place.getBoundingClientRect();
    const before = left - outer.left;
    const after = outer.right - right;
    const difference = before - after;
    // A parent without room of its own has the place of its own parent.
    if (before + after < 2) continue;
    if (Math.abs(difference) < 2) return before > CENTRED_PX ? 'center' : '';
    return difference > 0 === isLeftToRight(host) ? 'end' : '';
  }
  return '';
}

export function isLeftToRight(element: Element): boolean {
  return getComputedStyle(element).direction === 'ltr';
}
