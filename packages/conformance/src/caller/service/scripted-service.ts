import { randomBytes, randomUUID } from 'node:crypto';
import {
  DEFAULT_SERVICE_NAMES,
  INVITE_LINK_LIFETIME_SECONDS,
  messengerUserIdNameOf,
  type ServiceNames,
  type WebhookHeaders,
  webhookHeadersOf,
} from '@latchkey/contract/constants';
import type { FakeClient, NewToken } from '../../scripted-service/grants.js';
import {
  type ListenOptions,
  type RunningFakeService,
  startFakeService,
} from '../../scripted-service/http-server.js';
import type { ApiKeyData, Reading } from '../../scripted-service/reading.js';
import type { FakeRequest } from '../../scripted-service/request.js';
import { type FakeMembership, type FakeUser, fakeMembership } from '../../scripted-service/world.js';
import type { Answer, ServiceRoundTrip } from '../record/recording.js';
import {
  dropSignup,
  failureInside,
  inviteLink,
  isApiKeyEndpoint,
  MESSAGE_MARKER,
  ordinaryScript,
  rejection,
  SCRIPTED_IDS,
  SCRIPTED_KEY_ENDING,
  type Script,
  scriptedEnvironment,
} from './script.js';

/** Where the service listens, and which names it uses. */
export interface ScriptedServiceOptions extends ListenOptions {
  /** @default the names of the specification */
  readonly names?: ServiceNames;
  /** Handles paths that the API doesn't have. */
  readonly otherPath?: (request: FakeRequest) => Answer | undefined;
}

/** A membership service that responds as its script says and records every request. */
export interface ScriptedService
  extends Pick<RunningFakeService, 'url' | 'visitor' | 'newToken' | 'accessTokenSeconds' | 'close'> {
  readonly apiKey: string;
  /** Field that contains a messenger account. */
  readonly messengerField: string;
  readonly webhookHeaders: WebhookHeaders;
  /** Environment variables for an app that uses this service, by name. */
  readonly environment: Record<string, string>;
  readonly roundTrips: readonly ServiceRoundTrip[];
  /** Script of the next requests. @default the ordinary script */
  script: Script;
  /** Sets whether the widget's callback may pass codes on. */
  allowOrigins(isAllowed: boolean): void;
}

/** Starts the fake service with the kit's ids. */
export async function startScriptedService(options: ScriptedServiceOptions = {}): Promise<ScriptedService> {
  const { host, port, names = DEFAULT_SERVICE_NAMES, otherPath } = options;
  const name = 'Conformance';
  const clients: FakeClient[] = [
    { clientId: SCRIPTED_IDS.confidentialClientId, name, secret: SCRIPTED_IDS.clientSecret },
    { clientId: SCRIPTED_IDS.publicClientId, name },
  ];
  const fake = await startFakeService({
    ...{ host, port, clients, serviceNames: names, visitor: newVisitor(), newToken: PLAIN_TOKENS },
    ...{ reading: 'first', against: null, choices: choices() },
    // Round trips are compared by time, so the clock must be monotonic.
    clock: { now: () => performance.timeOrigin + performance.now() },
  });
  const apiKey = `${names.apiKeyPrefix}${SCRIPTED_KEY_ENDING}`;
  fake.addApiKey({ key: apiKey });
  const roundTrips: ServiceRoundTrip[] = [];
  const service: ScriptedService = Object.assign(fake, {
    ...{ apiKey, roundTrips, script: ordinaryScript },
    messengerField: messengerUserIdNameOf(names),
    webhookHeaders: webhookHeadersOf(names),
    environment: scriptedEnvironment(fake.url, apiKey),
    allowOrigins(isAllowed: boolean) {
      for (const client of clients) {
        if (isAllowed) delete client.allowedOrigins;
        else client.allowedOrigins = [];
      }
    },
  });
  fake.replyInOrder(async (request, regular) => {
    const other = request.endpoint === undefined ? otherPath?.(request) : undefined;
    if (other !== undefined) return responseOf(other);
    const { script } = service;
    const answer = await script.answer(request, async () => answerOf(await regular()));
    roundTrips.push({ request, answer, script: script.name });
    return responseOf(answer);
  });
  return service;
}

