import { type EndpointName, type EndpointPaths, pathsOf } from '@latchkey/contract/constants';
import { type Probe, type ProbeContext, sendMadeUpTokenRequest, sendProbe } from '../http/probe.js';
import type { DoctorSettings } from '../settings/doctor-settings.js';

/** Settings of the command. Each check names those that it needs. */
export type ServiceInput = Partial<DoctorSettings> &
  Pick<DoctorSettings, 'serviceNames'> & { readonly service: string };

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

/** Requests to a service, by default with made-up values. Each is sent once, however many checks read its response. */
export class ServiceTarget {
  readonly input: ServiceInput;
  readonly paths: EndpointPaths;
  readonly #context: ProbeContext;
  readonly #sent = new Map<string, Promise<Probe>>();
  #unanswered: Probe | undefined;

  constructor(input: ServiceInput, context: ProbeContext) {
    this.input = input;
    this.paths = pathsOf(input.serviceNames);
    this.#context = context;
  }

  unknownPath(): Promise<Probe> {
    return this.#get(MADE_UP.path);
  }

  identityOf(clientId: string = MADE_UP.clientId): Promise<Probe> {
    return this.#get(this.#path('clientIdentity', [clientId]));
  }

  /** Sends an authorization request without a signed-in user, so that it ends at the sign-in page. */
  authorize(clientId: string = MADE_UP.clientId, redirectUri: string = MADE_UP.redirectUri): Promise<Probe> {
    const query = new URLSearchParams({
      response_type: 'code',
      client_id: clientId,
      redirect_uri: redirectUri,
      scope: 'memberships.read',
      state: 'latchkey-doctor',
      code_challenge: CHALLENGE,
      code_challenge_method: 'S256',
    });
    return this.#get(`${this.paths.authorize}?${query}`);
  }

  /** Sends a refresh request whose client and token do not exist. */
  refuseToken(): Promise<Probe> {
    return this.#once('token', () =>
      sendMadeUpTokenRequest(this.#context, {
        url: this.input.service + this.paths.token,
        form: { grant_type: 'refresh_token', client_id: MADE_UP.clientId, refresh_token: MADE_UP.token },
        origin: this.input.origin,
      }),
    );
  }

  inviteLink(): Promise<Probe> {
    const headers = { authorization: `Bearer ${MADE_UP.key}` };
    return this.#get(this.#path('inviteLink', [MADE_UP.uuid]), headers);
  }

  checkMessenger(
    apiKey: string = MADE_UP.key,
    community: string = MADE_UP.uuid,
    messengerUserId = 1,
  ): Promise<Probe> {
    const path = this.#path('checkMessenger', [community, String(messengerUserId)]);
    return this.#get(path, { authorization: `Bearer ${apiKey}` });
  }

  /** Reads userinfo or the memberships. With an origin as a page of it does. */
  resource(endpoint: 'userinfo' | 'memberships', token: string = MADE_UP.token): Promise<Probe> {
    const { origin } = this.input;
    const authorization = `Bearer ${token}`;
    return this.#get(this.paths[endpoint], { authorization, ...(origin === undefined ? {} : { origin }) });
  }

  /** Sends the preflight request of a page that reads a resource with its token. */
  preflight(endpoint: 'userinfo' | 'memberships', origin: string): Promise<Probe> {
    return this.#once(`preflight ${endpoint}`, () =>
      sendProbe(this.#context, {
        url: this.input.service + this.paths[endpoint],
        method: 'OPTIONS',
        headers: {
          origin,
          'access-control-request-method': 'GET',
          'access-control-request-headers': 'authorization',
        },
      }),
    );
  }

  /** Path of an endpoint with its parameters, in their order. */
  #path(endpoint: EndpointName, values: readonly string[]): string {
    let index = 0;
    return this.paths[endpoint].replaceAll(/\{\w+\}/g, () => encodeURIComponent(values[index++] ?? ''));
  }

  #get(path: string, headers: Readonly<Record<string, string>> = {}): Promise<Probe> {
    return this.#once(JSON.stringify([path, headers]), () =>
      sendProbe(this.#context, { url: this.input.service + path, headers }),
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
