import type { Answer } from '../record/service-exchange.js';
import { oauthError } from '../service/answers.js';
import { endpointScript, type Script } from '../service/script.js';

/** Answers the token endpoint with 200 instead of 201, to tell why a sign-in fails. */
export const tokenOkScript: Script = endpointScript('token 200', ['token'], async (_request, ordinary) => {
  const answer = await ordinary();
  return answer.status === 201 ? { ...answer, status: 200 } : answer;
});

/** The code exchange fails with `invalid_grant`. */
export const codeRejectedScript: Script = endpointScript('code rejected', ['token'], () =>
  oauthError(400, 'invalid_grant'),
);

/** Redirects of the authorize endpoint with a `state` that the client did not send, or without one. */
export const STATE_SCRIPTS: readonly Script[] = [
  endpointScript('foreign state', ['authorize'], async (_request, ordinary) =>
    redirected(await ordinary(), (query) => query.set('state', 'a-state-of-an-attacker')),
  ),
  endpointScript('no state', ['authorize'], async (_request, ordinary) =>
    redirected(await ordinary(), (query) => query.delete('state')),
  ),
];

function redirected(answer: Answer, change: (query: URLSearchParams) => void): Answer {
  const { location } = answer.headers;
  if (location === undefined) return answer;
  const url = new URL(location);
  change(url.searchParams);
  return { ...answer, headers: { ...answer.headers, location: url.href } };
}

/** Rejections of a refresh token with different descriptions. */
export const REFRESH_REJECTED_SCRIPTS: readonly Script[] = [
  refreshScript('refresh rejected', () =>
    oauthError(400, 'invalid_grant', 'The refresh token is invalid or expired.'),
  ),
  refreshScript('refresh rejected otherwise', () => oauthError(400, 'invalid_grant', 'Jeton inconnu (17).')),
];

/** The token endpoint is down for refreshes. */
export const refreshDownScript: Script = refreshScript('refresh down', () => oauthError(500, 'server_error'));

function refreshScript(name: string, answer: () => Answer): Script {
  return endpointScript(name, ['token'], ({ fields }, ordinary) =>
    fields.grant_type === 'refresh_token' ? answer() : ordinary(),
  );
}

/** Returns a script that rejects the first access token that it receives. */
export function invalidTokenScript(): Script {
  let rejected: string | undefined;
  return endpointScript('invalid token', ['userinfo', 'memberships', 'products'], ({ headers }, ordinary) => {
    rejected ??= headers.authorization;
    return headers.authorization === rejected ? oauthError(401, 'invalid_token') : ordinary();
  });
}

/** Every list lacks its scope. */
export const insufficientScopeScript: Script = endpointScript(
  'insufficient scope',
  ['memberships', 'products'],
  () => oauthError(403, 'insufficient_scope'),
);
