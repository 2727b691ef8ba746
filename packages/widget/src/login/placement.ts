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

/** Smallest distance between the panel and the edge of the window, and between the panel and its button, in pixels. */
const MARGIN_PX = 8;

/** Keeps a panel within the window, which would cut it off. Its anchor is the element that contains it and its button. */
export function keepInView(panel: HTMLElement, anchor: Element): void {
  const edges = anchor.getBoundingClientRect();
  limitHeight(panel, anchor, edges);
  // An offset and not a transform: the page's scroll width would still include the place before a transform.
  panel.style.insetInlineStart = '';
  const { left, right, width } = panel.getBoundingClientRect();
  const end = document.documentElement.clientWidth - MARGIN_PX;
  if (left >= MARGIN_PX && right <= end) return;
  const wanted = right > end ? edges.right - width : edges.left;
  const place = Math.max(MARGIN_PX, Math.min(wanted, end - width));
  panel.style.insetInlineStart = `${anchor.matches(':dir(ltr)') ? place - edges.left : edges.right - place - width}px`;
}

/** Limits a panel that the page cannot be scrolled to. It is as high as the room below its button, or above if there is more. */
function limitHeight(panel: HTMLElement, anchor: Element, { top, bottom }: DOMRect): void {
  const { style, scrollHeight, offsetHeight, clientHeight } = panel;
  const above = top - 2 * MARGIN_PX;
  const below = innerHeight - bottom - 2 * MARGIN_PX;
  const isLimited =
    scrollHeight + offsetHeight - clientHeight > below &&
    // The page can place the panel in its flow, as a gate does.
    getComputedStyle(panel).position === 'absolute' &&
    isFixed(anchor);
  const isAbove = isLimited && above > below;
  panel.classList.toggle('limited', isLimited);
  style.insetBlock = isAbove ? `auto calc(100% + ${MARGIN_PX}px)` : '';
  style.maxBlockSize = isLimited ? `${isAbove ? above : below}px` : '';
}

/** True if scrolling the page does not move an element, as in a sticky header, or if the page hides what is below it. */
function isFixed(element: Element): boolean {
  for (let place: Element | null = element; place; place = place.assignedSlot ?? parentOf(place)) {
    const { position, overflowY } = getComputedStyle(place);
    if (/fixed|sticky|hidden|clip/.test(position + overflowY)) return true;
  }
  return false;
}
