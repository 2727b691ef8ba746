import type { ReactiveController, ReactiveControllerHost } from 'lit';
import { parentOf } from './parent-of.js';

type Host = ReactiveControllerHost & HTMLElement;

/** Smallest distance to both edges at which an element counts as centred, in pixels. Smaller ones are a container's padding. */
const CENTRED_PX = 32;

/**
 * Finds the side of its reserved box at which the button is drawn: the one nearer to the edge of the parent. So the button
 * ends a header, and begins a paragraph, although the box is wider than the button.
 */
export class ButtonSide implements ReactiveController {
  /** Name of a class: `start` (empty), `center` or `end`. */
  value = '';
  readonly #host: Host;
  /** Calls back after the layout and before the paint. So reading positions costs no layout, and nothing jumps. */
  readonly #observer = new ResizeObserver(() => {
    const side = sideOf(this.#host);
    if (side === this.value) return;
    this.value = side;
    this.#host.requestUpdate();
  });

  constructor(host: Host) {
    this.#host = host;
    host.addController(this);
  }

  hostConnected(): void {
    this.#observer.observe(this.#host);
    this.#observer.observe(document.documentElement);
  }

  hostDisconnected(): void {
    this.#observer.disconnect();
  }
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
    return difference > 0 === host.matches(':dir(ltr)') ? 'end' : '';
  }
  return '';
}
