import type { CheckoutFailure } from './checkout-state.js';
import type { LoginFailure } from './login-failure.js';
import type { SessionSnapshot } from './login-state.js';

/** The type of each event's `detail`. All events bubble and are composed. */
export interface WidgetEventDetails {
  /** The session changed. */
  'latchkey-change': SessionSnapshot;
  /** A user signed in, or a session was restored. */
  'latchkey-signed-in': SessionSnapshot;
  /** The user signed out. */
  'latchkey-signed-out': SessionSnapshot;
  /** The session expired. */
  'latchkey-expired': SessionSnapshot;
  /** A sign-in, a sign-out or a session check failed. `detail.code` is the reason. */
  'latchkey-error': LoginFailure;
  /** The checkout of a plan was created. Prevent the default to stay on the page. */
  'latchkey-checkout': { planId: string; checkoutUrl: string };
  /** A purchase, or the request for the plans, failed. `detail.code` is the reason. */
  'latchkey-checkout-error': CheckoutFailure;
}

/** The type of each event. */
export type WidgetEventMap = { [Type in keyof WidgetEventDetails]: CustomEvent<WidgetEventDetails[Type]> };

declare global {
  interface HTMLElementEventMap extends WidgetEventMap {}
  interface DocumentEventMap extends WidgetEventMap {}
  interface WindowEventMap extends WidgetEventMap {}
}

/** Returns the events, in order, for a change from one snapshot to another. */
export function eventsBetween(
  before: SessionSnapshot,
  after: SessionSnapshot,
): (readonly [keyof WidgetEventDetails, SessionSnapshot | LoginFailure])[] {
  const { status, failure } = after;
  const enters = status !== before.status && (status === 'signed-in' || status === 'expired');
  const signsOut = before.signedIn && status === 'signed-out';
  return [
    ['latchkey-change', after],
    ...(enters || signsOut ? [[`latchkey-${status}`, after] as const] : []),
    ...(failure && failure !== before.failure ? [['latchkey-error', failure] as const] : []),
  ];
}

/** Dispatches one of the widget's events. */
export function emit(target: EventTarget, type: keyof WidgetEventDetails, detail: object): void {
  target.dispatchEvent(new CustomEvent(type, { detail, bubbles: true, composed: true }));
}
