import type { RequestRules } from './browser-invariants.ts';
import type { InjectedResponse } from './inject.ts';
import type { NetworkObserver, RoundTrip } from './network.ts';
import type { createRotationRules } from './rotation-rules.ts';
import { SITE } from './simulated-browser.ts';
import type { SiteRequest, SiteRules } from './site-invariants.ts';
import type { SiteProcesses } from './site-processes.ts';
import type { SiteVisitor } from './site-visitor.ts';

interface TrafficWorld {
  now(): number;
  /** Rules about the sessions. */
  rules: SiteRules;
  /** Rules about the requests of the pages. */
  pages: RequestRules;
  /** Rules about the requests of the processes. */
  rotations: ReturnType<typeof createRotationRules>;
  processes: () => SiteProcesses;
  visitor: () => SiteVisitor;
  /** Keeps the violation of a check inside of the code under test, which would handle the error. */
  guard(check: () => void): void;
  /** True if the rules about users apply. */
  checksUsers: boolean;
}

/** Leads the requests of the pages to the processes, and reports all requests to the rules. */
export class SiteTraffic implements NetworkObserver {
  readonly #world: TrafficWorld;
  readonly #requests = new Map<RoundTrip, SiteRequest & { answeredAt?: number }>();

  constructor(world: TrafficWorld) {
    this.#world = world;
  }

  /** The requests that a process has not answered. */
  handledBy(owner: object): RoundTrip[] {
    return [...this.#requests]
      .filter(([{ state }, { process }]) => process === owner && state === 'handled')
      .map(([roundTrip]) => roundTrip);
  }

  /** Has a process handle a request to the site. */
  route(roundTrip: RoundTrip, answer: () => void): boolean {
    const { url, init } = roundTrip;
    if (url.origin !== SITE) return false;
    const { rules, now, processes } = this.#world;
    const process = processes().choose();
    const headers = Object.fromEntries(new Headers(init.headers));
    const body = typeof init.body === 'string' ? init.body : undefined;
    const request: SiteRequest = {
      path: url.pathname,
      code: (JSON.parse(body ?? '{}') as { code?: string }).code,
      cookie: sessionValue(headers.cookie),
      receivedAt: now(),
      order: rules.next(),
      process: process.owner,
    };
    this.#requests.set(roundTrip, request);
    if (url.pathname === '/auth/logout') rules.mayEnd(rules.subOf(request.cookie), 'a sign-out');
    const { method = 'GET' } = init;
    process.handle({ method, url: `${url.pathname}${url.search}`, headers, body }, (response) => {
      this.#world.guard(() => this.#check(request, response));
      const isMissed = roundTrip.state === 'over' || !roundTrip.isAwaited;
      if (isMissed && response.setCookie.length > 0) rules.onMissedCookie(request, undefined);
      this.#requests.set(roundTrip, { ...request, answeredAt: now() });
      roundTrip.response = { status: response.status, body: response.body, cookies: response.setCookie };
      answer();
    });
    return true;
  }

  onSend(roundTrip: RoundTrip): void {
    const { pages, rotations, guard } = this.#world;
    guard(() => {
      if (roundTrip.url.origin === SITE) pages.onSend(roundTrip);
      const token = refreshTokenOf(roundTrip);
      if (token !== null) rotations.onSend(roundTrip, token);
    });
  }

  onAnswer(roundTrip: RoundTrip): void {
    // A request that its sender has given up can still rotate the token.
    if (!roundTrip.isAwaited) this.#onLostResponse(roundTrip);
  }

  onSettled(roundTrip: RoundTrip, isReceived: boolean): void {
    const request = this.#requests.get(roundTrip);
    if (request === undefined) this.#onServiceSettled(roundTrip, isReceived);
    else this.#onSiteSettled(roundTrip, request, isReceived);
  }

  #onSiteSettled(
    roundTrip: RoundTrip,
    request: SiteRequest & { answeredAt?: number },
    isReceived: boolean,
  ): void {
    this.#requests.delete(roundTrip);
    const { rules, visitor } = this.#world;
    const cookies = roundTrip.response?.cookies ?? [];
    if (isReceived) visitor().receive(cookies);
    if (!isReceived || cookies.length > 0)
      rules.onMissedCookie(request, isReceived ? request.answeredAt : undefined);
  }

  #onServiceSettled(roundTrip: RoundTrip, isReceived: boolean): void {
    const { rules, rotations, processes } = this.#world;
    if (!processes().owns(roundTrip.owner)) return;
    const isAnswered = isReceived && (roundTrip.response?.status ?? 500) < 500;
    rotations.onSettled(roundTrip, isAnswered);
    if (isAnswered) return;
    rules.outage();
    this.#onLostResponse(roundTrip);
  }

  /** A lost response explains the end of a session only if it had new tokens. */
  #onLostResponse(roundTrip: RoundTrip): void {
    const token = refreshTokenOf(roundTrip);
    const { status = 0 } = roundTrip.response ?? {};
    if (token !== null && status >= 200 && status < 300) this.#world.rules.lostRotation(token);
  }

  #check(request: SiteRequest, { status, body, setCookie }: InjectedResponse): void {
    const { rules, checksUsers } = this.#world;
    const value = setCookie.map((line) => sessionValue(line)).find((one) => one !== undefined);
    const cookie = value === '' ? null : value;
    // Responses on their way count as missed once the browser should have received them.
    for (const [roundTrip, { answeredAt, ...earlier }] of this.#requests) {
      const hasCookie = (roundTrip.response?.cookies ?? []).length > 0;
      if (hasCookie && answeredAt !== undefined) rules.onMissedCookie(earlier, answeredAt);
    }
    if (checksUsers) rules.onAnswer(request, { status, body, cookie });
  }
}

/** Value of the kit's session cookie in a header; `undefined` without it. */
function sessionValue(header: string | undefined): string | undefined {
  return /(?:^|; )__Host-latchkey_[0-9a-f]{8}=([^;]*)/.exec(header ?? '')?.[1];
}

function refreshTokenOf({ init: { body } }: RoundTrip): string | null {
  return body instanceof URLSearchParams ? body.get('refresh_token') : null;
}
