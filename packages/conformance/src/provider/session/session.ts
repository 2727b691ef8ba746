import { randomBytes, randomInt } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import { inspect } from 'node:util';
import {
  type EndpointPaths,
  isError,
  jsonOf,
  messengerUserIdNameOf,
  networkFailureOf,
  pathsOf,
} from '@latchkey/contract/constants';
import {
  type Check,
  type CheckOutcome,
  maskedRoundTrip,
  type RoundTrip,
  type SentRequest,
} from '../../report/report.js';
import { type Answer, answerOf, Missing, requireSuccess, shownFields, Violation, valueAt } from './answer.js';
import type { Driver, DriverAction, DriverAnswers, DriverInputs } from './driver.js';
import * as expected from './expect.js';
import { type Fixtures, Secrets } from './fixtures.js';

export interface Call {
  readonly method?: 'GET' | 'OPTIONS' | 'POST';
  /** Path below the base URL, percent-encoded, with its query. */
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  /** True for a token request that no service can grant: its client and its token are made up. */
  readonly isMadeUp?: boolean;
}

export interface SessionOptions {
  /** Base URL of the service, without a trailing slash. */
  readonly baseUrl: string;
  readonly fixtures: Fixtures;
  readonly driver: Driver | undefined;
  /** Allows requests that write. Otherwise a session only reads. */
  readonly isDestructive: boolean;
  /** Allows made-up token requests in a session that only reads. @default false */
  readonly sendsMadeUp?: boolean;
  /** Requests per second. */
  readonly rate: number;
  readonly fetch: typeof fetch;
  readonly seed: number;
  /** Number of generated requests for each endpoint and kind. */
  readonly generatedRuns: number;
}

const TIMEOUT_MS = 30_000;

/** The checks' connection to the service: sends requests, records them, and remembers what was observed. */
export class Session {
  readonly options: SessionOptions;
  readonly fixtures: Fixtures;
  readonly paths: EndpointPaths;
  /** Name of the field with a messenger account, such as `messengerUserId`. */
  readonly messengerField: string;
  readonly isDestructive: boolean;
  readonly sendsMadeUp: boolean;
  readonly #secrets: Secrets;
  readonly #observed = new Map<string, { result: Promise<unknown>; recorded: Promise<RoundTrip[]> }>();
  readonly #run = randomBytes(4).toString('hex');
  #recorded: RoundTrip[] = [];
  /** When the next request may be sent. */
  #sendFrom = 0;
  #names = 0;
  readonly #closing: (() => Promise<void>)[] = [];

  constructor(options: SessionOptions) {
    this.options = options;
    this.fixtures = options.fixtures;
    this.isDestructive = options.isDestructive;
    this.sendsMadeUp = options.isDestructive || options.sendsMadeUp === true;
    this.paths = pathsOf(options.fixtures.serviceNames);
    this.messengerField = messengerUserIdNameOf(options.fixtures.serviceNames);
    this.#secrets = new Secrets(options.fixtures);
  }

  /** Sends a request and returns its response. Doesn't follow redirects. */
  async send({ method = 'GET', path, headers = {}, body, isMadeUp = false }: Call): Promise<Answer> {
    const isAllowed = isMadeUp ? this.sendsMadeUp : this.isDestructive;
    if (method === 'POST' && !isAllowed) throw new Missing('needs --destructive');
    const request: SentRequest = {
      method,
      url: `${this.options.baseUrl}${path}`,
      headers,
      ...(body !== undefined && { body }),
    };
    this.#learnBody(body);
    await this.#throttle();
    const sentAt = Date.now();
    try {
      const response = await this.options.fetch(request.url, {
        method,
        headers,
        redirect: 'manual',
        signal: AbortSignal.timeout(TIMEOUT_MS),
        ...(body !== undefined && { body }),
      });
      const text = await response.text();
      const received = { status: response.status, headers: Object.fromEntries(response.headers), body: text };
      const answer = answerOf({ request, response: received }, sentAt);
      this.#secrets.learn(answer.json);
      this.#recorded.push(answer.roundTrip);
      return answer;
    } catch (error) {
      const failure = reasonOf(error);
      this.#recorded.push({ request, failure });
      throw new Missing(`no response to ${method} ${path}: ${failure}`);
    }
  }

  /** Runs an observation once. Later calls return its result, and add its round trips to the running check too. */
  async once<Result>(key: string, observe: () => Promise<Result>): Promise<Result> {
    const { result, recorded } = this.#observed.get(key) ?? this.#observe(key, observe);
    const roundTrips = await recorded;
    this.#recorded.push(...roundTrips);
    // A missing precondition stays missing: repeating it would send the same requests for each check.
    return (await result) as Result;
  }

