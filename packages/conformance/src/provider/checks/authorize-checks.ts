import { type Authorization, authorize, authorizeBare, clientOf, redeem } from '../calls/oauth-calls.js';
import { redeemed } from '../calls/shared-observations.js';
import { expectValidAuthorizationsAccepted } from '../generated/generated-oauth-requests.js';
import { type Answer, valueAt } from '../session/answer.js';
import { expectEqual, expectThat, requireFixture, requireText } from '../session/assertions.js';
import { checksOf } from '../session/provider-check.js';
import type { Session } from '../session/session.js';

const UNREGISTERED = 'https://attacker.example/callback';
const LONG_STATE = 's'.repeat(1025);

/** A 400 in JSON that redirects nowhere. */
function expectNotRedirected(answer: Answer, error?: string): void {
  expectThat(answer.status === 400, 'status 400', answer.status);
  expectThat(answer.headers.location === undefined, 'no redirect', answer.headers.location);
  expectThat(answer.json !== undefined, 'a JSON body', answer.text.slice(0, 100));
  if (error !== undefined) expectEqual(valueAt(answer, 'error'), error, 'error');
}

/** A request that was not refused: it leads to the sign-in, or on to the consent. */
function expectAccepted(answer: Answer): void {
  expectThat(answer.status < 400, 'no refusal', `${answer.status} ${answer.text.slice(0, 100)}`);
  const location = answer.headers.location ?? '';
  expectThat(!location.includes('error='), 'no error in the redirect', location);
}

/** Redirect of a request with an unknown scope. Some services redirect only after the user has signed in. */
function unknownScope(session: Session): Promise<{ location: URL; status: number }> {
  return session.once('unknown scope', async () => {
    const { redirectUri } = clientOf(session, 'public');
    const answer = await authorizeBare(session, 'public', { scope: 'members.write', state: 'a b&c' });
    const location = answer.headers.location;
    if (location?.startsWith(redirectUri)) return { location: new URL(location), status: answer.status };
    if (answer.status === 400 || !session.isDestructive)
      return { location: new URL('about:blank'), status: answer.status };
    const { location: redirected } = await authorize(session, {
      changes: { scope: 'members.write', state: 'a b&c' },
    });
    return { location: redirected, status: 302 };
  });
}

function declined(session: Session): Promise<Authorization> {
  return session.once('declined', () => {
    const email = requireFixture(session.fixtures.users.newcomer, 'users.newcomer');
    return authorize(session, { email, decision: 'decline', changes: { state: 'declined 1' } });
  });
}

export const authorizeReadChecks = checksOf('read', {
  async 'authorize.user-authenticates'(session) {
    expectAccepted(await session.once('bare authorize', () => authorizeBare(session, 'public')));
    if (session.isDestructive) await expectValidAuthorizationsAccepted(session);
  },
  async 'authorize.response-type-ignored'(session) {
    expectAccepted(await authorizeBare(session, 'public', { response_type: 'token' }));
    expectAccepted(await authorizeBare(session, 'public', { response_type: undefined }));
  },
  async 'authorize.client-id-required'(session) {
    expectNotRedirected(await authorizeBare(session, 'public', { client_id: undefined }));
  },
  async 'authorize.redirect-uri-required'(session) {
    expectNotRedirected(await authorizeBare(session, 'public', { redirect_uri: undefined }));
  },
  async 'authorize.redirect-uri-exact'(session) {
    const { redirectUri } = clientOf(session, 'public');
    for (const similar of [`${redirectUri}/`, `${redirectUri}?x=1`, redirectUri.toUpperCase()]) {
      expectNotRedirected(await authorizeBare(session, 'public', { redirect_uri: similar }));
    }
  },
  async 'authorize.unregistered-redirect-uri'(session) {
    expectNotRedirected(await authorizeBare(session, 'public', { redirect_uri: UNREGISTERED }));
  },
  async 'authorize.unknown-client'(session) {
    expectNotRedirected(await authorizeBare(session, 'public', { client_id: `oac_${'0'.repeat(24)}` }));
  },
  async 'authorize.scope-required'(session) {
    expectNotRedirected(await authorizeBare(session, 'public', { scope: undefined }), 'invalid_request');
  },
  async 'authorize.state-optional'(session) {
    expectAccepted(await authorizeBare(session, 'public', { state: undefined }));
  },
  async 'authorize.state-max-length'(session) {
    expectNotRedirected(await authorizeBare(session, 'public', { state: LONG_STATE }), 'invalid_request');
    expectAccepted(await authorizeBare(session, 'public', { state: LONG_STATE.slice(1) }));
  },
  async 'authorize.challenge-length'(session) {
    for (const length of [42, 129]) {
      const code_challenge = 'c'.repeat(length);
      expectNotRedirected(await authorizeBare(session, 'public', { code_challenge }), 'invalid_request');
    }
    for (const length of [43, 128]) {
      expectAccepted(await authorizeBare(session, 'public', { code_challenge: 'c'.repeat(length) }));
    }
  },
  async 'authorize.challenge-optional-confidential'(session) {
    expectAccepted(await authorizeBare(session, 'confidential'));
  },
  async 'authorize.challenge-required-public'(session) {
    const changes = { code_challenge: undefined, code_challenge_method: undefined };
    expectNotRedirected(await authorizeBare(session, 'public', changes), 'invalid_request');
  },
  async 'authorize.challenge-checked-before-redirect-uri'(session) {
    const changes = {
      code_challenge: undefined,
      code_challenge_method: undefined,
      redirect_uri: UNREGISTERED,
    };
    const answer = await authorizeBare(session, 'public', changes);
    expectNotRedirected(answer, 'invalid_request');
    const text = String(valueAt(answer, 'error_description') ?? '');
    expectThat(!/redirect/i.test(text), 'a description about the challenge, not the redirect URI', text);
  },
  async 'authorize.method-s256-only'(session) {
    for (const code_challenge_method of ['plain', 'S512']) {
      expectNotRedirected(
        await authorizeBare(session, 'public', { code_challenge_method }),
        'invalid_request',
      );
    }
  },
  async 'authorize.unknown-scope'(session) {
    const { location, status } = await unknownScope(session);
    expectThat(status === 302, 'a redirect with status 302', status);
    expectThat(
      location.href.startsWith(clientOf(session, 'public').redirectUri),
      'a redirect to redirect_uri',
      location.href,
    );
    expectEqual(location.searchParams.get('error'), 'invalid_scope', 'error');
    expectEqual(location.searchParams.get('state'), 'a b&c', 'state');
  },
  async 'oauth-error.invalid-scope-redirect-only'(session) {
    const { status } = await unknownScope(session);
    expectThat(status < 400, 'a redirect, not an error response', status);
  },
});

