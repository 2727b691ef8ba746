import { OAuthClientError } from '@latchkey/oauth';
import { vi } from 'vitest';
import { createRenewal } from '../../src/session/renewal.js';
import {
  createLoginStore,
  type Membership,
  type SessionResult,
  type SignedIn,
} from '../../src/state/login-state.js';
import '../../src/state/protocol-failure.js';
import type { SessionReader } from '../../src/state/session-provider.js';

export const MINUTE = 60_000;

/** Start of the fake time. */
export const START = Date.UTC(2025, 5, 1);

/** Creates a session that was read at the start. It is due after 59 minutes and ends after 60. */
export function sessionAt(start: number, fields: Partial<SignedIn> = {}): SignedIn {
  const user = { sub: 'u1', email: null };
  const times = { readAt: start, renewAt: start + 59 * MINUTE, expiresAt: start + 60 * MINUTE };
  return { user, memberships: [], ...times, endsAt: times.expiresAt, ...fields };
}

/** Creates a membership that expires this many milliseconds after the start. */
export function membershipUntil(id: string, milliseconds: number | null): Membership {
  return {
    id,
    productType: 'community',
    isActive: true,
    validFrom: '2025-01-01T00:00:00.000Z',
    validUntil: milliseconds === null ? null : new Date(START + milliseconds).toISOString(),
  };
}

/** Creates a failure of the network. */
export const lost = () => new OAuthClientError('network', 'No response.');

/** Creates a renewal whose provider returns scripted results, with the fake time of vitest. */
export function createScriptedRenewal({ mayHaveSession = true } = {}) {
  const renew = vi.fn<(signal: AbortSignal, isCheck?: boolean) => Promise<SessionResult>>();
  renew.mockRejectedValue(lost());
  const provider: Partial<SessionReader> = { renew, mayHaveSession };
  const time = { clock: { now: () => Date.now() }, timers: globalThis };
  const store = createLoginStore({ status: 'checking', attempt: 0 }, ({ session }) =>
    renewal.follow(session),
  );
  const renewal = createRenewal(provider as SessionReader, time, store);
  return {
    renewal,
    store,
    renew,
    /** The `isCheck` of each request. */
    checks: () => renew.mock.calls.map(([, isCheck]) => isCheck),
    ids: () => store.snapshot.memberships?.map(({ id }) => id),
    /** Reads a session, and forgets the request. */
    async read(fields: Partial<SignedIn> = {}) {
      renew.mockResolvedValueOnce({ type: 'session-found', session: sessionAt(Date.now(), fields) });
      await renewal.renew(true);
      renew.mockClear();
      return store.state.session;
    },
    /** Publishes a session, and returns it as the store contains it. */
    begin(fields: Partial<SignedIn> = {}) {
      store.dispatch({ type: 'session-found', session: sessionAt(Date.now(), fields) });
      return store.state.session;
    },
  };
}

/** Lets time pass, so that timers fire and what they start ends. */
export async function pass(milliseconds: number): Promise<void> {
  await vi.advanceTimersByTimeAsync(milliseconds);
}

/** Lets time pass while no timer fires, as on a computer that sleeps. */
export function sleep(milliseconds: number): void {
  vi.setSystemTime(Date.now() + milliseconds);
}
