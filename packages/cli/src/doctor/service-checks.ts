import { type Answer, Missing, observations, type Session, valueAt } from '@latchkey/conformance/provider';
import type { DoctorSettings } from './doctor-settings.js';
import { authorizePath, shapeOf } from './probe.js';

export type ServiceSettings = DoctorSettings & { readonly service: string };

/** A check of what Latchkey's packages need beyond the specification. The conformance kit checks the specification's rules. */
export interface ServiceCheck {
  /** Name in reports and in docs/live-service.md. */
  readonly id: string;
  /** Id of the assumption in docs/live-service.md, if the check is about one. */
  readonly assumption?: string;
  /** Returns a sentence about what is as assumed. @throws Differs if it isn't, Missing with what it needs. */
  run(session: Session, settings: ServiceSettings): string | Promise<string>;
}

/** The service doesn't behave as the packages assume. */
export class Differs extends Error {
  /** Which setting to change, in a sentence. */
  readonly action: string;

  constructor(meaning: string, action: string) {
    super(meaning);
    this.action = action;
  }
}

/** The check reports clocks that differ by more than this, in milliseconds. */
const CLOCK_LIMIT_MS = 60_000;
/** Precision of the `Date` header, in milliseconds. */
const DATE_PRECISION_MS = 1_000;
/** Limits of `limitAnswers` in @latchkey/oauth, in bytes. */
const ANSWER_MAX_BYTES = { userinfo: 1_000_000, memberships: 16_000_000 };
const MADE_UP_COMMUNITY = '00000000-0000-4000-8000-000000000000';
/** Checks of the service's URL, and of what the developer configured. */
export const SERVICE_CHECKS: readonly ServiceCheck[] = [
  {
    id: 'reachable',
    async run(session, { service }) {
      const answer = await observations.unknownClient(session).catch((error: Error) => {
        throw new Differs(
          `No answer from ${service}: ${error.message.replace(/^no response to \S+ \S+: /, '')}.`,
          'Compare serviceUrl with the address in the documentation of the service, and check the network and the proxy.',
        );
      });
      if (answer.status < 300 && answer.json === undefined)
        throw new Differs(
          `The answer for a client that does not exist is a page: ${formOf(answer)}.`,
          'Compare serviceUrl with the address of the API: this may be the address of a website.',
        );
      return `The service answers: ${formOf(answer)}.`;
    },
  },
  {
    id: 'base-url-final',
    async run(session, { service }) {
      const { status, headers } = await observations.unknownClient(session);
      if (status < 300 || status >= 400) return 'The base URL answers without a redirect.';
      const { location } = headers;
      const origin = URL.canParse(location ?? '', service)
        ? new URL(location ?? '', service).origin
        : 'no valid URL';
      throw new Differs(
        'The base URL redirects. No package of Latchkey follows a redirect, which would send credentials along.',
        `Set serviceUrl to the final address${location === undefined ? '' : `. The redirect leads to ${origin}`}.`,
      );
    },
  },
  {
    id: 'unknown-path',
    async run(session) {
      const answer = await session.send({ path: '/latchkey-doctor/no-such-path' });
      if (answer.status === 404)
        return 'A path that does not exist answers with 404, so the paths of the endpoints can be checked.';
      throw new Differs(
        `A path that does not exist answers with ${formOf(answer)}.`,
        'Compare serviceUrl with the address of the API.',
      );
    },
  },
  {
    id: 'service-names',
    async run(session, { serviceNames: { messenger } }) {
      // The two paths with the messenger's name must lead to the check of the key.
      const path = session.paths.checkMessenger
        .replace('{communityId}', MADE_UP_COMMUNITY)
        .replace(`{${session.messengerField}}`, '1');
      const headers = { authorization: 'Bearer latchkey-doctor-made-up-key' };
      const answers = [
        [session.paths.checkMessenger, await session.send({ path, headers })],
        [session.paths.inviteLink, (await observations.rejectedKeys(session)).malformed],
      ] as const;
      for (const [name, { status }] of answers) {
        if (status === 401) continue;
        throw new Differs(
          `${name} answers a made-up API key with ${status}, not with 401.`,
          status === 404 || status === 405
            ? 'Set messenger in serviceNames to the name of the messenger in the paths of this service: check-<name> and join-<name>-community-external.'
            : 'Compare serviceUrl and serviceNames with the documentation of the service.',
        );
      }
      return `Both paths with the name "${messenger}" reject a made-up API key.`;
    },
  },
  {
    id: 'clock',
    assumption: 'clock-agreement',
    async run(session) {
      const { headers, sentAt, at } = await observations.unknownClient(session);
      const date = Date.parse(headers.date ?? '');
      if (Number.isNaN(date)) throw new Missing('a header Date in the answers of the service.');
      // The service set the header between the request and the response, without the fraction of a second.
      const behind = Math.max(0, date - at);
      const difference = Math.max(behind, sentAt - date - DATE_PRECISION_MS);
      const seconds = Math.round(difference / 1000);
      if (difference <= CLOCK_LIMIT_MS)
        return `The clocks of this machine and of the service differ by at most ${seconds + 1} s.`;
      throw new Differs(
        `The clock of this machine is ${seconds} s ${behind > 0 ? 'behind' : 'ahead of'} that of the service.`,
        'Synchronize the clock of this machine (NTP). If the clock of the service is wrong, pass a corrected clock to latchkey().',
      );
    },
  },
  {
    id: 'client-known',
    async run(session, { clientId }) {
      if (clientId === undefined) throw new Missing('--client-id.');
      const answer = await observations.clientIdentity(session);
      if (answer.status === 200) return 'The service knows this client.';
      throw answer.status === 404
        ? new Differs(
            'The service does not know this client.',
            'Compare clientId with the developer area of this service.',
          )
        : new Differs(
            `The identity of the client has another form: ${formOf(answer)}.`,
            'Set clientId as the service writes it. The check at the start of the kit may log an error.',
          );
    },
  },
  {
    id: 'redirect-uri',
    async run(session, { clientId, redirectUri }) {
      if (clientId === undefined || redirectUri === undefined)
        throw new Missing('--client-id and --redirect-uri.');
      const answer = await session.send({
        path: authorizePath(session.paths.authorize, clientId, redirectUri),
      });
      if (answer.status === 400) {
        throw new Differs(
          'The authorization endpoint rejects this client with this redirect URI.',
          'Register exactly this redirect URI in the developer area. The kit uses appUrl and /auth/callback, and the widget its callback-url or return-url.',
        );
      }
      const location = answer.headers.location ?? '';
      // Any other error also proves that the redirect URI is registered: the service only sends errors there.
      if (
        isAddressOf(location, redirectUri) &&
        new URL(location).searchParams.get('error') === 'invalid_scope'
      ) {
        throw new Differs(
          'The redirect URI is registered, but the service refuses the scope memberships.read.',
          'Register the scope memberships.read for this client.',
        );
      }
      if (answer.status < 400)
        return 'The authorization endpoint accepts this client with this redirect URI.';
      throw new Differs(
        `The authorization endpoint answered with ${formOf(answer)}.`,
        'Compare serviceUrl with the documentation of the service.',
      );
    },
  },
  {
    id: 'token-cors',
    assumption: 'token-cors',
    async run(session, { origin }) {
      if (origin === undefined) throw new Missing('--origin, the origin of the pages with the widget.');
      // Requests that the widget sends without a backend, in the order of a sign-in.
      mayRead('POST token', await observations.madeUpToken(session), origin);
      for (const endpoint of ['userinfo', 'memberships'] as const) {
        const preflight = await session.send({
          method: 'OPTIONS',
          path: session.paths[endpoint],
          headers: {
            origin,
            'access-control-request-method': 'GET',
            'access-control-request-headers': 'authorization',
          },
        });
        mayPreflight(endpoint, preflight, origin);
        mayRead(`GET ${endpoint}`, await observations.withUnknownToken(session, endpoint), origin);
      }
      return `Pages of ${origin} may call the token endpoint and the resources without a backend.`;
    },
  },
  {
    id: 'check-messenger',
    async run(session, settings) {
      const answer = await checkedMember(session, settings);
      if (answer.status === 401)
        throw new Differs(
          'The service rejects the API key.',
          'Create a key in the developer area of this service.',
        );
      if (answer.status === 403)
        throw new Differs(
          'The API key may not check members of this community.',
          'Use a key with MEMBERSHIP_READ, of an OWNER or ADMIN of the community.',
        );
      if (answer.status === 404)
        throw new Differs(
          'The service does not know the community.',
          'Compare --community with the seller area.',
        );
      if (answer.status !== 200)
        throw new Differs(
          `The messenger check answers with ${formOf(answer)}.`,
          'Compare serviceUrl with the documentation of the service.',
        );
      const isActive = valueAt(answer, 'data', 'isActive') === true;
      return `The API key works. The messenger account ${isActive ? 'has' : 'has no'} active membership.`;
    },
  },
  {
    id: 'membership-id-shared',
    assumption: 'membership-id-shared',
    async run(session, settings) {
      const memberships = valueAt(await resource(session, settings, 'memberships'), 'memberships');
      const membershipId = valueAt(await checkedMember(session, settings), 'data', 'membershipId');
      if (!Array.isArray(memberships))
        throw new Missing('a list of memberships: see memberships.list-shape.');
      if (typeof membershipId !== 'string')
        throw new Missing(
          'a test account whose messenger account has an active membership of the community.',
        );
      const ids = memberships.map((json: unknown) => String(valueAt({ json }, 'id')).toLowerCase());
      if (ids.includes(membershipId.toLowerCase()))
        return 'The OAuth list contains the membership of the messenger check, by the same id.';
      throw new Differs(
        'The OAuth list does not contain the membershipId of the messenger check.',
        'First check that both belong to one person. If they do, the ids differ: directory entries from provisioning, checks and webhooks open no gate. Record the ids of the OAuth list with auth.directory.record().',
      );
    },
  },
  {
    id: 'answer-size',
    assumption: 'body-size',
    async run(session, settings) {
      const sizes: string[] = [];
      for (const endpoint of ['userinfo', 'memberships'] as const) {
        const size = Buffer.byteLength((await resource(session, settings, endpoint)).text);
        const limit = ANSWER_MAX_BYTES[endpoint];
        if (size > limit)
          throw new Differs(
            `An answer of ${endpoint} has ${size} bytes, more than the limit of ${limit}.`,
            'The kit rejects it. Wrap fetch in a function that removes what the app does not need, and pass it to latchkey().',
          );
        sizes.push(`${endpoint} ${size} of ${limit}`);
      }
      return `The answers are smaller than the limits: ${sizes.join(', ')} bytes.`;
    },
  },
];

