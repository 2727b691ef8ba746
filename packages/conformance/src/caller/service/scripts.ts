import { jsonOf } from '@latchkey/contract/constants';
import type { Answer } from '../record/recording.js';
import {
  apiKeyScript,
  dropSignup,
  endpointScript,
  failingOnce,
  failure,
  failureInside,
  inviteLink,
  json,
  oauthError,
  rejection,
  type Script,
  success,
  withBody,
} from './script.js';

/** Statuses that a client must not retry (spec, "Retry rules", 2). */
export const FINAL_STATUSES = [400, 401, 403, 404, 409] as const;

const CODES = {
  404: 'not_found',
  409: 'conflict',
  412: 'precondition_failed',
  422: 'unprocessable_entity',
} as const;

function failingWith(status: 400 | 401 | 403 | 404 | 409 | 412 | 422): Script {
  return apiKeyScript(`status ${status}`, (request) =>
    status === 400 || status === 401 || status === 403
      ? rejection(status, request)
      : failure(status, CODES[status], request),
  );
}

const UNKNOWN_VALUE = { added: [{ later: true }], note: 'Not in the specification.' };

/** Scripts for every action with an API key. They're factories because some count requests. */
export const API_KEY_SCRIPTS: readonly (() => Script)[] = [
  () => unknownFieldsScript(),
  () =>
    apiKeyScript('data only', async (_request, ordinary) =>
      withBody(await ordinary(), ({ data }) => ({ data })),
    ),
  ...FINAL_STATUSES.map((status) => () => failingWith(status)),
  () => apiKeyScript('empty failure', () => json(404, {})),
  () => failingWith(412),
  () => failingWith(422),
  () => apiKeyScript('unknown code', (request) => failure(409, 'membership_frozen', request)),
  () => apiKeyScript('misleading code 409', (request) => failure(409, 'internal_server_error', request)),
  () =>
    apiKeyScript('success body in 403', async (_request, ordinary) => ({
      ...(await ordinary()),
      status: 403,
    })),
  () => failingOnce('500 once', (request) => failure(500, 'internal_server_error', request)),
  () => failingOnce('503 once', (request) => failure(503, 'service_unavailable', request)),
  () => failingOnce('misleading code 500', (request) => failure(500, 'conflict', request)),
];

/** Returns factories of the scripts that a person can select, except for the one with unknown fields. */
export function apiKeyFailureScripts(): readonly (() => Script)[] {
  const [, ...factories] = API_KEY_SCRIPTS;
  const single = [...CHECKOUT_SCRIPTS, ...INVITE_SCRIPTS, ...DROP_SCRIPTS, outageScript];
  return [...factories, ...single.map((script) => () => script)];
}

/** Returns a script that adds unknown fields at every level of every JSON response. */
export function unknownFieldsScript(): Script {
  return {
    name: 'unknown fields',
    answer: async (_request, ordinary) =>
      withBody(await ordinary(), (body) => ({ ...(withUnknownFields(body) as object) })),
  };
}

function withUnknownFields(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withUnknownFields);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(([key, field]) => [key, withUnknownFields(field)]);
  return { ...Object.fromEntries(entries), unknownField: UNKNOWN_VALUE };
}

/** Every request fails with a 500, to make the app report a failure. */
export const outageScript: Script = apiKeyScript('outage', (request) =>
  failure(500, 'internal_server_error', request),
);

/** Failures of buy-plan inside a 201 (spec, "Failures inside 2xx"). */
export const CHECKOUT_SCRIPTS: readonly Script[] = [
  endpointScript('no checkoutUrl', ['buyPlan'], () => success(201, {})),
  endpointScript('success false', ['buyPlan'], () => failureInside(201, 'email is required')),
  endpointScript('unknown host', ['buyPlan'], () => success(201, { checkoutUrl: UNUSUAL_CHECKOUT_URL })),
];

/** A checkout URL with an unknown host and everything that a URL can contain. */
export const UNUSUAL_CHECKOUT_URL =
  'https://crypto-pay.unheard-of.example:8443/s/%7Bx%7D/a;b=1?id=5&back=%2Fa%3Fb&n=a+b#step-2';

/** Failures of the invite-link endpoint that look alike. */
export const INVITE_SCRIPTS: readonly Script[] = [
  endpointScript('no bot', ['inviteLink'], () => failureInside(200, 'the bot is not set up', { data: null })),
  endpointScript('not a member', ['inviteLink'], (request) =>
    withBody(rejection(401, request), ({ message }) => ({
      success: false,
      errorCode: 'unauthorized',
      message,
    })),
  ),
];

/** How long the link of {@link shortLinkScript} is valid, in milliseconds. */
export const SHORT_LINK_MS = 250;

export const shortLinkScript: Script = endpointScript('short link', ['inviteLink'], () =>
  success(200, inviteLink(SHORT_LINK_MS)),
);

export const DROP_SCRIPTS: readonly Script[] = [
  endpointScript('existing account', ['dropSignup'], () =>
    success(201, dropSignup({}, { signedUp: false, hasExistingAccount: true })),
  ),
  endpointScript('internal fields set', ['dropSignup'], () =>
    success(201, dropSignup({ dropNotification: { id: 7, sentAt: null }, userHasNotification: true })),
  ),
  endpointScript('internal fields changed', ['dropSignup'], () =>
    withBody(success(201, dropSignup({ userHasNotification: false })), (body) => {
      const { data } = body as { data: { dropSlotInfo: object } };
      const { dropNotification: _, ...dropSlotInfo } = data.dropSlotInfo as { dropNotification?: unknown };
      return { ...body, data: { ...data, dropSlotInfo } };
    }),
  ),
];

export function linkOf(body: string): string | undefined {
  const value = jsonOf(body) as { data?: { link?: string } } | undefined;
  return value?.data?.link;
}

/** Makes the token endpoint respond with 200 instead of 201, to find out why a sign-in fails. */
export const tokenOkScript: Script = endpointScript('token 200', ['token'], async (_request, ordinary) => {
  const answer = await ordinary();
  return answer.status === 201 ? { ...answer, status: 200 } : answer;
});

export const codeRejectedScript: Script = endpointScript('code rejected', ['token'], () =>
  oauthError(400, 'invalid_grant'),
);

/** Redirects of the authorize endpoint with a `state` that the client didn't send, or without one. */
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

export const insufficientScopeScript: Script = endpointScript(
  'insufficient scope',
  ['memberships', 'products'],
  () => oauthError(403, 'insufficient_scope'),
);
