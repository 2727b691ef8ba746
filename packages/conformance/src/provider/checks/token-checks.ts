import * as oauth from '../calls/oauth-calls.js';
import { memberPair, redeemed, refreshed, withoutToken } from '../calls/shared-observations.js';
import {
  expectInvalidAuthorizationsRejected,
  expectInvalidTokenRequestsRejected,
} from '../generated/generated-requests.js';
import { hasKey, requireSuccess, valueAt } from '../session/answer.js';
import * as expect from '../session/expect.js';
import { check, checksOf, field, type Observe, once, type Session } from '../session/session.js';

const redeemedTwice = once(async (session) => {
  const authorization = await oauth.authorize(session);
  requireSuccess(await oauth.redeem(session, authorization));
  return await oauth.redeem(session, authorization);
});

const wrongVerifier = once((session) =>
  oauth.redeemNewCode(session, { code_verifier: oauth.newVerifier().verifier }),
);

const replayed = once(async (session) => {
  const { before, answer } = await refreshed(session);
  const after = { access: String(valueAt(requireSuccess(answer), 'access_token')) };
  const replay = await oauth.refresh(session, before);
  const resource = await oauth.getResource(session, session.paths.userinfo, after.access);
  const next = await oauth.refresh(session, {
    kind: 'public',
    refresh: String(valueAt(answer, 'refresh_token')),
  });
  return { replay, resource, next };
});

function unknownGrant(session: Session) {
  return oauth.requestToken(session, { grant_type: 'client_credentials' });
}

const pairField = (name: string, rule: (found: unknown, name: string) => void): Observe =>
  field(async (session) => (await redeemed(session, 'public')).answer, [name], rule);

/** A token request, or redeeming a new code, with these changes gets 400 `invalid_request`. */
function invalid(changes: oauth.Parameters, send: typeof oauth.requestToken = oauth.requestToken): Observe {
  return async (session) => expect.oauthError(await send(session, changes), 400, 'invalid_request');
}

function expectBothScopes(scope: unknown): void {
  expect.text(scope, 'scope');
  expect.equal(String(scope).split(' ').sort().join(' '), 'memberships.read products.read', 'scope');
}

