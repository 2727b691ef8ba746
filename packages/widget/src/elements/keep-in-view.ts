import { parentOf } from './parent-of.js';

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
