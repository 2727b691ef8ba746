import {
  ACCESS_TOKEN_LIFETIME_SECONDS,
  DEFAULT_SERVICE_NAMES,
  type EndpointName,
  type ServiceNames,
  type ServiceNamesOption,
} from '@latchkey/contract/constants';
import { API_KEY_ENDPOINTS } from './api-key-endpoints.js';
import {
  type Assumption,
  type ReadingName,
  type ReadingSettings,
  readingOf,
  readingSettings,
} from './assumptions.js';
import { createDeliveries, type Deliveries } from './deliveries.js';
import { createResponses, type ServiceState } from './endpoint.js';
import {
  CONFIDENTIAL_CLIENT,
  clientFinder,
  createGrants,
  DEFAULT_CLIENTS,
  type FakeClient,
  type Grants,
  type NewToken,
} from './grants.js';
import {
  authorize,
  clientIdentity,
  memberships,
  products,
  revoke,
  token,
  userinfo,
} from './oauth-endpoints.js';
import type { FakeDelivery, Reading } from './reading.js';
import { createRouter, type FakeRequest, type RecordedRequest } from './request.js';
import { checkoutPage, createSales, type Sales } from './sales.js';
import { createScripts, type Outcome, outcomeOf, pause, type Scripts } from './script.js';
import {
  type Clock,
  createWorld,
  type FakeMembership,
  type FakeUser,
  systemClock,
  type World,
} from './world.js';

/** A fake of the membership service. It follows the specification, and a test scripts its faults. */
export interface FakeService
  extends Pick<Scripts, 'on' | 'replyInOrder' | 'clear' | 'hold'>,
    Pick<Grants, 'issuePair' | 'revokeUser' | 'revokeAccessTokens' | 'revokeEverything'>,
    Pick<Grants, 'hasLiveRefreshToken' | 'isLiveAccessToken'>,
    Pick<World, 'addCommunity' | 'addPlan' | 'addApiKey' | 'addDrop' | 'addUser'>,
    Pick<Deliveries, 'addWebhook' | 'settled' | 'stop'>,
    Sales {
  readonly settings: ReadingSettings;
  readonly serviceNames: ServiceNames;
  /** URL of the service in checkout URLs. @default 'https://service.example', until the service listens */
  baseUrl: string;
  /** The user at the browser, or undefined if the user declines. */
  visitor: FakeUser | undefined;
  /** The scopes that users grant, if requested. Undefined means all of them. */
  grantedScopes: readonly string[] | undefined;
  newToken: NewToken;
  /** Lifetime of the access tokens that the service issues from now on. @default 3600 */
  accessTokenSeconds: number;
  /** Returns the `sub` that a client receives for a user. @param clientId by default `CONFIDENTIAL_CLIENT` */
  subOf(user: FakeUser, clientId?: string): string;
  /** Returns the id of a user in provisioning results and events. */
  userIdOf(user: FakeUser): string;
  /** Returns a membership as the OAuth list contains it. */
  listed(membership: FakeMembership): FakeMembership;
  readonly deliveries: readonly FakeDelivery[];
  readonly requests: RecordedRequest[];
  /** Returns the requests so far as `METHOD /path`. */
  log(): string[];
  /** Returns the number of requests with this `METHOD /path`. */
  count(line: string): number;
  /** Returns the forms that the token and revocation endpoints received. */
  forms(): URLSearchParams[];
  /** Issues a code like the authorization endpoint, without a browser. */
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
  const settings = readingSettings(options);
  const reading = { ...readingOf(settings), ...options.choices };
  const names = serviceNames(options.serviceNames);
  const { clock = systemClock, clients = DEFAULT_CLIENTS } = options;
  const scripts = createScripts();
  const grants = createGrants({
    clock,
    newToken: () => service.newToken,
    accessTokenSeconds: () => service.accessTokenSeconds,
  });
  const route = createRouter(names);
  const world = createWorld({ clock, newId: reading.newId });
  const deliveries = createDeliveries({ clock, names, reading, newId: world.newId });
  const isUnchecked = options.credentials === 'unchecked';
  const context: ServiceState = {
    ...{ clock, grants, isUnchecked, names, reading, world, respond: createResponses({ reading, clock }) },
    baseUrl: () => service.baseUrl,
    emit: deliveries.emit,
    findClient: clientFinder(clients, isUnchecked),
    visitor: () => service.visitor,
    granted: (requested) => requested.filter((scope) => service.grantedScopes?.includes(scope) ?? true),
  };
  const handle = createRequestHandler(context, scripts, options);
  const service: FakeService = {
    ...{ ...scripts, ...grants, ...world, ...deliveries, ...createSales(context) },
    subOf: (user, clientId = CONFIDENTIAL_CLIENT) => reading.subject(user, clientId),
    userIdOf: (user) => reading.userId(user),
    listed: (membership) => reading.membership(membership, world.recordOf(membership)),
    ...{ settings, serviceNames: names, deliveries: deliveries.log },
    baseUrl: 'https://service.example',
    visitor: options.visitor,
    grantedScopes: undefined,
    newToken: options.newToken ?? reading.newToken,
    accessTokenSeconds: ACCESS_TOKEN_LIFETIME_SECONDS,
    requests: [],
    log: () => service.requests.map(({ method, path }) => `${method} ${path}`),
    count: (line) => service.log().filter((each) => each === line).length,
    forms: () =>
      service.requests.filter(({ path }) => /^\/oauth\/(token|revoke)$/.test(path)).map(({ form }) => form),
    issueCode({ scope = 'memberships.read', ...code }) {
      world.addUser(code.user);
      return grants.issueCode({ ...code, scope });
    },
    handle(request) {
      const recorded = Object.assign(request, {
        ...route(request),
        receivedAt: clock.now(),
        answeredAt: undefined,
      });
      service.requests.push(recorded);
      return handle(recorded);
    },
  };
  return service;
}

