import type { Answer, Probe } from '../http/probe.js';
import { answered, type Check, CheckEnd, differs, fieldsOf, notChecked, ok, shapeOf } from './check.js';
import type { ServiceTarget } from './service-target.js';

/** Difference of clocks, in milliseconds, above which the check reports it. */
const CLOCK_LIMIT_MS = 60_000;
/** Precision of the header `Date`, in milliseconds. */
const DATE_PRECISION_MS = 1_000;
const NO_SERVICE = 'Compare serviceUrl with the documentation of the service.';

const errorOf = ({ json }: Answer) => fieldsOf(json).error;

/** Checks of the address and its clock. */
export const BASE_CHECKS: readonly Check[] = [
  {
    id: 'reachable',
    async run(target) {
      const probe = await target.identityOf();
      if (probe.kind === 'answer') return ok(`The service answers: ${shapeOf(probe.answer)}.`);
      return differs(
        `No answer from ${target.input.service}: ${probe.reason}.`,
        'Compare serviceUrl with the address in the documentation of the service, and check the network and the proxy.',
      );
    },
  },
  {
    id: 'https',
    run: ({ input: { service } }) =>
      service.startsWith('https:')
        ? ok('Requests are encrypted. If the service answers, Node.js has verified its certificate.')
        : notChecked('an https URL. This one is a loopback address, which may use http.'),
  },
  {
    id: 'base-url-final',
    async run(target) {
      const { status, headers } = answered(await target.identityOf());
      if (status < 300 || status >= 400) return ok('The base URL answers without a redirect.');
      const location = headers.get('location');
      return differs(
        'The base URL redirects. No package of Latchkey follows a redirect, which would send credentials along.',
        `Set serviceUrl to the final address${location === null ? '' : `. The redirect leads to ${originOf(location, target)}`}.`,
      );
    },
  },
  {
    id: 'unknown-path',
    async run(target) {
      const answer = answered(await target.unknownPath());
      return answer.status === 404
        ? ok('A path that does not exist answers with 404, so the paths of the endpoints can be checked.')
        : differs(
            `A path that does not exist answers with ${shapeOf(answer)}.`,
            'Compare serviceUrl with the address of the API: this may be the address of a website.',
          );
    },
  },
  {
    id: 'clock',
    assumption: 'clock-agreement',
    async run(target) {
      const { headers, sentAt, receivedAt } = answered(await target.identityOf());
      const date = Date.parse(headers.get('date') ?? '');
      if (Number.isNaN(date)) return notChecked('a header Date in the answers of the service.');
      // The service sent the header between the request and the response, and cut off the fraction of a second.
      const behind = Math.max(0, date - receivedAt);
      const ahead = Math.max(0, sentAt - date - DATE_PRECISION_MS);
      const difference = Math.max(behind, ahead);
      const seconds = Math.round(difference / 1000);
      if (difference <= CLOCK_LIMIT_MS)
        return ok(`The clocks of this machine and of the service differ by at most ${seconds + 1} s.`);
      return differs(
        `The clock of this machine is ${seconds} s ${behind > 0 ? 'behind' : 'ahead of'} that of the service.`,
        'Synchronize the clock of this machine (NTP). If the clock of the service is wrong, pass a corrected clock to latchkey().',
      );
    },
  },
];

function originOf(location: string, { input: { service } }: ServiceTarget): string {
  return URL.canParse(location, service) ? new URL(location, service).origin : 'no valid URL';
}

