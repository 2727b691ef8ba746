import {
  DEFAULT_SERVICE_NAMES,
  type ServiceNames,
  type ServiceNamesOption,
} from '@latchkey/contract/constants';
import type { EndpointContext } from '../endpoints/endpoint-context.js';
import type { FakeRequest, RecordedRequest } from '../messages/fake-request.js';
import { readingOf } from '../reading/against.js';
import type { Reading } from '../reading/reading.js';
import { type ReadingSettings, readingSettings } from '../reading/settings.js';
import { CONFIDENTIAL_CLIENT, clientFinder, DEFAULT_CLIENTS } from '../state/clients.js';
import { systemClock } from '../state/clock.js';
import type { FakeDelivery } from '../state/events.js';
import { createGrants, type Grants, type NewToken } from '../state/grants.js';
import type { FakeMembership, FakeUser } from '../state/users.js';
import { createWorld, type World } from '../state/world.js';
import { createDeliveries, type Deliveries } from './deliveries.js';
import type { FakeServiceOptions } from './fake-service-options.js';
import type { Outcome } from './outcome.js';
import { createRequestHandler } from './request-handler.js';
import { createSales, type Sales } from './sales.js';
import { createScripts, type Scripts } from './script.js';

/** A fake of the membership service: it follows the specification, and a test scripts its faults. */
export interface FakeService
  extends Pick<Scripts, 'on' | 'replyInOrder' | 'clear' | 'hold'>,
    ReturnType<typeof pickGrants>,
    Pick<World, 'addCommunity' | 'addPlan' | 'addApiKey' | 'addDrop' | 'addUser'>,
    Pick<Deliveries, 'addWebhook' | 'settled' | 'stop'>,
    Sales {
  readonly settings: ReadingSettings;
  readonly serviceNames: ServiceNames;
  /** Address of the service in checkout URLs. @default 'https://service.example', until the service listens */
  baseUrl: string;
  /** The user at the browser. Undefined: the user declines. */
  visitor: FakeUser | undefined;
  /** The scopes that users grant, if requested. Undefined: all of them. */
  grantedScopes: readonly string[] | undefined;
  newToken: NewToken;
  /** Returns the `sub` that a client receives for a user. @param clientId by default `CONFIDENTIAL_CLIENT` */
  subOf(user: FakeUser, clientId?: string): string;
  /** Returns the id of a user in provisioning results and events. */
  userIdOf(user: FakeUser): string;
  /** Returns a membership as the OAuth list contains it. */
  listed(membership: FakeMembership): FakeMembership;
  /** The attempts to deliver events so far. */
  readonly deliveries: readonly FakeDelivery[];
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
  const settings = readingSettings(options);
  const reading = readingOf(settings);
  const names = serviceNames(options.serviceNames);
  const { clock = systemClock, clients = DEFAULT_CLIENTS } = options;
  const scripts = createScripts();
  const grants = createGrants({ clock, newToken: () => service.newToken });
  const world = createWorld({ clock, newId: reading.newId });
  const deliveries = createDeliveries({ clock, names, reading, newId: world.newId });
  const isUnchecked = options.credentials === 'unchecked';
  const context: EndpointContext = {
    ...{ clock, grants, isUnchecked, names, reading, world },
    baseUrl: () => service.baseUrl,
    emit: deliveries.emit,
    findClient: clientFinder(clients, isUnchecked),
    visitor: () => service.visitor,
    granted: (requested) => requested.filter((scope) => service.grantedScopes?.includes(scope) ?? true),
  };
  const handle = createRequestHandler({ context, options, scripts });
  const service: FakeService = {
    ...pickScripts(scripts),
    ...pickGrants(grants),
    ...pickWorld(world),
    ...{ addWebhook: deliveries.addWebhook, settled: deliveries.settled, stop: deliveries.stop },
    ...createSales(context),
    ...identityOf(reading, world),
    ...{ settings, serviceNames: names, deliveries: deliveries.log },
    baseUrl: 'https://service.example',
    visitor: options.visitor,
    grantedScopes: undefined,
    newToken: options.newToken ?? reading.newToken,
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
      const recorded: RecordedRequest = { ...request, receivedAt: clock.now(), answeredAt: undefined };
      service.requests.push(recorded);
      return handle(recorded);
    },
  };
  return service;
}

const pickScripts = ({ on, replyInOrder, clear, hold }: Scripts) => ({ on, replyInOrder, clear, hold });

const pickGrants = (grants: Grants) => ({
  revokeAccessTokens: grants.revokeAccessTokens,
  revokeEverything: grants.revokeEverything,
  hasLiveRefreshToken: grants.hasLiveRefreshToken,
  isLiveAccessToken: (token: string) => grants.findAccess(token) !== undefined,
});

const pickWorld = ({ addCommunity, addPlan, addApiKey, addDrop, addUser }: World) => ({
  ...{ addCommunity, addPlan, addApiKey, addDrop, addUser },
});

function identityOf(reading: Reading, world: World): Pick<FakeService, 'subOf' | 'userIdOf' | 'listed'> {
  return {
    subOf: (user, clientId = CONFIDENTIAL_CLIENT) => reading.subject(user, clientId),
    userIdOf: (user) => reading.userId(user),
    listed: (membership) => reading.membership(membership, world.recordOf(membership)),
  };
}

function serviceNames(given: ServiceNamesOption = {}): ServiceNames {
  const set = Object.entries(given).filter(([, name]) => name !== undefined);
  return { ...DEFAULT_SERVICE_NAMES, ...Object.fromEntries(set) };
}
