import type { ReactiveControllerHost } from 'lit';
import { parentOf } from '../element/shared.js';

/** Smallest distance to both edges at which an element is centred, in pixels. Less is a container's padding. */
const CENTRED_PX = 32;

/**
 * Finds the side of the reserved box on which to draw the button: the side nearer to the parent's edge. Although the
 * box is wider than the button, the button then sits at the end of a header or at the start of a paragraph.
 *
 * @param onLayout called when the button or the page changes size, which may have moved the button.
 */
export function findSide(host: ReactiveControllerHost & HTMLElement, onLayout: () => void) {
  // Missing in simulated browsers. It calls back between layout and paint, so reading positions costs no extra layout
  // and nothing jumps.
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
    /** Class of the button and the panel: empty for the start, `center` or `end`. */
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
    // A parent that is as wide as the element doesn't tell the side, so look at its own parent.
    if (before + after < 2) continue;
    if (Math.abs(difference) < 2) return before > CENTRED_PX ? 'center' : '';
    return difference > 0 === isLeftToRight(host) ? 'end' : '';
  }
  return '';
}

export function isLeftToRight(element: Element): boolean {
  return getComputedStyle(element).direction === 'ltr';
}