function formOf({ status, json, headers }: Answer): string {
  return shapeOf({ status, json, headers: new Headers(headers) });
}

/** True if a redirect leads to the redirect URI. Its query may have more parameters. */
function isAddressOf(location: string, uri: string): boolean {
  if (!URL.canParse(location)) return false;
  const [target, expected] = [new URL(location), new URL(uri)];
  return target.origin === expected.origin && target.pathname === expected.pathname;
}

function mayRead(name: string, answer: Answer, origin: string): void {
  if (!allowsOrigin(answer, origin))
    throw notAdmitted(`The answer to ${name} has no Access-Control-Allow-Origin for it.`);
}

function mayPreflight(name: string, answer: Answer, origin: string): void {
  if (answer.status < 200 || answer.status > 299)
    throw notAdmitted(`The preflight of ${name} fails: ${answer.status}.`);
  if (!allowsOrigin(answer, origin)) throw notAdmitted(`The preflight of ${name} does not allow it.`);
  // The wildcard doesn't include Authorization (Fetch standard).
  const allowed = (answer.headers['access-control-allow-headers'] ?? '').toLowerCase().split(/\s*,\s*/);
  if (!allowed.includes('authorization'))
    throw notAdmitted(`The preflight of ${name} does not allow the header Authorization.`);
}

