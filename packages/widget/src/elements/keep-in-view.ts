const MARGIN_PX = 8;

/** Shifts what hangs below an element sideways until neither edge of the window cuts it off; the left one counts more. */
export function keepInView(panel: HTMLElement): void {
  panel.style.translate = '';
  const { left, right } = panel.getBoundingClientRect();
  const room = document.documentElement.clientWidth - MARGIN_PX - right;
  const shift = left < MARGIN_PX ? MARGIN_PX - left : Math.max(Math.min(0, room), MARGIN_PX - left);
  if (shift) panel.style.translate = `${shift}px`;
}
