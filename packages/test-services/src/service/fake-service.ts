import {
  DEFAULT_SERVICE_NAMES,
  type ServiceNames,
  type ServiceNamesOption,
} from '@latchkey/contract/constants';
import type { EndpointContext } from '../endpoints/endpoint-context.js';
import { respondAtEndpoint } from '../endpoints/route.js';
import { allowEveryOrigin, preflightResponse } from '../messages/cors.js';
import type { FakeRequest, RecordedRequest } from '../messages/fake-request.js';
import { rejection } from '../messages/rejection.js';
import { readingOf } from '../reading/reading.js';
import {
  type Assumption,
  type ReadingName,
  type ReadingSettings,
  readingSettings,
} from '../reading/settings.js';
import { clientFinder, DEFAULT_CLIENTS, type FakeClient } from '../state/clients.js';
import { type Clock, systemClock } from '../state/clock.js';
import { createGrants, type Grants, type NewToken, randomToken } from '../state/grants.js';
import type { FakeUser } from '../state/users.js';
import { createScripts, type Reply, type Scripts } from './script.js';

/** The result of one request, before a socket or a `fetch` delivers it. */
export type Outcome =
  | { kind: 'response'; response: Response }
  | { kind: 'truncated'; response: Response }
  | { kind: 'reset'; error: Error }
  | { kind: 'hang' };

export interface FakeServiceOptions {
  /**
   * The reading of the specification that the service follows.
   * @default `LATCHKEY_READING` of the global object or of the environment, then 'first'
   */
  reading?: ReadingName | undefined;
  /**
   * An assumption of the callers that does not hold at this service.
   * @default `LATCHKEY_AGAINST` of the global object or of the environment, then none
   */
  against?: Assumption | undefined;
  /**
   * Names that the specification replaces by stand-ins.
   * @default the stand-ins
   */
  serviceNames?: ServiceNamesOption | undefined;
  /** @default the system's clock */
  clock?: Clock;
  /** @default a public and a confidential client: `PUBLIC_CLIENT` and `CONFIDENTIAL_CLIENT` */
  clients?: readonly FakeClient[];
  /** The user at the browser, who consents at once. Omitted: the user declines. */
  visitor?: FakeUser;
  /**
   * `unchecked`: every client, code and token is valid and belongs to the visitor. For a page whose popup signs in at
   * another instance of the service, and for benchmarks.
   *
   * @default 'checked'
   */
  credentials?: 'checked' | 'unchecked';
  /** @default random tokens of 32 bytes */
  newToken?: NewToken;
  /** Returns the response for a path outside of the API: a page, or a script. */
  fallback?: (request: FakeRequest) => Response | undefined | Promise<Response | undefined>;
  /** Milliseconds before the service processes a request. @default 0 */
  latencyMs?: number;
}

/** A fake of the membership service: it follows the specification, and a test scripts its faults. */
export interface FakeService
  extends Pick<Scripts, 'on' | 'replyInOrder' | 'clear' | 'hold'>,
    Pick<Grants, 'revokeAccessTokens' | 'revokeEverything' | 'hasLiveRefreshToken'> {
  readonly settings: ReadingSettings;
  /** The user at the browser. Undefined: the user declines. */
  visitor: FakeUser | undefined;
  /** The scopes that users grant, if requested. Undefined: all of them. */
  grantedScopes: readonly string[] | undefined;
  newToken: NewToken;
  /** The requests so far. */
  readonly requests: RecordedRequest[];
  /** Returns the requests so far as `METHOD /path`. */
  log(): string[];
  /** Returns the number of requests with this `METHOD /path`. */
  count(line: string): number;
  /** Returns the forms that the token and revocation endpoints received. */
  forms(): URLSearchParams[];
  /** Issues a code as the authorization endpoint does, without a browser. */
  issueCode(code: {
    user: FakeUser;
    clientId: string;
    redirectUri: string;
    challenge: string | undefined;
    /** @default 'memberships.read' */
    scope?: string;
  }): string;
  handle(request: FakeRequest): Promise<Outcome>;
}