function notAdmitted(problem: string): Differs {
  return new Differs(
    `The service does not admit this origin. ${problem}`,
    'Set backend on the elements of the widget, and run @latchkey/express there. The browser then calls only your own server.',
  );
}

function allowsOrigin({ headers }: Answer, origin: string): boolean {
  return ['*', origin].includes(headers['access-control-allow-origin'] ?? '');
}

/** Returns the response to the messenger check. @throws Missing without its credentials */
function checkedMember(
  session: Session,
  { apiKey, community, messengerUserId }: ServiceSettings,
): Promise<Answer> {
  if (apiKey === undefined || community === undefined || messengerUserId === undefined)
    throw new Missing('LATCHKEY_API_KEY, --community and --messenger-user-id.');
  return observations.checkMember(session);
}

/** Sends a request with the access token. @throws Missing without a token that the service accepts */
async function resource(
  session: Session,
  { accessToken }: ServiceSettings,
  endpoint: 'userinfo' | 'memberships',
): Promise<Answer> {
  if (accessToken === undefined) throw new Missing('LATCHKEY_ACCESS_TOKEN of a test account.');
  const answer = await observations.resource(session, endpoint);
  if (answer.status === 401) throw new Missing('an access token that has not expired: tokens last an hour.');
  if (answer.status === 403) throw new Missing('an access token with the scope memberships.read.');
  if (answer.status === 200) return answer;
  throw new Differs(
    `${endpoint} answers with ${formOf(answer)}.`,
    'Compare serviceUrl with the documentation of the service.',
  );
}