export function newVisitor(changes: Partial<FakeUser> = {}): FakeUser {
  const sub = randomUUID();
  return { sub, email: `user-${sub.slice(0, 8)}@example.com`, memberships: [membership()], ...changes };
}

export function membership(changes: Partial<FakeMembership> = {}): FakeMembership {
  return fakeMembership({
    id: SCRIPTED_IDS.membershipId,
    validFrom: '2026-01-01T00:00:00.000Z',
    validUntil: '2099-01-01T00:00:00.000Z',
    ...changes,
  });
}

export const PLAIN_TOKENS: NewToken = () => randomBytes(24).toString('hex');

/** Tokens with every character of a bearer token (RFC 6750 section 2.1). A parser of JWTs finds three parts. */
export const ODD_TOKENS: NewToken = () => `a.${randomBytes(24).toString('hex')}~+/_-.b==`;

const PREFLIGHT = {
  'access-control-allow-origin': '*',
  'access-control-allow-methods': 'GET, POST',
  'access-control-allow-headers': 'authorization, content-type, traceparent',
};

/** The kit's choices where the specification leaves one. */
function choices(): Partial<Reading> {
  return {
    tokenPair: (fields) => fields,
    json: (body, status) => Response.json(marked(body), { status }),
    cors({ method, endpoint }): Readonly<Record<string, string>> {
      if (method === 'OPTIONS') return PREFLIGHT;
      // Other origins' pages may call the OAuth endpoints, but an API key never belongs there.
      if (endpoint === undefined || isApiKeyEndpoint(endpoint)) return {};
      return { 'access-control-allow-origin': '*' };
    },
    apiKeyData: {
      provisionExternal: provisioning(),
      checkMessenger: () => ({ isActive: true, membershipId: randomUUID() }),
      inviteLink: () => inviteLink(INVITE_LINK_LIFETIME_SECONDS * 1000),
      buyPlan: ({ fields }) =>
        fields.email === undefined
          ? responseOf(failureInside(201, 'email is required'))
          : { checkoutUrl: `https://pay.card-provider.example/c/${randomUUID()}?lang=en` },
      dropSignup: () => dropSignup(),
    },
  };
}

/** Returns a body with messages that show they're for developers. */
function marked(body: object): object {
  const fields = Object.entries(body).map(([name, value]) => [
    name,
    name === 'message' || name === 'error_description' ? `${MESSAGE_MARKER}: ${value}` : value,
  ]);
  return Object.fromEntries(fields);
}

function provisioning(): ApiKeyData {
  const orders = new Map<string, { readonly membershipId: string; readonly userId: string }>();
  return ({ fields: { externalOrderId, validUntil }, path }, now) => {
    if (typeof externalOrderId !== 'string' || externalOrderId === '' || validUntil === null) {
      return responseOf(rejection(400, { path }));
    }
    const known = orders.get(externalOrderId);
    const order = known ?? { membershipId: randomUUID(), userId: randomUUID() };
    orders.set(externalOrderId, order);
    return {
      ...order,
      validFrom: new Date(now).toISOString(),
      validUntil: typeof validUntil === 'string' ? new Date(validUntil).toISOString() : null,
      status: known === undefined ? 'created' : 'idempotent_return',
    };
  };
}

async function answerOf(response: Response): Promise<Answer> {
  return {
    status: response.status,
    headers: Object.fromEntries(response.headers),
    body: await response.text(),
  };
}

function responseOf({ status, headers, body }: Answer): Response {
  const length = { 'content-length': String(Buffer.byteLength(body)) };
  return new Response(body === '' ? null : body, {
    status,
    headers: { 'cache-control': 'no-store', ...headers, ...(body === '' ? {} : length) },
  });
}