export const authorizeWriteChecks = checksOf('write', {
  async 'authorize.scope-separators'(session) {
    for (const separator of [' ', ',']) {
      const scope = `memberships.read${separator}products.read`;
      const pair = await redeem(session, await authorize(session, { changes: { scope } }));
      const granted = requireText(pair, 'scope').split(' ').sort().join(' ');
      expectEqual(granted, 'memberships.read products.read', `scope after "${scope}"`);
    }
  },
  async 'authorize.scope-values'(session) {
    for (const scope of ['memberships.read', 'products.read']) {
      const { location } = await authorize(session, { changes: { scope } });
      expectThat(location.searchParams.has('code'), `a code for the scope ${scope}`, location.search);
    }
  },
  async 'authorize.state-echoed'(session) {
    const state = 'ünïcode & = + % "quotes"';
    const { location } = await authorize(session, { changes: { state } });
    expectEqual(location.searchParams.get('state'), state, 'state');
  },
  async 'authorize.method-assumed-s256'(session) {
    const changes = { code_challenge_method: undefined };
    const answer = await redeem(session, await authorize(session, { changes }));
    expectThat(answer.status < 300, 'a redemption with the verifier of S256', answer.status);
  },
  async 'authorize.success-redirect'(session) {
    const { authorization } = await redeemed(session, 'public');
    const { location, redirectUri } = authorization;
    expectThat(location.href.startsWith(redirectUri), `a redirect to ${redirectUri}`, location.href);
    expectThat(location.searchParams.has('code'), '`code` in the query', location.search);
    expectThat(location.searchParams.has('state'), '`state` in the query', location.search);
  },
  async 'authorize.declined'(session) {
    const { location, redirectUri } = await declined(session);
    expectThat(location.href.startsWith(redirectUri), `a redirect to ${redirectUri}`, location.href);
    expectEqual(location.searchParams.get('error'), 'access_denied', 'error');
    expectEqual(location.searchParams.get('state'), 'declined 1', 'state');
  },
  async 'authorize.error-redirect-parameters'(session) {
    const found = [(await declined(session)).location, (await unknownScope(session)).location];
    for (const { searchParams } of found) {
      const names = [...searchParams.keys()].filter((name) => name !== 'error' && name !== 'state');
      expectThat(names.length === 0, 'only `error` and `state`', names.join(', '));
    }
  },
  async 'oauth-error.access-denied-redirect-only'(session) {
    const { location } = await declined(session);
    expectThat(location.searchParams.has('error'), 'a redirect with the error', location.search);
  },
});
