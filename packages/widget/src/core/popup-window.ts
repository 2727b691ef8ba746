import { createState } from '@latchkey/oauth';
import type { Timers } from './wake-up.js';

const WIDTH = 480;
const HEIGHT = 640;
const POLL_MS = 400;

/**
 * Opens the sign-in window, centred over this one. Must run inside the click: after anything awaited, browsers block it.
 * Its name is random, so that no page can have opened a window under it before.
 *
 * @returns `undefined` when the browser refused.
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
 * Calls back once when the window seems closed, seen twice in a row: an answer posted just before is then already here.
 *
 * @returns a function that stops watching.
 */
export function watchClosed(popup: Window, timers: Timers, onClosed: () => void): () => void {
  let seen = 0;
  let handle: unknown;
  const look = () => {
    seen = popup.closed ? seen + 1 : 0;
    if (seen === 2) onClosed();
    else handle = timers.setTimeout(look, POLL_MS);
  };
  look();
  return () => timers.clearTimeout(handle);
}
