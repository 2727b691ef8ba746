import { failureOf } from './login-failure.js';
import type { LoginEvent } from './login-state.js';
import type { SessionKeeper, SignedIn } from './session-keeper.js';
import { type TimeSource, wakeAt } from './wake-up.js';

const FIRST_RETRY_MS = 1000;
const LONGEST_RETRY_MS = 60_000;

export interface Renewal {
  /** Sets the alarms for a session; `undefined`: calls them off. */
  follow(session: SignedIn | undefined): void;
  /** Looks again now. One look at a time: who asks meanwhile gets the same. */
  renew(): Promise<void>;
  /** Looks again if that is due. For moments at which timers may have slept: the page is shown, the network is back. */
  check(): void;
  stop(): void;
}

/** Keeps a session fresh: renews it ahead of its end, and takes ended memberships off on time. */
export function createRenewal(
  keeper: SessionKeeper,
  time: TimeSource,
  dispatch: (event: LoginEvent) => void,
): Renewal {
  const { clock } = time;
  let followed: SignedIn | undefined;
  let readAt = 0;
  let retries = 0;
  /** The keeper did not answer: only asking again tells whether the session still stands. */
  let unsettled = false;
  let underWay: Promise<void> | undefined;
  let abort = new AbortController();
  let callOffRenewal = () => {};
  let callOffEnding = () => {};

  async function look(): Promise<void> {
    const { signal } = abort;
    callOffRenewal();
    try {
      const outcome = await keeper.renew(signal);
      if (signal.aborted) return;
      unsettled = false;
      retries = 0;
      if (outcome === 'signed-out') dispatch({ type: 'session-absent' });
      else if (outcome === 'expired') dispatch({ type: 'session-ended' });
      else {
        readAt = clock.now();
        dispatch({ type: 'session-found', session: outcome });
      }
    } catch (error) {
      if (signal.aborted) return;
      unsettled = true;
      dispatch({ type: 'check-failed', failure: failureOf(error, 'check') });
      retry();
    }
  }

  function retry(): void {
    if (!followed) return;
    const { endsAt } = followed;
    if (clock.now() >= endsAt) {
      dispatch({ type: 'session-ended' });
      return;
    }
    const pause = Math.min(FIRST_RETRY_MS * 2 ** retries++, LONGEST_RETRY_MS);
    callOffRenewal = wakeAt(time, Math.min(clock.now() + pause, endsAt), renew);
  }

  function renew(): Promise<void> {
    if (underWay) return underWay;
    const current = look().finally(() => {
      if (underWay === current) underWay = undefined;
    });
    underWay = current;
    return current;
  }

  /** Ends count from when the list was read: what the service listed then, a wrong clock here must not take away. */
  function endOf(membership: { validUntil?: string | null }): number {
    const end = Date.parse(membership.validUntil ?? '');
    return end > readAt ? end : Number.POSITIVE_INFINITY;
  }

  function watchMemberships(session: SignedIn): void {
    const next = Math.min(...(session.memberships ?? []).map(endOf));
    if (next === Number.POSITIVE_INFINITY) return;
    callOffEnding = wakeAt(time, next, () => {
      const memberships = session.memberships?.filter((membership) => endOf(membership) > clock.now());
      dispatch({ type: 'session-found', session: { ...session, memberships } });
    });
  }

  return {
    follow(session) {
      if (session === followed) return;
      if (!session || !followed) readAt = clock.now();
      followed = session;
      callOffRenewal();
      callOffEnding();
      if (!session) return;
      // A session that is due already must not be asked for in a tight loop.
      callOffRenewal = wakeAt(time, Math.max(session.renewAt, clock.now() + FIRST_RETRY_MS), renew);
      watchMemberships(session);
    },
    renew,
    check() {
      if (unsettled || (followed && clock.now() >= (followed.checkAt ?? followed.renewAt))) void renew();
    },
    stop() {
      abort.abort();
      abort = new AbortController();
      underWay = undefined;
      unsettled = false;
      this.follow(undefined);
    },
  };
}
