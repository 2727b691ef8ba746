import { InvariantError } from './schedule.ts';
import { subjectOf } from './token-service.ts';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
/** Time for which the kit uses memberships without asking the service, with the longest request for them. */
const FRESH_WINDOW_MS = MINUTE + 15 * SECOND;
/** The same during an outage of the service. */
const STALE_WINDOW_MS = 5 * MINUTE + 15 * SECOND;
/** Sessions end six days after their start at the latest, for the rules. The kit's shortest lifetime is seven. */
const LIFETIME_MS = 6 * 24 * 60 * MINUTE;
/** Milliseconds for which the kit accepts the cookie before the newest one. */
const GRACE_MS = 45 * SECOND;

/** Request to the site, as the rules see it. */
export interface SiteRequest {
  readonly path: string;
  /** Value of the session cookie; `undefined` without one. */
  readonly cookie: string | undefined;
  /** Time at which a process received it. */
  readonly receivedAt: number;
  /** Position among all events of the schedule. */
  readonly order: number;
  readonly process: object;
  /** Code that the request redeems. */
  readonly code?: string | undefined;
}

export interface SiteAnswer {
  readonly status: number;
  readonly body: unknown;
  /** New value of the session cookie; null if it is deleted, `undefined` if it stays. */
  readonly cookie: string | null | undefined;
}

interface SiteSession {
  startedAt: number;
  /** Position of the request that began it. */
  readonly order: number;
  /** Why the session may have ended. */
  causes: string[];
  /** Position of the answer to its sign-out, and the process that answered. */
  ended?: { order: number; process: object };
  /** Time at which the service revoked its tokens. */
  revokedAt?: number;
  /** Time at which the service ended the user's membership. Absent while it runs. */
  membershipEndedAt?: number | undefined;
}

/** Rules about the sessions of a site's visitors. Each grant has a user of its own, so the user names the session. */
export class SiteRules {
  readonly #now: () => number;
  readonly #endsEverywhere: boolean;
  readonly #sessions = new Map<string, SiteSession>();
  /** User of each cookie value. */
  readonly #subOf = new Map<string, string>();
  /** Position of the webhook about a user's membership that each process has confirmed. */
  readonly #notified = new Map<object, Map<string, number>>();
  #order = 0;
  #outageAt = Number.NEGATIVE_INFINITY;
  /** Milliseconds by which clocks were set back. What a clock measures lasts longer by that. */
  #setBackMs = 0;
  #revokedGrants = 0;
  /** Position of the last fault that can end any session. */
  #faultAt = 0;

  /** @param endsEverywhere True if a sign-out also counts in processes that start later. */
  constructor(now: () => number, endsEverywhere: boolean) {
    this.#now = now;
    this.#endsEverywhere = endsEverywhere;
  }

  /** Position of the next event. */
  next(): number {
    this.#order += 1;
    return this.#order;
  }