export const tokenChecks = checksOf('write', {
  async 'general.grants-supported'(session) {
    for (const grant_type of ['client_credentials', 'password', 'implicit']) {
      const answer = await oauth.requestToken(session, { grant_type });
      expect.refused(answer, `no grant ${grant_type}`);
    }
  },
  'token.pair-access-token': pairField('access_token', expect.text),
  'token.pair-refresh-token': pairField('refresh_token', expect.text),
  'token.pair-token-type': pairField('token_type', (found, name) => expect.equal(found, 'Bearer', name)),
  'token.pair-expires-in': pairField('expires_in', (found, name) => expect.equal(found, 3600, name)),
  'token.pair-scope': pairField('scope', expectBothScopes),
  'oauth-error.bare-body': check(unknownGrant, (answer) => {
    expect.text(valueAt(answer, 'error'), 'error');
    const keys = ['success', 'data', 'errorCode', 'statusCode'].filter((key) => hasKey(answer, key));
    expect.that(keys.length === 0, 'no envelope keys', keys.join(', '));
  }),
  async 'oauth-error.description'(session) {
    const answers = [
      await unknownGrant(session),
      await oauth.requestToken(session, {}),
      await oauth.requestToken(session, { client_secret: oauth.WRONG_SECRET }),
      await withoutToken(session, 'userinfo'),
    ];
    for (const answer of answers) {
      if (answer.status >= 400) expect.text(valueAt(answer, 'error_description'), 'error_description');
    }
  },
  async 'oauth-error.bare-json-endpoints'(session) {
    const { answer } = await redeemed(session, 'public');
    const pair = await memberPair(session);
    const { userinfo, memberships, products } = session.paths;
    const answers = [answer];
    for (const path of [userinfo, memberships, products])
      answers.push(await oauth.getResource(session, path, pair.access));
    for (const { json, text } of answers.map(requireSuccess)) {
      const isBare = typeof json === 'object' && json !== null && !('success' in json) && !('data' in json);
      expect.that(isBare, 'bare JSON without an envelope', json ?? text);
    }
  },
  'credentials.code-single-use': check(redeemedTwice, (answer) =>
    expect.refused(answer, 'no second redemption'),
  ),
  async 'oauth-error.invalid-grant-used'(session) {
    for (const answer of [await redeemedTwice(session), (await replayed(session)).replay]) {
      // Another rule is about a second success.
      if (answer.status >= 400) expect.oauthError(answer, 400, 'invalid_grant');
    }
  },
  async 'token.json-body'(session) {
    const authorization = await oauth.authorize(session);
    const answer = await oauth.postTokenJson(session, oauth.redemption(session, authorization));
    expect.accepted(answer, 'success with application/json');
  },
  async 'token.form-body'(session) {
    const { answer } = await redeemed(session, 'public');
    expect.accepted(answer, 'success with application/x-www-form-urlencoded');
  },
  'token.grant-type-required': invalid({ grant_type: undefined }),
  async 'token.grant-type-values'(session) {
    const answer = await unknownGrant(session);
    expect.status(answer, 400);
    for (const known of [(await redeemed(session, 'public')).answer, (await refreshed(session)).answer]) {
      expect.accepted(known, 'success of both known grants');
    }
  },
  'token.code-required': invalid({ code: undefined }),
  'token.redirect-uri-required': invalid({ redirect_uri: undefined }, oauth.redeemNewCode),
  async 'token.redirect-uri-same'(session) {
    const { redirectUri } = oauth.clientOf(session, 'public');
    const answer = await oauth.redeemNewCode(session, { redirect_uri: `${redirectUri}/other` });
    expect.refused(answer, 'a refusal of another redirect_uri');
  },
  async 'token.verifier-required'(session) {
    const answer = await oauth.redeemNewCode(session, { code_verifier: undefined });
    expect.refused(answer, 'a refusal without code_verifier');
  },
  async 'token.verifier-length'(session) {
    for (const verifierLength of [42, 129]) {
      // The challenge is the digest of this verifier, so only the length is wrong.
      const authorization = await oauth.authorize(session, { verifierLength });
      const answer = await oauth.redeem(session, authorization);
      expect.refused(answer, `a refusal of a verifier with ${verifierLength} characters`);
    }
    const longest = await oauth.redeem(session, await oauth.authorize(session, { verifierLength: 128 }));
    expect.accepted(longest, 'success with 128 characters');
  },
  'token.verifier-matches': check(wrongVerifier, (answer) =>
    expect.refused(answer, 'a refusal of another verifier'),
  ),
  'oauth-error.invalid-grant-verifier': check(wrongVerifier, (answer) => {
    if (answer.status >= 400) expect.oauthError(answer, 400, 'invalid_grant');
  }),
  'token.refresh-token-required': invalid({
    grant_type: 'refresh_token',
    code: undefined,
    redirect_uri: undefined,
  }),
  async 'token.success-created'(session) {
    for (const { answer } of [await redeemed(session, 'public'), await refreshed(session)]) {
      expect.status(requireSuccess(answer), 201);
    }
  },
  async 'token.code-grant'(session) {
    for (const kind of ['public', 'confidential'] as const) {
      const { answer } = await redeemed(session, kind);
      expect.that(
        answer.status < 300,
        `a token pair for the ${kind} client`,
        `${answer.status} ${answer.text}`,
      );
    }
  },
  'token.refresh-grant': check(refreshed, ({ answer }) =>
    expect.that(answer.status < 300, 'a new token pair', `${answer.status} ${answer.text}`),
  ),
  async 'token.error-status'(session) {
    const answers = [
      [400, await unknownGrant(session)],
      [400, await oauth.requestToken(session, {})],
      [401, await oauth.requestToken(session, { client_secret: oauth.WRONG_SECRET })],
    ] as const;
    for (const [status, answer] of answers) expect.status(answer, status);
    await expectInvalidTokenRequestsRejected(session);
  },
  async 'credentials.refresh-revokes-access-token'(session) {
    const { before, answer } = await refreshed(session);
    requireSuccess(answer);
    const old = await oauth.getResource(session, session.paths.userinfo, before.access);
    expect.that(old.status === 401, 'no access with the token before the refresh', old.status);
  },
  'credentials.refresh-rotates': check(refreshed, ({ before, answer }) => {
    const token = valueAt(requireSuccess(answer), 'refresh_token');
    expect.that(token !== before.refresh, 'another refresh token', 'the same');
  }),
  'credentials.refresh-replay-invalid-grant': check(replayed, ({ replay }) =>
    expect.oauthError(replay, 400, 'invalid_grant'),
  ),
  'credentials.refresh-replay-no-cascade': check(replayed, ({ resource, next }) => {
    expect.accepted(resource, 'access with the new token after the replay');
    expect.accepted(next, 'a refresh of the new pair after the replay');
  }),
  'oauth-error.invalid-request': [
    invalid({ code: undefined, grant_type: 'authorization_code' }),
    invalid({ grant_type: 'refresh_token' }),
    expectInvalidAuthorizationsRejected,
  ],
});
