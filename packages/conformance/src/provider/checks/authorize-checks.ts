import * as oauth from '../calls/oauth-calls.js';
import { bareAuthorization, madeUpAuthorization, redeemed } from '../calls/shared-observations.js';
import { expectValidAuthorizationsAccepted } from '../generated/generated-requests.js';
import { type Answer, requireFixture, requireText, valueAt } from '../session/answer.js';
import * as expect from '../session/expect.js';
import { check, checksOf, type Observe, once } from '../session/session.js';

const UNREGISTERED = 'https://attacker.example/callback';
const LONG_STATE = 's'.repeat(1025);

function expectNotRedirected(answer: Answer, error?: string): void {
  expect.that(answer.status === 400, 'status 400', answer.status);
  expect.that(answer.headers.location === undefined, 'no redirect', answer.headers.location);
  expect.that(answer.json !== undefined, 'a JSON body', answer.text.slice(0, 100));
  if (error !== undefined) expect.equal(valueAt(answer, 'error'), error, 'error');
}

/** Expects a request that wasn't rejected: it leads to the sign-in, or on to the consent. */
function expectGoesOn(answer: Answer): void {
  expect.that(answer.status < 400, 'no refusal', `${answer.status} ${answer.text.slice(0, 100)}`);
  const location = answer.headers.location ?? '';
  expect.that(!location.includes('error='), 'no error in the redirect', location);
}

/** Returns the redirect of a request with an unknown scope. Some services redirect only after the user has signed in. */
const unknownScope = once(async (session): Promise<{ location: URL; status: number }> => {
  const { redirectUri } = oauth.clientOf(session, 'public');
  const answer = await oauth.authorizeBare(session, 'public', { scope: 'members.write', state: 'a b&c' });
  const location = answer.headers.location;
  if (location?.startsWith(redirectUri)) return { location: new URL(location), status: answer.status };
  if (answer.status === 400 || !session.isDestructive)
    return { location: new URL('about:blank'), status: answer.status };
  const { location: redirected } = await oauth.authorize(session, {
    changes: { scope: 'members.write', state: 'a b&c' },
  });
  return { location: redirected, status: 302 };
});

const declined = once((session): Promise<oauth.Authorization> => {
  const email = requireFixture(session.fixtures.users.newcomer, 'users.newcomer');
  return oauth.authorize(session, { email, decision: 'decline', changes: { state: 'declined 1' } });
});

function refuses(changes: oauth.Parameters, error?: string): Observe {
  return async (session) => expectNotRedirected(await oauth.authorizeBare(session, 'public', changes), error);
}

function goesOn(changes: oauth.Parameters, kind: oauth.ClientKind = 'public'): Observe {
  return async (session) => expectGoesOn(await oauth.authorizeBare(session, kind, changes));
}

const NO_CHALLENGE = { code_challenge: undefined, code_challenge_method: undefined };
const challenge = (length: number) => ({ code_challenge: 'c'.repeat(length) });

const PROBES = checksOf('probe', {
  'authorize.unknown-client': check(madeUpAuthorization, expectNotRedirected),
});