  get users(): string[] {
    return [...this.#sessions.keys()];
  }

  subOf(cookie: string | undefined): string | undefined {
    return cookie === undefined ? undefined : this.#subOf.get(cookie);
  }

  /** Records a fault, after which the sessions that exist may end without an action of the user. */
  fault(): void {
    this.#faultAt = this.next();
  }

  /** Records that the service rotated a token, but no process received the new one. Ends the session of that token only. */
  lostRotation(refreshToken: string): void {
    const grant = Number(/^refresh-(\d+)-/.exec(refreshToken)?.[1]);
    this.mayEnd(
      this.users.find((sub) => numberOf(sub) === grant),
      'the response to a rotation was lost',
    );
  }

  /** Records that one session may have ended. */
  mayEnd(sub: string | undefined, cause: string): void {
    if (sub !== undefined) this.#sessions.get(sub)?.causes.push(cause);
  }

  /** A process received no answer of the service. */
  outage(): void {
    this.#outageAt = this.#now();
  }

  stepClock(ms: number): void {
    this.#setBackMs += Math.max(0, -ms);
  }

  /** The service revoked all tokens of the grants up to a number. A user's id ends with the number of the grant. */
  revokeAll(grants: number): void {
    this.#revokedGrants = grants;
    for (const session of this.#sessions.values()) {
      session.causes.push('the service revoked all tokens');
      session.revokedAt ??= this.#now();
    }
  }

  setMember(sub: string, isMember: boolean): void {
    const session = this.#sessions.get(sub);
    if (session !== undefined) session.membershipEndedAt = isMember ? undefined : this.#now();
    if (isMember) for (const notified of this.#notified.values()) notified.delete(sub);
  }

  /** A process has confirmed the webhook about the end of a membership. */
  notified(process: object, sub: string): void {
    if (this.#sessions.get(sub)?.membershipEndedAt === undefined) return;
    const subs = this.#notified.get(process) ?? new Map<string, number>();
    this.#notified.set(process, subs.set(sub, this.next()));
  }

  /** Checks the answer of a process, before the browser receives it. */
  onAnswer(request: SiteRequest, answer: SiteAnswer): void {
    const { path } = request;
    const body = Object(answer.body) as { signedIn?: boolean; user?: { sub: string } };
    const known = this.subOf(request.cookie);
    // A response without a user can also begin a session: its tokens have expired since, by the clock of the process.
    const begins = path === '/auth/exchange' && (answer.status === 200 || typeof answer.cookie === 'string');
    const sub = body.user?.sub ?? (begins ? subjectOf(numberOf(request.code)) : known);
    if (begins && sub !== undefined) {
      // Each grant has a user of its own.
      if (numberOf(request.code) !== numberOf(sub))
        throw new InvariantError('sessions never mix users', `${request.code} signed ${sub} in.`);
      this.#begin(sub, request, known);
    }
    if (typeof answer.cookie === 'string' && sub !== undefined) this.#subOf.set(answer.cookie, sub);
    if (path === '/auth/exchange') return;
    if (path === '/auth/logout' && answer.status === 204) this.#end(known, request.process);
    // The page for members opens for members only, whatever it shows.
    const hasAccess = answer.status === 200 && (path === '/members' || body.user !== undefined);
    const isSignedOut = path === '/auth/session' ? answer.status === 200 : answer.status === 401;
    if (hasAccess) this.#checkAccess(request, body.user?.sub ?? known ?? '');
    else if (isSignedOut) this.#checkEnd(known);
  }

  /**
   * The browser did not receive a response that changed its cookie, or not in time.
   * @param sentAt Time of the response if the browser received it or still can.
   */
  onMissedCookie(request: SiteRequest, sentAt: number | undefined): void {
    if (sentAt !== undefined && this.#now() - sentAt < GRACE_MS) return;
    this.mayEnd(this.subOf(request.cookie), 'the browser missed a new cookie');
  }

  #begin(sub: string, { order }: SiteRequest, replaced: string | undefined): void {
    this.mayEnd(replaced, 'another sign-in replaced the session');
    const session: SiteSession = { startedAt: this.#now(), order, causes: [] };
    this.#sessions.set(sub, session);
    if (numberOf(sub) > this.#revokedGrants) return;
    // Whether the tokens were issued before is unknown.
    session.causes.push('the service revoked all tokens');
  }

  #end(sub: string | undefined, process: object): void {
    const session = sub === undefined ? undefined : this.#sessions.get(sub);
    if (session !== undefined) session.ended ??= { order: this.next(), process };
  }

  #checkAccess(request: SiteRequest, sub: string): void {
    const known = this.subOf(request.cookie);
    const session = this.#sessions.get(sub);
    const place = `${request.path} as ${sub}`;
    if (known !== sub || session === undefined) {
      throw new InvariantError('sessions never mix users', `${place}: the cookie belongs to ${known}.`);
    }
    const { ended } = session;
    // A process that starts later accepts copies of a sealed cookie until it has to renew the tokens.
    const endsHere = this.#endsEverywhere || ended?.process === request.process;
    if (ended !== undefined && endsHere && ended.order < request.order) {
      throw new InvariantError('no access after a sign-out', `${place} after its sign-out.`);
    }
    const isOutage = this.#now() - this.#outageAt < STALE_WINDOW_MS + MINUTE;
    const window = (isOutage ? STALE_WINDOW_MS : FRESH_WINDOW_MS) + this.#setBackMs;
    const late = (since: number | undefined) => since !== undefined && request.receivedAt - since > window;
    if (late(session.revokedAt)) {
      throw new InvariantError(
        'no access after a revocation',
        `${place}, ${(request.receivedAt - (session.revokedAt ?? 0)) / SECOND} s after the service revoked its tokens.`,
      );
    }
    if (request.path !== '/members') return;
    if (late(session.membershipEndedAt)) {
      throw new InvariantError('no access after a membership', `${place} after the membership ended.`);
    }
    const notified = this.#notified.get(request.process)?.get(sub);
    if (notified !== undefined && notified < request.order) {
      throw new InvariantError('a webhook ends access at its process', `${place} after the webhook.`);
    }
  }

  #checkEnd(sub: string | undefined): void {
    const session = sub === undefined ? undefined : this.#sessions.get(sub);
    if (session === undefined || this.#faultAt > session.order || session.causes.length > 0) return;
    if (this.#now() - session.startedAt > LIFETIME_MS) return;
    throw new InvariantError('no sign-out without a cause', `${sub} is signed out.`);
  }
}

/** Number of the grant at the end of a code or of a user's id. */
function numberOf(text = ''): number {
  return Number(/\d+$/.exec(text)?.[0]);
}
