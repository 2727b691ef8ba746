import { createState } from '@latchkey/oauth';
import type { Timers } from '../time/wake-up.js';

const WIDTH = 480;
const HEIGHT = 640;
const POLL_MS = 400;

/**
 * Opens the sign-in window, centred over this one. Call it synchronously in a click, or the browser blocks the window. The
 * window's name is random, so that no other page can have opened a window with that name.
 *
 * @returns `undefined` if the browser blocked the window.
 */
export function openPopupWindow(url: string): Window | undefined {
  const left = Math.max(0, Math.round(screenX + (outerWidth - WIDTH) / 2));
  const top = Math.max(0, Math.round(screenY + (outerHeight - HEIGHT) / 2));
  const popup = open(
    url,
    `latchkey-${createState()}`,
    `popup,width=${WIDTH},height=${HEIGHT},left=${left},top=${top}`,
  );
  return popup && !popup.closed ? popup : undefined;
}

/**
 * Calls back once when the window reads as closed in two checks in a row. A response that was posted just before the
 * window closed arrives between the two. Stops when the signal aborts.
 */
export function watchClosed(popup: Window, timers: Timers, signal: AbortSignal, onClosed: () => void): void {
  let closedChecks = 0;
  let handle: unknown;
  const check = () => {
    closedChecks = popup.closed ? closedChecks + 1 : 0;
    if (closedChecks === 2) onClosed();
    else handle = timers.setTimeout(check, POLL_MS);
  };
  signal.addEventListener('abort', () => timers.clearTimeout(handle));
  check();
}