  #observe(key: string, observe: () => Promise<unknown>) {
    const outer = this.#recorded;
    this.#recorded = [];
    const result = observe();
    const recorded = Promise.allSettled([result]).then(() => {
      const roundTrips = this.#recorded;
      this.#recorded = outer;
      return roundTrips;
    });
    const observation = { result, recorded };
    this.#observed.set(key, observation);
    return observation;
  }

  /** Returns the round trips since the last call, without secrets. */
  takeRoundTrips(): readonly RoundTrip[] {
    const roundTrips = [...new Set(this.#recorded)];
    this.#recorded = [];
    return roundTrips.map((roundTrip) => maskedRoundTrip(roundTrip, (text) => this.mask(text)));
  }

  mask(text: string): string {
    return this.#secrets.mask(text);
  }

  /** Makes the tester's driver do something that isn't part of the API. @throws Missing */
  async drive<Action extends DriverAction>(
    action: Action,
    input: DriverInputs[Action],
  ): Promise<DriverAnswers[Action]> {
    const { driver } = this.options;
    if (!this.isDestructive) throw new Missing('needs --destructive');
    if (driver === undefined || !this.canDrive(action)) {
      throw new Missing(`needs fixtures.driver with the action ${action}`);
    }
    const answer = await driver.run(action, input).catch((error: unknown) => {
      if (error instanceof Missing) throw error;
      throw new Missing(`the driver failed at ${action}: ${reasonOf(error)}`);
    });
    this.#secrets.learn(answer);
    return answer;
  }

  /** True if this run can use an action of the driver. */
  canDrive(action: DriverAction): boolean {
    return this.isDestructive && this.options.driver?.actions.includes(action) === true;
  }

  learnSecrets(fields: unknown): void {
    this.#secrets.learn(fields);
  }

  onClose(close: () => Promise<void>): void {
    this.#closing.push(close);
  }

  async close(): Promise<void> {
    for (const close of this.#closing.splice(0).reverse()) await close();
  }

  /** Returns an email address without an account. Its domain is reserved for examples (RFC 2606). */
  newEmail(): string {
    return `conformance-${this.newId()}@example.com`;
  }

  newId(): string {
    this.#names += 1;
    return `${this.#run}-${this.#names}`;
  }

  newMessengerUserId(): number {
    return 8_000_000_000_000 + randomInt(2 ** 40);
  }

  async #throttle(): Promise<void> {
    const now = performance.now();
    const at = Math.max(now, this.#sendFrom);
    this.#sendFrom = at + 1_000 / this.options.rate;
    if (at > now) await setTimeout(at - now);
  }

  #learnBody(body: string | undefined): void {
    if (body === undefined) return;
    // One that is malformed on purpose contains no secrets.
    this.#secrets.learn(body.startsWith('{') ? jsonOf(body) : Object.fromEntries(new URLSearchParams(body)));
  }
}

let observations = 0;

/** Makes an observation that runs once in a session for each list of arguments: see {@link Session.once}. */
export function once<Rest extends readonly unknown[], Result>(
  observe: (session: Session, ...rest: Rest) => Promise<Result>,
): (session: Session, ...rest: Rest) => Promise<Result> {
  observations += 1;
  const key = `observation ${observations}`;
  return (session, ...rest) =>
    session.once(`${key} ${inspect(rest)}`, async () => await observe(session, ...rest));
}

function reasonOf(error: unknown): string {
  if (!isError(error)) return String(error);
  if (error.name === 'TimeoutError') return `no answer within ${TIMEOUT_MS} ms`;
  return error.cause === undefined ? error.message : networkFailureOf(error).reason;
}

/**
 * What checks do to the service, in the order in which they run. `probe` only reads, and needs no more than an app has,
 * for `latchkey doctor`. `read` only reads. `write` creates data. `clock` also moves the service's clock.
 */
export const CHECK_MODES = ['probe', 'read', 'write', 'clock'] as const;

export type CheckMode = (typeof CHECK_MODES)[number];

export interface ProviderCheck extends Check<Session> {
  readonly mode: CheckMode;
}

/** Returns if the rule is kept, else throws `Violation` or `Missing`. */
export type Observe = (session: Session) => Promise<void>;

export function check<Observed>(
  observe: (session: Session) => Promise<Observed>,
  expect: (observed: Observed) => void,
): Observe {
  return async (session) => expect(await observe(session));
}

export function field(
  observe: (session: Session) => Promise<Answer>,
  path: readonly string[],
  rule: (found: unknown, name: string) => void,
): Observe {
  return check(observe, (answer) => rule(valueAt(requireSuccess(answer), ...path), path.at(-1) ?? ''));
}

/** Creates the checks that each of these changes to a request gets a 400. */
export function invalid(
  send: (session: Session, changes: Readonly<Record<string, unknown>>) => Promise<Answer>,
  ...bodies: readonly Readonly<Record<string, unknown>>[]
): readonly Observe[] {
  return bodies.map((changes) =>
    check(
      (session) => send(session, changes),
      ({ status }) => expected.that(status === 400, `400 for ${shownFields(changes)}`, status),
    ),
  );
}

/** Creates checks by requirement id. All rows of a list must hold. */
export function checksOf(
  mode: CheckMode,
  checks: Readonly<Record<string, Observe | readonly Observe[]>>,
): readonly ProviderCheck[] {
  return Object.entries(checks).map(([id, observe]) => ({
    id,
    mode,
    async run(session) {
      if ((mode === 'write' || mode === 'clock') && !session.isDestructive)
        return { kind: 'not-run', reason: 'needs --destructive' };
      try {
        for (const row of [observe].flat()) await row(session);
        return { kind: 'passed' };
      } catch (error) {
        return outcomeOf(error, session);
      }
    },
  }));
}

/** Longest message of an outcome, in characters. A service can write longer ones. */
const TEXT_MAX = 400;

function outcomeOf(error: unknown, session: Session): CheckOutcome {
  if (!(error instanceof Violation || error instanceof Missing)) throw error;
  // Mask first: otherwise part of a secret could remain.
  const text = session.mask(error.message).slice(0, TEXT_MAX);
  return error instanceof Violation ? { kind: 'failed', message: text } : { kind: 'not-run', reason: text };
}
