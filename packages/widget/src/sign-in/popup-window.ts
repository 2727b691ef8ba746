import { createState } from '@latchkey/oauth';
import type { Timers } from '../time/wake-up.js';
import type { SentRequest } from './authorization-request.js';

const WIDTH = 480;
const HEIGHT = 640;
const POLL_MS = 400;
/** Checks in a row after which a callback page that is loaded, but has not answered, never will. Its script may load late. */
const SILENT_CHECKS = 10;

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

/** Called when the popup can't answer, or no longer seems to. */
export interface PopupObserver {
  /** The window reads as closed. */
  onClosed(): void;
  /** The window shows a page of this site that is not a callback page. */
  onSilent(): void;
}

/**
 * Calls back once: `onClosed` when the window reads as closed in two checks in a row. A response that was posted just before
 * the window closed arrives between the two. `onSilent` when the window shows the response in its address, because a
 * callback page removes it. Stops when the signal aborts.
 */
export function watchPopup(
  popup: Window,
  { redirectUri, state }: SentRequest,
  { timers, signal, onClosed, onSilent }: PopupObserver & { timers: Timers; signal: AbortSignal },
): void {
  let closedChecks = 0;
  let silentChecks = 0;
  let handle: unknown;
  const check = () => {
    closedChecks = popup.closed ? closedChecks + 1 : 0;
    silentChecks = showsResponse(popup, redirectUri, state) ? silentChecks + 1 : 0;
    if (closedChecks === 2) onClosed();
    else if (silentChecks === SILENT_CHECKS) onSilent();
    else handle = timers.setTimeout(check, POLL_MS);
  };
  signal.addEventListener('abort', () => timers.clearTimeout(handle));
  check();
}

/** True if a page of this site is loaded, and the response is still in its address. */
function showsResponse(popup: Window, redirectUri: string, state: string): boolean {
  try {
    const { document, location } = popup;
    const { href } = location;
    return document.readyState === 'complete' && href.startsWith(redirectUri) && href.includes(state);
  } catch {
    // Another site.
    return false;
  }
}