const READS = checksOf('read', {
  async 'authorize.user-authenticates'(session) {
    expectGoesOn(await bareAuthorization(session));
    if (session.isDestructive) await expectValidAuthorizationsAccepted(session);
  },
  'authorize.response-type-ignored': [
    goesOn({ response_type: 'token' }),
    goesOn({ response_type: undefined }),
  ],
  'authorize.client-id-required': refuses({ client_id: undefined }),
  'authorize.redirect-uri-required': refuses({ redirect_uri: undefined }),
  async 'authorize.redirect-uri-exact'(session) {
    const { redirectUri } = oauth.clientOf(session, 'public');
    for (const similar of [`${redirectUri}/`, `${redirectUri}?x=1`, redirectUri.toUpperCase()]) {
      await refuses({ redirect_uri: similar })(session);
    }
  },
  'authorize.unregistered-redirect-uri': refuses({ redirect_uri: UNREGISTERED }),
  'authorize.scope-required': refuses({ scope: undefined }, 'invalid_request'),
  'authorize.state-optional': goesOn({ state: undefined }),
  'authorize.state-max-length': [
    refuses({ state: LONG_STATE }, 'invalid_request'),
    goesOn({ state: LONG_STATE.slice(1) }),
  ],
  'authorize.challenge-length': [
    refuses(challenge(42), 'invalid_request'),
    refuses(challenge(129), 'invalid_request'),
    goesOn(challenge(43)),
    goesOn(challenge(128)),
  ],
  'authorize.challenge-optional-confidential': goesOn({}, 'confidential'),
  'authorize.challenge-required-public': refuses(NO_CHALLENGE, 'invalid_request'),
  async 'authorize.challenge-checked-before-redirect-uri'(session) {
    const answer = await oauth.authorizeBare(session, 'public', {
      ...NO_CHALLENGE,
      redirect_uri: UNREGISTERED,
    });
    expectNotRedirected(answer, 'invalid_request');
    const text = String(valueAt(answer, 'error_description') ?? '');
    expect.that(!/redirect/i.test(text), 'a description about the challenge, not the redirect URI', text);
  },
  'authorize.method-s256-only': [
    refuses({ code_challenge_method: 'plain' }, 'invalid_request'),
    refuses({ code_challenge_method: 'S512' }, 'invalid_request'),
  ],
  async 'authorize.unknown-scope'(session) {
    const { location, status } = await unknownScope(session);
    expect.that(status === 302, 'a redirect with status 302', status);
    expect.that(
      location.href.startsWith(oauth.clientOf(session, 'public').redirectUri),
      'a redirect to redirect_uri',
      location.href,
    );
    expect.equal(location.searchParams.get('error'), 'invalid_scope', 'error');
    expect.equal(location.searchParams.get('state'), 'a b&c', 'state');
  },
  'oauth-error.invalid-scope-redirect-only': check(unknownScope, ({ status }) =>
    expect.that(status < 400, 'a redirect, not an error response', status),
  ),
});

const WRITES = checksOf('write', {
  async 'authorize.scope-separators'(session) {
    for (const separator of [' ', ',']) {
      const scope = `memberships.read${separator}products.read`;
      const pair = await oauth.redeem(session, await oauth.authorize(session, { changes: { scope } }));
      const granted = requireText(pair, 'scope').split(' ').sort().join(' ');
      expect.equal(granted, 'memberships.read products.read', `scope after "${scope}"`);
    }
  },
  async 'authorize.scope-values'(session) {
    for (const scope of ['memberships.read', 'products.read']) {
      const { location } = await oauth.authorize(session, { changes: { scope } });
      expect.that(location.searchParams.has('code'), `a code for the scope ${scope}`, location.search);
    }
  },
  async 'authorize.state-echoed'(session) {
    const state = 'ünïcode & = + % "quotes"';
    const { location } = await oauth.authorize(session, { changes: { state } });
    expect.equal(location.searchParams.get('state'), state, 'state');
  },
  async 'authorize.method-assumed-s256'(session) {
    const changes = { code_challenge_method: undefined };
    const answer = await oauth.redeem(session, await oauth.authorize(session, { changes }));
    expect.accepted(answer, 'a redemption with the verifier of S256');
  },
  async 'authorize.success-redirect'(session) {
    const { authorization } = await redeemed(session, 'public');
    const { location, redirectUri } = authorization;
    expect.that(location.href.startsWith(redirectUri), `a redirect to ${redirectUri}`, location.href);
    expect.that(location.searchParams.has('code'), '`code` in the query', location.search);
    expect.that(location.searchParams.has('state'), '`state` in the query', location.search);
  },
  'authorize.declined': check(declined, ({ location, redirectUri }) => {
    expect.that(location.href.startsWith(redirectUri), `a redirect to ${redirectUri}`, location.href);
    expect.equal(location.searchParams.get('error'), 'access_denied', 'error');
    expect.equal(location.searchParams.get('state'), 'declined 1', 'state');
  }),
  async 'authorize.error-redirect-parameters'(session) {
    const found = [(await declined(session)).location, (await unknownScope(session)).location];
    for (const { searchParams } of found) {
      const names = [...searchParams.keys()].filter((name) => name !== 'error' && name !== 'state');
      expect.that(names.length === 0, 'only `error` and `state`', names.join(', '));
    }
  },
  'oauth-error.access-denied-redirect-only': check(declined, ({ location }) =>
    expect.that(location.searchParams.has('error'), 'a redirect with the error', location.search),
  ),
});

export const authorizeChecks = [...PROBES, ...READS, ...WRITES];