/** Checks of sign-in without a user. */
export const SIGN_IN_CHECKS: readonly Check[] = [
  {
    id: 'authorize-unknown-client',
    async run(target) {
      const answer = answered(await target.authorize());
      if (answer.status === 400 && typeof errorOf(answer) === 'string')
        return ok(
          'The authorization endpoint rejects an unknown client with 400 JSON and does not redirect.',
        );
      return differs(
        `The authorization endpoint answers an unknown client with ${shapeOf(answer)}. The specification demands 400 JSON.`,
        NO_SERVICE,
      );
    },
  },
  {
    id: 'token-errors',
    async run(target) {
      const answer = answered(await target.refuseToken());
      const error = errorOf(answer);
      if ([400, 401].includes(answer.status) && typeof error === 'string')
        return ok(`The token endpoint reports errors as OAuth does: ${error}.`);
      return differs(
        `The token endpoint answers an unknown client with ${shapeOf(answer)}. The specification demands 401 with { error }.`,
        NO_SERVICE,
      );
    },
  },
  {
    id: 'token-credentials-in-body',
    async run(target) {
      const answer = answered(await target.refuseToken());
      const error = errorOf(answer);
      if (error === 'invalid_client' && answer.headers.get('www-authenticate') === null)
        return ok('The token endpoint reads the client from the form, and needs no header Authorization.');
      return differs(
        `The token endpoint answered a form with an unknown client_id with ${typeof error === 'string' ? error : shapeOf(answer)}, not with invalid_client.`,
        'Ask the service if the token endpoint reads client credentials from the form (client_secret_post). Latchkey sends them nowhere else.',
      );
    },
  },
  {
    id: 'client-known',
    async run(target) {
      const { clientId } = target.input;
      if (clientId === undefined) return notChecked('--client-id.');
      const answer = answered(await target.identityOf(clientId));
      const { success, data } = fieldsOf(answer.json);
      if (answer.status === 404) {
        return differs(
          'The service does not know this client.',
          'Compare clientId with the developer area of this service.',
        );
      }
      if (answer.status === 200 && success !== false && fieldsOf(data).clientId === clientId)
        return ok('The service knows this client.');
      return differs(
        `The identity of the client has another form: ${shapeOf(answer)}.`,
        'Set clientId as the service writes it. The check at the start of the kit may log an error.',
      );
    },
  },
  {
    id: 'redirect-uri',
    async run(target) {
      const { clientId, redirectUri: uri } = target.input;
      if (clientId === undefined || uri === undefined) return notChecked('--client-id and --redirect-uri.');
      const answer = answered(await target.authorize(clientId, uri));
      if (answer.status === 400) {
        return differs(
          'The authorization endpoint rejects this client with this redirect URI.',
          'Register exactly this redirect URI in the developer area. The kit uses appUrl and /auth/callback, and the widget its callback-url or return-url.',
        );
      }
      const location = answer.headers.get('location') ?? '';
      // Any other error also proves that the redirect URI is registered: the service sends errors only there.
      if (isAddressOf(location, uri) && new URL(location).searchParams.get('error') === 'invalid_scope') {
        return differs(
          'The redirect URI is registered, but the service refuses the scope memberships.read.',
          'Register the scope memberships.read for this client.',
        );
      }
      if (answer.status < 400)
        return ok('The authorization endpoint accepts this client with this redirect URI.');
      return differs(`The authorization endpoint answered with ${shapeOf(answer)}.`, NO_SERVICE);
    },
  },
];

/** True if a redirect leads to the redirect URI, whose query can be longer then. */
function isAddressOf(location: string, uri: string): boolean {
  if (!URL.canParse(location)) return false;
  const [target, expected] = [new URL(location), new URL(uri)];
  return target.origin === expected.origin && target.pathname === expected.pathname;
}

/** Checks of requests from browsers. */
export const CORS_CHECKS: readonly Check[] = [
  {
    id: 'token-cors',
    assumption: 'token-cors',
    async run(target) {
      const { origin } = target.input;
      if (origin === undefined) return notChecked('--origin, the origin of the pages with the widget.');
      // Requests that the widget sends without a backend, in the order of a sign-in.
      mayRead('POST token', await target.refuseToken(), origin);
      for (const endpoint of ['userinfo', 'memberships'] as const) {
        mayPreflight(endpoint, await target.preflight(endpoint, origin), origin);
        mayRead(`GET ${endpoint}`, await target.resource(endpoint), origin);
      }
      return ok(`Pages of ${origin} may call the token endpoint and the resources without a backend.`);
    },
  },
];

function mayRead(name: string, probe: Probe, origin: string): void {
  if (!allowsOrigin(answered(probe), origin))
    throw notAdmitted(`The answer to ${name} has no Access-Control-Allow-Origin for it.`);
}

function mayPreflight(name: string, probe: Probe, origin: string): void {
  const answer = answered(probe);
  if (answer.status < 200 || answer.status > 299)
    throw notAdmitted(`The preflight of ${name} fails: ${answer.status}.`);
  if (!allowsOrigin(answer, origin)) throw notAdmitted(`The preflight of ${name} does not allow it.`);
  // The wildcard does not include Authorization (Fetch standard).
  const allowed = (answer.headers.get('access-control-allow-headers') ?? '').toLowerCase().split(/\s*,\s*/);
  if (!allowed.includes('authorization'))
    throw notAdmitted(`The preflight of ${name} does not allow the header Authorization.`);
}

function notAdmitted(problem: string): CheckEnd {
  return new CheckEnd(
    differs(
      `The service does not admit this origin. ${problem}`,
      'Set backend on the elements of the widget, and run @latchkey/express there. The browser then calls only your own server.',
    ),
  );
}

function allowsOrigin({ headers }: Answer, origin: string): boolean {
  return ['*', origin].includes(headers.get('access-control-allow-origin') ?? '');
}
