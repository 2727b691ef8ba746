import type { Membership } from '@latchkey/oauth';
import { failureOf } from './login-failure.js';
import type { LoginEvent } from './login-state.js';
import type { RenewalOutcome, SessionKeeper, SignedIn } from './session-keeper.js';
import { type TimeSource, wakeAt } from './wake-up.js';

const FIRST_RETRY_MS = 1000;
const LONGEST_RETRY_MS = 60_000;

export interface Renewal {
  /** Sets the alarms for a session; `undefined`: calls them off. */
  follow(session: SignedIn | undefined): void;
  /** Looks again now. One look at a time: who asks meanwhile gets the same. */
  renew(): Promise<void>;
  /** Passes on what a keeper knows, without the memberships that have ended since. */
  tell(outcome: RenewalOutcome): void;
  /** Does what is due. For moments at which timers may have slept: the page is shown, the network is back. */
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
      tell(outcome);
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

  function tell(outcome: RenewalOutcome): void {
    if (outcome === 'signed-out') dispatch({ type: 'session-absent' });
    else if (outcome === 'expired') dispatch({ type: 'session-ended' });
    else {
      const now = clock.now();
      const memberships = outcome.memberships?.filter((one) => endOf(one, outcome) > now);
      dispatch({ type: 'session-found', session: { ...outcome, memberships } });
    }
  }

  function watchMemberships(): void {
    callOffEnding();
    const session = followed;
    if (!session) return;
    const next = Math.min(...(session.memberships ?? []).map((one) => endOf(one, session)));
    if (next < Number.POSITIVE_INFINITY) callOffEnding = wakeAt(time, next, () => tell(session));
  }

  return {
    follow(session) {
      if (session === followed) return;
      followed = session;
      callOffRenewal();
      watchMemberships();
      if (!session) return;
      // A session that is due already must not be asked for in a tight loop.
      callOffRenewal = wakeAt(time, Math.max(session.renewAt, clock.now() + FIRST_RETRY_MS), renew);
    },
    renew,
    tell,
    check() {
      if (unsettled || (followed && clock.now() >= (followed.checkAt ?? followed.renewAt))) void renew();
      watchMemberships();
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

/** A membership that had ended when it was listed is the service's to end, by a clock that goes right. */
function endOf({ validUntil }: Membership, { readAt }: SignedIn): number {
  const end = Date.parse(validUntil ?? '');
  return end > readAt ? end : Number.POSITIVE_INFINITY;
}
