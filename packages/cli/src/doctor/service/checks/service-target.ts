import {
  type EndpointName,
  type EndpointPaths,
  pathsOf,
  type ServiceNames,
} from '@latchkey/contract/constants';
import { type Probe, type ProbeContext, sendMadeUpTokenRequest, sendProbe } from '../../http/probe.js';
import type { CapturedDelivery } from '../webhook/captured-delivery.js';

/** Values of the command. Each check names those that it needs. */
export interface ServiceInput {
  /** Base URL without a slash at its end. */
  readonly baseUrl: string;
  readonly names: ServiceNames;
  readonly clientId?: string | undefined;
  readonly redirectUri?: string | undefined;
  readonly origin?: string | undefined;
  readonly apiKey?: string | undefined;
  readonly community?: string | undefined;
  readonly messengerUserId?: number | undefined;
  readonly accessToken?: string | undefined;
  readonly webhookSecret?: string | undefined;
  readonly delivery?: CapturedDelivery | undefined;
}

/** Values that no service has issued. The key has no prefix, so a service rejects it without looking it up. */
const MADE_UP = {
  clientId: `oac_${'0'.repeat(24)}`,
  uuid: '00000000-0000-4000-8000-000000000000',
  key: 'latchkey-doctor-made-up-key',
  token: 'latchkey-doctor-made-up-token',
  path: '/latchkey-doctor/no-such-path',
  redirectUri: 'https://latchkey-doctor.invalid/callback',
} as const;

/** Challenge of the authorization requests. No code is ever redeemed with its verifier. */
const CHALLENGE = 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM';

/** Requests to a service. Each is sent once, however many checks read its response. */
export class ServiceTarget {
  readonly input: ServiceInput;
  readonly #context: ProbeContext;
  readonly #paths: EndpointPaths;
  readonly #sent = new Map<string, Promise<Probe>>();
  #unanswered: Probe | undefined;

  constructor(input: ServiceInput, context: ProbeContext) {
    this.input = input;
    this.#context = context;
    this.#paths = pathsOf(input.names);
  }

  /** Path of an endpoint under the names of the service. */
  path(endpoint: EndpointName): string {
    return this.#paths[endpoint];
  }

  unknownPath(): Promise<Probe> {
    return this.#get(MADE_UP.path);
  }

  identityOfUnknownClient(): Promise<Probe> {
    return this.#get(fill(this.path('clientIdentity'), [MADE_UP.clientId]));
  }

  identityOf(clientId: string): Promise<Probe> {
    return this.#get(fill(this.path('clientIdentity'), [clientId]));
  }

  /** Sends an authorization request of a client that does not exist. */
  authorizeUnknownClient(): Promise<Probe> {
    return this.authorize(MADE_UP.clientId, MADE_UP.redirectUri);
  }

  /** Sends an authorization request without a signed-in user, so that it ends at the sign-in page. */
  authorize(clientId: string, redirectUri: string): Promise<Probe> {
    const query = new URLSearchParams({
      response_type: 'code',
      client_id: clientId,
      redirect_uri: redirectUri,
      scope: 'memberships.read',
      state: 'latchkey-doctor',
      code_challenge: CHALLENGE,
      code_challenge_method: 'S256',
    });
    return this.#get(`${this.path('authorize')}?${query}`);
  }

  /** Sends a refresh request whose client and token do not exist. */
  refuseToken(): Promise<Probe> {
    const { origin } = this.input;
    return this.#once('token', () =>
      sendMadeUpTokenRequest(this.#context, {
        url: this.url(this.path('token')),
        form: { grant_type: 'refresh_token', client_id: MADE_UP.clientId, refresh_token: MADE_UP.token },
        origin,
      }),
    );
  }

  /** Sends a request with a key that does not exist. */
  withMadeUpKey(endpoint: 'checkMessenger' | 'inviteLink'): Promise<Probe> {
    const values = endpoint === 'inviteLink' ? [MADE_UP.uuid] : [MADE_UP.uuid, '1'];
    return this.#get(fill(this.path(endpoint), values), { authorization: `Bearer ${MADE_UP.key}` });
  }

  checkMessenger({ apiKey, community, messengerUserId }: MessengerCredentials): Promise<Probe> {
    const path = fill(this.path('checkMessenger'), [community, String(messengerUserId)]);
    return this.#get(path, { authorization: `Bearer ${apiKey}` });
  }

  /** Reads userinfo or the memberships. With an origin as a page of it does. */
  resource(endpoint: 'userinfo' | 'memberships', token: string): Promise<Probe> {
    const { origin } = this.input;
    const authorization = `Bearer ${token}`;
    return this.#get(this.path(endpoint), { authorization, ...(origin === undefined ? {} : { origin }) });
  }

  /** Reads a resource as a page does whose token has expired. */
  resourceWithMadeUpToken(endpoint: 'userinfo' | 'memberships'): Promise<Probe> {
    return this.resource(endpoint, MADE_UP.token);
  }

  /** Sends the preflight request of a page that reads a resource with its token. */
  preflight(endpoint: 'userinfo' | 'memberships', origin: string): Promise<Probe> {
    return this.#once(`preflight ${endpoint}`, () =>
      sendProbe(this.#context, {
        url: this.url(this.path(endpoint)),
        method: 'OPTIONS',
        headers: {
          origin,
          'access-control-request-method': 'GET',
          'access-control-request-headers': 'authorization',
        },
      }),
    );
  }

  url(path: string): string {
    return this.input.baseUrl + path;
  }

  #get(path: string, headers: Readonly<Record<string, string>> = {}): Promise<Probe> {
    return this.#once(JSON.stringify([path, headers]), () =>
      sendProbe(this.#context, { url: this.url(path), headers }),
    );
  }

  #once(key: string, request: () => Promise<Probe>): Promise<Probe> {
    const sent = this.#sent.get(key) ?? this.#send(request);
    this.#sent.set(key, sent);
    return sent;
  }

  /** Sends no further request after one without an answer, because the run would take minutes. */
  async #send(request: () => Promise<Probe>): Promise<Probe> {
    if (this.#unanswered !== undefined) return this.#unanswered;
    const probe = await request();
    if (probe.kind === 'failed' && probe.isTimeout) this.#unanswered = probe;
    return probe;
  }
}

export interface MessengerCredentials {
  readonly apiKey: string;
  readonly community: string;
  readonly messengerUserId: number;
}

/** Replaces the parameters of a path, in their order. */
function fill(template: string, values: readonly string[]): string {
  let index = 0;
  return template.replaceAll(/\{\w+\}/g, () => encodeURIComponent(values[index++] ?? ''));
}