function serviceNames(given: ServiceNamesOption = {}): ServiceNames {
  const set = Object.entries(given).filter(([, name]) => name !== undefined);
  return { ...DEFAULT_SERVICE_NAMES, ...Object.fromEntries(set) };
}

export interface FakeServiceOptions {
  /**
   * Which reading of the specification the service follows.
   * @default `LATCHKEY_READING` of the global object or of the environment, then 'first'
   */
  reading?: ReadingName | undefined;
  /**
   * One of the callers' assumptions that doesn't hold at this service. Null means that all hold.
   * @default `LATCHKEY_AGAINST` of the global object or of the environment, then none
   */
  against?: Assumption | null | undefined;
  /** Choices of the service that differ from the reading's. */
  choices?: Partial<Reading>;
  /**
   * The service's own names for which the specification has placeholders.
   * @default the placeholders
   */
  serviceNames?: ServiceNamesOption | undefined;
  /** @default the system's clock */
  clock?: Clock;
  /** @default a public and a confidential client: `PUBLIC_CLIENT` and `CONFIDENTIAL_CLIENT` */
  clients?: readonly FakeClient[];
  /** The user at the browser, who consents at once. If it's missing, the user declines. */
  visitor?: FakeUser;
  /**
   * `unchecked`: every client, code and token is valid and belongs to the visitor. For benchmarks, and for a page with
   * a popup that signs in at another instance of the service.
   *
   * @default 'checked'
   */
  credentials?: 'checked' | 'unchecked';
  /** @default random tokens in the reading's format */
  newToken?: NewToken;
  /** Returns the response for a path outside the API: a page, or a script. */
  fallback?: (request: FakeRequest) => Response | undefined | Promise<Response | undefined>;
  /** How long the service waits before it processes a request, in milliseconds. @default 0, or a few in the second reading */
  latencyMs?: number;
}

function createRequestHandler(
  context: ServiceState,
  scripts: Scripts,
  { latencyMs = context.reading.latencyMs, fallback }: FakeServiceOptions,
) {
  const { clock, reading } = context;

  async function regularResponse(request: RecordedRequest): Promise<Response> {
    const { endpoint, method, path } = request;
    if (endpoint !== undefined) return await ENDPOINTS[endpoint](request, context);
    const response = checkoutPage(request, context) ?? (await fallback?.(request));
    return response ?? context.respond.rejection(request, 404, `Cannot ${method} ${path}`);
  }

  async function outcomeFor(request: RecordedRequest): Promise<Outcome> {
    if (request.method === 'OPTIONS') {
      return { kind: 'response', response: new Response(null, { status: reading.preflightStatus }) };
    }
    const regular = () => regularResponse(request);
    return outcomeOf(await scripts.replyTo(request, regular), regular, () => scripts.released(request));
  }

  return async (request: RecordedRequest): Promise<Outcome> => {
    if (latencyMs > 0) await pause(latencyMs);
    const outcome = await outcomeFor(request);
    if ('response' in outcome) {
      for (const [name, value] of Object.entries(reading.cors(request)))
        outcome.response.headers.set(name, value);
    }
    if (outcome.kind !== 'hang') request.answeredAt = clock.now();
    return outcome;
  };
}

type Endpoint = (request: RecordedRequest, context: ServiceState) => Response | Promise<Response>;

const ENDPOINTS: Readonly<Record<EndpointName, Endpoint>> = {
  ...{ authorize, token, revoke, userinfo, memberships, products, clientIdentity },
  ...API_KEY_ENDPOINTS,
};
