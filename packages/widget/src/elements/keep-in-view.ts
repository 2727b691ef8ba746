const MARGIN_PX = 8;

/**
 * Shifts what hangs below an anchor sideways when an edge of the window would cut it off: to the anchor's other edge, or
 * as far as it takes.
 */
export function keepInView(panel: HTMLElement, anchor: Element): void {
  panel.style.translate = '';
  const { left, right, width } = panel.getBoundingClientRect();
  const end = document.documentElement.clientWidth - MARGIN_PX;
  if (left >= MARGIN_PX && right <= end) return;
  const edges = anchor.getBoundingClientRect();
  const wanted = right > end ? edges.right - width : edges.left;
  panel.style.translate = `${Math.max(MARGIN_PX, Math.min(wanted, end - width)) - left}px`;
}
