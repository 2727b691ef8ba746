import type { LoginFailure } from '../state/login-failure.js';
import type { SessionSnapshot } from '../state/session-snapshot.js';

/** The events of the elements, all bubbling and composed, by the type of their `detail`. */
export interface WidgetEventDetails {
  /** Anything about the session changed. */
  'latchkey-change': SessionSnapshot;
  /** Somebody is signed in now: by the popup, or found by the backend when the page loaded. */
  'latchkey-signed-in': SessionSnapshot;
  /** The user signed out. */
  'latchkey-signed-out': SessionSnapshot;
  /** The session ended by itself. */
  'latchkey-expired': SessionSnapshot;
  /** Signing in, signing out or looking up the session failed; `detail.code` says how. */
  'latchkey-error': LoginFailure;
}

/** The events themselves, as `addEventListener` hands them over. */
export type WidgetEventMap = { [Type in keyof WidgetEventDetails]: CustomEvent<WidgetEventDetails[Type]> };

declare global {
  interface HTMLElementEventMap extends WidgetEventMap {}
  interface DocumentEventMap extends WidgetEventMap {}
  interface WindowEventMap extends WidgetEventMap {}
}

/** What is told when one snapshot follows another, in this order. */
export function eventsBetween(
  before: SessionSnapshot,
  after: SessionSnapshot,
): (readonly [keyof WidgetEventDetails, SessionSnapshot | LoginFailure])[] {
  const { status, failure } = after;
  const entered = status !== before.status;
  return [
    ['latchkey-change', after],
    ...(entered && status === 'signed-in' ? [['latchkey-signed-in', after] as const] : []),
    ...(before.signedIn && status === 'signed-out' ? [['latchkey-signed-out', after] as const] : []),
    ...(entered && status === 'expired' ? [['latchkey-expired', after] as const] : []),
    ...(failure && failure !== before.failure ? [['latchkey-error', failure] as const] : []),
  ];
}

/** Dispatches one of the widget's events. */
export function emit(target: EventTarget, type: keyof WidgetEventDetails, detail: object): void {
  target.dispatchEvent(new CustomEvent(type, { detail, bubbles: true, composed: true }));
}