export function createFakeService(options: FakeServiceOptions = {}): FakeService {
  const { clock = systemClock, clients = DEFAULT_CLIENTS, latencyMs = 0 } = options;
  const settings = readingSettings(options);
  const isUnchecked = options.credentials === 'unchecked';
  const scripts = createScripts();
  const grants = createGrants({ clock, newToken: () => service.newToken });
  const context: EndpointContext = {
    ...{ clock, grants, isUnchecked },
    names: serviceNames(options.serviceNames),
    reading: readingOf(settings),
    findClient: clientFinder(clients, isUnchecked),
    visitor: () => service.visitor,
    granted: (requested) => requested.filter((scope) => service.grantedScopes?.includes(scope) ?? true),
  };
  const { on, replyInOrder, clear, hold } = scripts;
  const { revokeAccessTokens, revokeEverything, hasLiveRefreshToken } = grants;
  const service: FakeService = {
    ...{ on, replyInOrder, clear, hold, revokeAccessTokens, revokeEverything, hasLiveRefreshToken },
    settings,
    visitor: options.visitor,
    grantedScopes: undefined,
    newToken: options.newToken ?? (() => randomToken()),
    requests: [],
    log: () => service.requests.map(({ method, path }) => `${method} ${path}`),
    count: (line) => service.log().filter((each) => each === line).length,
    forms: () =>
      service.requests.filter(({ path }) => /^\/oauth\/(token|revoke)$/.test(path)).map(({ form }) => form),
    issueCode: ({ scope = 'memberships.read', ...code }) => grants.issueCode({ ...code, scope }),
    async handle(request) {
      const recorded: RecordedRequest = { ...request, receivedAt: clock.now(), answeredAt: undefined };
      service.requests.push(recorded);
      if (latencyMs > 0) await pause(latencyMs);
      const outcome = await outcomeFor(recorded);
      if ('response' in outcome) allowEveryOrigin(outcome.response);
      if (outcome.kind !== 'hang') recorded.answeredAt = clock.now();
      return outcome;
    },
  };

  async function outcomeFor(request: RecordedRequest): Promise<Outcome> {
    const preflight = preflightResponse(request);
    if (preflight !== undefined) return { kind: 'response', response: preflight };
    const reply = await scripts.replyTo(request);
    const respond = () => regularResponse(request);
    return outcomeOf(reply, respond, () => scripts.released(request));
  }

  async function regularResponse(request: FakeRequest): Promise<Response> {
    const response = (await respondAtEndpoint(request, context)) ?? (await options.fallback?.(request));
    return response ?? rejection(404, `Cannot ${request.method} ${request.path}`, { ...request, clock });
  }

  return service;
}

/** Applies a scripted reply. `respond` processes the request and resolves to its regular response. */
async function outcomeOf(
  reply: Reply | undefined,
  respond: () => Promise<Response>,
  released: () => Promise<void>,
): Promise<Outcome> {
  if (reply instanceof Error) return { kind: 'reset', error: reply };
  const fault = reply instanceof Response ? undefined : reply;
  if (fault?.kind === 'hang') return { kind: 'hang' };
  if (fault?.kind === 'reset') return connectionReset();
  const response = reply instanceof Response ? reply : await respond();
  await released();
  if (fault !== undefined && 'delayMs' in fault) await pause(fault.delayMs);
  if (fault?.kind === 'response-lost') return connectionReset();
  return { kind: fault?.kind === 'truncated' ? 'truncated' : 'response', response };
}

function connectionReset(): Outcome {
  return { kind: 'reset', error: new TypeError('fetch failed: the connection was reset') };
}

function serviceNames(given: ServiceNamesOption = {}): ServiceNames {
  const set = Object.entries(given).filter(([, name]) => name !== undefined);
  return { ...DEFAULT_SERVICE_NAMES, ...Object.fromEntries(set) };
}

function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}
