import type { LoginSession } from '../core/login-session.js';
import type { GateState } from './gate-state.js';

/** What the site's server said of the protected part. */
export interface GateContent {
  state: Exclude<GateState, 'signed-out'>;
  /** Only when `open`. */
  markup?: string;
}

/** The denials that a server says so in: it is asked for a reason, and gives the part itself as it likes. */
const ACCEPT = 'application/json, text/html;q=0.9, */*;q=0.1';

/** Asks the site's server for the protected part, as the signed-in user. Whatever is not a clear yes keeps it closed. */
export async function fetchContent(
  session: LoginSession,
  address: string,
  signal: AbortSignal,
): Promise<GateContent> {
  try {
    const response = await session.fetch(address, { headers: { accept: ACCEPT }, cache: 'no-store', signal });
    if (response.ok) return { state: 'open', markup: await response.text() };
    // The server no longer knows the user: neither will the page, once it has looked.
    if (response.status === 401) void session.refresh();
    return { state: response.status === 403 ? 'locked' : 'error' };
  } catch {
    return { state: 'error' };
  }
}

const policy = (
  globalThis as {
    trustedTypes?: { createPolicy(name: string, rules: object): { createHTML(text: string): string } };
  }
).trustedTypes?.createPolicy('latchkey', { createHTML: (text: string) => text });

/** Puts the protected part on the page, where the page's own styles reach it; `undefined` takes it away. */
export function placeContent(gate: HTMLElement, markup: string | undefined): void {
  const marker = 'data-latchkey-content';
  const placed = gate.querySelector(`:scope > [${marker}]`);
  if (markup === undefined) {
    placed?.remove();
    return;
  }
  const place = placed ?? document.createElement('div');
  place.setAttribute(marker, '');
  // Scripts in it do not run.
  place.innerHTML = policy?.createHTML(markup) ?? markup;
  gate.append(place);
}
