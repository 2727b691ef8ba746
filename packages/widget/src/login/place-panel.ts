import { adoptStyles, type LitElement } from 'lit';
import { panelStyles } from './panel.styles.js';
import { isLeftToRight } from './placement.js';

/** Smallest distance between the panel and the edge of the window, and between the panel and its button, in pixels. */
const MARGIN_PX = 8;

/**
 * Shows a panel in the top layer, where nothing on the page cuts it off, or hides it again. Its anchor is the element
 * that contains it and its button. The panel goes below the button, or above it if it doesn't fit below and there is
 * more room above. If the button is outside the window, the panel stays below it and covers nothing that the visitor
 * sees.
 */
export function placePanel(panel: HTMLElement, anchor: Element): void {
  const { style, classList } = panel;
  if (!classList.contains('quiet')) adoptPanelStyles(panel.getRootNode() as ShadowRoot, anchor);
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

/** The shadow trees that already have the panel's styles. */
const styled = new WeakSet<ShadowRoot>();

function adoptPanelStyles(root: ShadowRoot, login: Element): void {
  if (styled.has(root)) return;
  styled.add(root);
  const { elementStyles } = login.constructor as typeof LitElement;
  adoptStyles(root, [...elementStyles, panelStyles]);
}
