import type { Answer } from '../../http/probe.js';
import { type Check, type CheckResult, differs, notChecked, ok } from '../report/check.js';
import { fieldsOf, shapeOf, withAnswer } from './answers.js';
import type { ServiceTarget } from './service-target.js';

const NO_SERVICE = 'Compare serviceUrl with the documentation of the service.';

const authorizeUnknownClient: Check<ServiceTarget> = {
  id: 'authorize-unknown-client',
  run: (target) =>
    withAnswer(target.authorizeUnknownClient(), (answer) => {
      if (answer.status === 400 && typeof fieldsOf(answer.json).error === 'string')
        return ok(
          'The authorization endpoint rejects an unknown client with 400 JSON and does not redirect.',
        );
      return differs(
        `The authorization endpoint answers an unknown client with ${shapeOf(answer)}. The specification demands 400 JSON.`,
        NO_SERVICE,
      );
    }),
};

const tokenErrors: Check<ServiceTarget> = {
  id: 'token-errors',
  run: (target) =>
    withAnswer(target.refuseToken(), (answer) => {
      const isExpected = [400, 401].includes(answer.status) && typeof errorOf(answer) === 'string';
      if (isExpected)
        return ok(`The token endpoint reports errors as OAuth does: ${String(errorOf(answer))}.`);
      return differs(
        `The token endpoint answers an unknown client with ${shapeOf(answer)}. The specification demands 401 with { error }.`,
        NO_SERVICE,
      );
    }),
};

const tokenCredentials: Check<ServiceTarget> = {
  id: 'token-credentials-in-body',
  run: (target) =>
    withAnswer(target.refuseToken(), (answer) => {
      const error = errorOf(answer);
      if (error === 'invalid_client' && answer.headers.get('www-authenticate') === null)
        return ok('The token endpoint reads the client from the form, and needs no header Authorization.');
      return differs(
        `The token endpoint answered a form with an unknown client_id with ${typeof error === 'string' ? error : shapeOf(answer)}, not with invalid_client.`,
        'Ask the service if the token endpoint reads client credentials from the form (client_secret_post). Latchkey sends them nowhere else.',
      );
    }),
};

const errorOf = ({ json }: Answer) => fieldsOf(json).error;

const clientKnown: Check<ServiceTarget> = {
  id: 'client-known',
  run: (target) => {
    const { clientId } = target.input;
    if (clientId === undefined) return notChecked('--client-id.');
    return withAnswer(target.identityOf(clientId), (answer) => {
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
    });
  },
};

const redirectUri: Check<ServiceTarget> = {
  id: 'redirect-uri',
  run: (target) => {
    const { clientId, redirectUri: uri } = target.input;
    if (clientId === undefined || uri === undefined) return notChecked('--client-id and --redirect-uri.');
    return withAnswer(target.authorize(clientId, uri), (answer) => authorizationResult(answer, uri));
  },
};

function authorizationResult(answer: Answer, uri: string): CheckResult {
  const { status, headers } = answer;
  if (status === 400) {
    return differs(
      'The authorization endpoint rejects this client with this redirect URI.',
      'Register exactly this redirect URI in the developer area. The kit uses appUrl and /auth/callback, and the widget its callback-url or return-url.',
    );
  }
  const location = headers.get('location') ?? '';
  // Any other error also proves that the redirect URI is registered: the service sends errors only there.
  if (isAddressOf(location, uri) && new URL(location).searchParams.get('error') === 'invalid_scope') {
    return differs(
      'The redirect URI is registered, but the service refuses the scope memberships.read.',
      'Register the scope memberships.read for this client.',
    );
  }
  if (status < 400) return ok('The authorization endpoint accepts this client with this redirect URI.');
  return differs(`The authorization endpoint answered with ${shapeOf(answer)}.`, NO_SERVICE);
}

/** True if a redirect leads to the redirect URI, whose query can be longer then. */
function isAddressOf(location: string, uri: string): boolean {
  if (!URL.canParse(location)) return false;
  const [target, expected] = [new URL(location), new URL(uri)];
  return target.origin === expected.origin && target.pathname === expected.pathname;
}

/** Checks of sign-in without a user. */
export const SIGN_IN_CHECKS: readonly Check<ServiceTarget>[] = [
  authorizeUnknownClient,
  tokenErrors,
  tokenCredentials,
  clientKnown,
  redirectUri,
];
