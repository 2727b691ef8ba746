import type { ReactiveController, ReactiveControllerHost } from 'lit';
import { parentOf } from '../element/shared.js';

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
  /** Missing in simulated browsers. Calls back after the layout and before the paint. So reading positions costs no layout, and nothing jumps. */
  readonly #observer =
    globalThis.ResizeObserver &&
    new ResizeObserver(() => {
      this.#onLayout();
      const side = sideOf(this.#host);
      if (side === this.value) return;
      this.value = side;
      this.#host.requestUpdate();
    });

  readonly #onLayout: () => void;

  /** @param onLayout called when the button or the page has another size, so the button may be elsewhere. */
  constructor(host: Host, onLayout: () => void) {
    this.#host = host;
    this.#onLayout = onLayout;
    host.addController(this);
  }

  hostConnected(): void {
    this.#observer?.observe(this.#host);
    this.#observer?.observe(document.documentElement);
  }

  hostDisconnected(): void {
    this.#observer?.disconnect();
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
    return difference > 0 === isLeftToRight(host) ? 'end' : '';
  }
  return '';
}

/** Smallest distance between the panel and the edge of the window, and between the panel and its button, in pixels. */
const MARGIN_PX = 8;

/**
 * Shows a panel in the top layer, where nothing on the page cuts it off, or hides it again. Its anchor is the element that
 * contains it and its button. It is below the button, or above if it does not fit there and more room is above. A button
 * outside of the window keeps it below, so that it covers nothing of what the visitor sees.
 */
export function placePanel(panel: HTMLElement, anchor: Element): void {
  const { style, classList } = panel;
  // The page can place the panel in its flow, as a gate does.
  const isOver = !classList.contains('quiet') && getComputedStyle(panel).position === 'absolute';
  panel.togglePopover?.(isOver);
  style.inset = isOver ? '0 auto auto 0' : '';
  if (!isOver) return;
  const edges = anchor.getBoundingClientRect();
  const { left, top, width } = panel.getBoundingClientRect();
  const above = edges.top - 2 * MARGIN_PX;
  const below = innerHeight - edges.bottom - 2 * MARGIN_PX;
  const height = panel.scrollHeight + panel.offsetHeight - panel.clientHeight;
  const isInWindow = edges.bottom > 0 && edges.top < innerHeight;
  const isAbove = isInWindow && height > below && above > below;
  const room = isAbove ? above : isInWindow ? below : height;
  const isRight = classList.contains('end') === isLeftToRight(anchor);
  const end = document.documentElement.clientWidth - MARGIN_PX - width;
  const x = Math.max(MARGIN_PX, Math.min(isRight ? edges.right - width : edges.left, end));
  const y = isAbove ? edges.top - MARGIN_PX - Math.min(height, room) : edges.bottom + MARGIN_PX;
  style.inset = `${y - top}px auto auto ${x - left}px`;
  style.maxBlockSize = `${room}px`;
}

function isLeftToRight(element: Element): boolean {
  return getComputedStyle(element).direction === 'ltr';
}
