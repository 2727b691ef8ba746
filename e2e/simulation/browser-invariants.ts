import type { NetworkObserver, RoundTrip } from './network.ts';
import { InvariantError } from './schedule.ts';

/** Requests that one page may send in a minute without an action of its user. */
const MAX_REQUESTS_PER_MINUTE = 40;

interface RefreshToken {
  /** True once a response to its rotation reached a page. It must not be sent again. */
  isAnswered: boolean;
  sent: number;
}

/** Rules about the requests of one browser's pages. */
export interface RequestRules extends NetworkObserver {
  /** Records that a page's attempt began, so that the codes of its earlier attempts no longer count. */
  beginAttempt(page: object): void;
  /** Records the code that a popup answered with. */
  issued(code: string, page: object, attempt: number): void;
  attemptOf(page: object): number;
}

/**
 * Creates the rules:
 *
 * - a refresh token is never sent again after a response to its rotation was received;
 * - the pages that share tokens have one refresh in flight at most;
 * - a code is sent once, or twice if nothing of a response arrived, and only by the attempt that is the newest of its page;
 * - no page sends requests in a loop.
 */
export function createRequestRules({
  now,
  isShared,
  mayRepeat,
}: {
  now(): number;
  /** True if all pages share their tokens. */
  isShared: boolean;
  /** True if a copy of a page's tokens may be sent once more: each page of a duplicated tab has one. */
  mayRepeat: boolean;
}): RequestRules {
  const tokens = new Map<string, RefreshToken>();
  const inFlight = new Map<RoundTrip, string>();
  const codes = new Map<string, { page: object; attempt: number; sent: number; isAnswered: boolean }>();
  const attempts = new Map<object, number>();
  const sentAt = new Map<object, number[]>();

  const checkLoop = (page: object) => {
    const recent = (sentAt.get(page) ?? []).filter((at) => at > now() - 60_000);
    recent.push(now());
    sentAt.set(page, recent);
    if (recent.length > MAX_REQUESTS_PER_MINUTE) {
      throw new InvariantError('no request loop', `A page sent ${recent.length} requests in a minute.`);
    }
  };
  const sendRefresh = (roundTrip: RoundTrip, refreshToken: string) => {
    const token = tokens.get(refreshToken) ?? { isAnswered: false, sent: 0 };
    tokens.set(refreshToken, token);
    token.sent += 1;
    if (token.isAnswered && !(mayRepeat && token.sent <= 3)) {
      throw new InvariantError(
        'a spent refresh token is never sent again',
        `${refreshToken} was sent ${token.sent} times.`,
      );
    }
    const others = [...inFlight.values()].filter((other) => isShared || other === refreshToken);
    if (others.length > 0 && !mayRepeat) {
      throw new InvariantError(
        'one refresh is in flight',
        `${refreshToken} was sent while ${others[0]} was in flight.`,
      );
    }
    inFlight.set(roundTrip, refreshToken);
  };
  const sendCode = (code: string) => {
    const issued = codes.get(code);
    if (issued === undefined) return;
    issued.sent += 1;
    if (issued.isAnswered || issued.sent > 2)
      throw new InvariantError('a code is sent once', `${code} was sent ${issued.sent} times.`);
    if (attempts.get(issued.page) !== issued.attempt) {
      throw new InvariantError(
        'a late answer counts only until a new attempt starts',
        `${code} was sent after a newer attempt.`,
      );
    }
  };

  return {
    onSend(roundTrip) {
      checkLoop(roundTrip.owner);
      const fields = fieldsOf(roundTrip.init.body);
      const refreshToken = fields.get('refresh_token');
      if (refreshToken !== null) sendRefresh(roundTrip, refreshToken);
      const code = fields.get('code');
      if (code !== null) sendCode(code);
    },
    onAnswer() {},
    onSettled(roundTrip, isReceived) {
      const issued = codes.get(fieldsOf(roundTrip.init.body).get('code') ?? '');
      if (issued !== undefined && isReceived) issued.isAnswered = true;
      const refreshToken = inFlight.get(roundTrip);
      inFlight.delete(roundTrip);
      const token = refreshToken === undefined ? undefined : tokens.get(refreshToken);
      // A 5xx states nothing about the token.
      if (token !== undefined && isReceived && (roundTrip.response?.status ?? 500) < 500)
        token.isAnswered = true;
    },
    beginAttempt: (page) => void attempts.set(page, (attempts.get(page) ?? 0) + 1),
    issued: (code, page, attempt) => void codes.set(code, { page, attempt, sent: 0, isAnswered: false }),
    attemptOf: (page) => attempts.get(page) ?? 0,
  };
}

/** Fields of a body: a form for the service, or JSON for the site's server. */
function fieldsOf(body: unknown): URLSearchParams {
  if (body instanceof URLSearchParams) return body;
  return new URLSearchParams(typeof body === 'string' ? JSON.parse(body) : undefined);
}
