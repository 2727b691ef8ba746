/** Smallest distance between the panel and the edge of the window, in pixels. */
const MARGIN_PX = 8;

/** Moves a panel sideways if the window would cut it off: to the other edge of its anchor, or as far as needed. */
export function keepInView(panel: HTMLElement, anchor: Element): void {
  // An offset and not a transform: the page's scroll width would still include the place before a transform.
  panel.style.insetInlineStart = '';
  const { left, right, width } = panel.getBoundingClientRect();
  const end = document.documentElement.clientWidth - MARGIN_PX;
  if (left >= MARGIN_PX && right <= end) return;
  const edges = anchor.getBoundingClientRect();
  const wanted = right > end ? edges.right - width : edges.left;
  const place = Math.max(MARGIN_PX, Math.min(wanted, end - width));
  panel.style.insetInlineStart = `${anchor.matches(':dir(ltr)') ? place - edges.left : edges.right - place - width}px`;
}
