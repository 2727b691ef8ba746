import {
  authorize,
  clientOf,
  getResource,
  newVerifier,
  postJson,
  redeem,
  redemption,
  refresh,
} from '../calls/oauth-calls.js';
import { memberPair, redeemed, refreshed, withoutToken } from '../calls/shared-observations.js';
import { redeemNewCode, requestToken, WRONG_SECRET } from '../calls/token-calls.js';
import {
  expectInvalidAuthorizationsRejected,
  expectInvalidTokenRequestsRejected,
} from '../generated/generated-oauth-requests.js';
import { hasKey, valueAt } from '../session/answer.js';
import {
  expectEqual,
  expectOAuthError,
  expectStatus,
  expectText,
  expectThat,
  requireSuccess,
} from '../session/assertions.js';
import { checksOf } from '../session/provider-check.js';
import type { Session } from '../session/session.js';

function redeemedTwice(session: Session) {
  return session.once('redeemed twice', async () => {
    const authorization = await authorize(session);
    requireSuccess(await redeem(session, authorization));
    return await redeem(session, authorization);
  });
}

function wrongVerifier(session: Session) {
  return session.once('wrong verifier', () =>
    redeemNewCode(session, { code_verifier: newVerifier().verifier }),
  );
}

function replayed(session: Session) {
  return session.once('replayed refresh token', async () => {
    const { before, answer } = await refreshed(session);
    const after = { access: String(valueAt(requireSuccess(answer), 'access_token')) };
    const replay = await refresh(session, before);
    const resource = await getResource(session, session.paths.userinfo, after.access);
    const next = await refresh(session, {
      kind: 'public',
      refresh: String(valueAt(answer, 'refresh_token')),
    });
    return { replay, resource, next };
  });
}

function unknownGrant(session: Session) {
  return requestToken(session, { grant_type: 'client_credentials' });
}

export const tokenChecks = checksOf('write', {
  async 'general.grants-supported'(session) {
    for (const grant_type of ['client_credentials', 'password', 'implicit']) {
      const answer = await requestToken(session, { grant_type });
      expectThat(answer.status >= 400, `no grant ${grant_type}`, answer.status);
    }
  },
  async 'token.pair-access-token'(session) {
    const { answer } = await redeemed(session, 'public');
    expectText(valueAt(requireSuccess(answer), 'access_token'), 'access_token');
  },
  async 'token.pair-refresh-token'(session) {
    const { answer } = await redeemed(session, 'public');
    expectText(valueAt(requireSuccess(answer), 'refresh_token'), 'refresh_token');
  },
  async 'token.pair-token-type'(session) {
    const { answer } = await redeemed(session, 'public');
    expectEqual(valueAt(requireSuccess(answer), 'token_type'), 'Bearer', 'token_type');
  },
  async 'token.pair-expires-in'(session) {
    const { answer } = await redeemed(session, 'public');
    expectEqual(valueAt(requireSuccess(answer), 'expires_in'), 3600, 'expires_in');
  },
  async 'token.pair-scope'(session) {
    const { answer } = await redeemed(session, 'public');
    const scope = valueAt(requireSuccess(answer), 'scope');
    expectText(scope, 'scope');
    const granted = String(scope).split(' ').sort().join(' ');
    expectEqual(granted, 'memberships.read products.read', 'scope');
  },
  async 'oauth-error.bare-body'(session) {
    const answer = await unknownGrant(session);
    expectText(valueAt(answer, 'error'), 'error');
    const keys = ['success', 'data', 'errorCode', 'statusCode'].filter((key) => hasKey(answer, key));
    expectThat(keys.length === 0, 'no envelope keys', keys.join(', '));
  },
  async 'oauth-error.description'(session) {
    const answers = [
      await unknownGrant(session),
      await requestToken(session, {}),
      await requestToken(session, { client_secret: WRONG_SECRET }),
      await withoutToken(session, 'userinfo'),
    ];
    for (const answer of answers) {
      if (answer.status >= 400) expectText(valueAt(answer, 'error_description'), 'error_description');
    }
  },
  async 'oauth-error.bare-json-endpoints'(session) {
    const { answer } = await redeemed(session, 'public');
    const pair = await memberPair(session);
    const { userinfo, memberships, products } = session.paths;
    const answers = [answer];
    for (const path of [userinfo, memberships, products])
      answers.push(await getResource(session, path, pair.access));
    for (const { json, text } of answers.map(requireSuccess)) {
      const isBare = typeof json === 'object' && json !== null && !('success' in json) && !('data' in json);
      expectThat(isBare, 'bare JSON without an envelope', json ?? text);
    }
  },
  async 'credentials.code-single-use'(session) {
    const answer = await redeemedTwice(session);
    expectThat(answer.status >= 400, 'no second redemption', answer.status);
  },
  async 'oauth-error.invalid-grant-used'(session) {
    for (const answer of [await redeemedTwice(session), (await replayed(session)).replay]) {
      // Another rule is about a second success.
      if (answer.status >= 400) expectOAuthError(answer, 400, 'invalid_grant');
    }
  },
  async 'token.json-body'(session) {
    const authorization = await authorize(session);
    const answer = await postJson(session, session.paths.token, redemption(session, authorization));
    expectThat(answer.status < 300, 'success with application/json', answer.status);
  },
  async 'token.form-body'(session) {
    const { answer } = await redeemed(session, 'public');
    expectThat(answer.status < 300, 'success with application/x-www-form-urlencoded', answer.status);
  },
  async 'token.grant-type-required'(session) {
    expectOAuthError(await requestToken(session, { grant_type: undefined }), 400, 'invalid_request');
  },
  async 'token.grant-type-values'(session) {
    const answer = await unknownGrant(session);
    expectStatus(answer, 400);
    for (const known of [(await redeemed(session, 'public')).answer, (await refreshed(session)).answer]) {
      expectThat(known.status < 300, 'success of both known grants', known.status);
    }
  },
  async 'token.code-required'(session) {
    expectOAuthError(await requestToken(session, { code: undefined }), 400, 'invalid_request');
  },
  async 'token.redirect-uri-required'(session) {
    expectOAuthError(await redeemNewCode(session, { redirect_uri: undefined }), 400, 'invalid_request');
  },
  async 'token.redirect-uri-same'(session) {
    const { redirectUri } = clientOf(session, 'public');
    const answer = await redeemNewCode(session, { redirect_uri: `${redirectUri}/other` });
    expectThat(answer.status >= 400, 'a refusal of another redirect_uri', answer.status);
  },
  async 'token.verifier-required'(session) {
    const answer = await redeemNewCode(session, { code_verifier: undefined });
    expectThat(answer.status >= 400, 'a refusal without code_verifier', answer.status);
  },
  async 'token.verifier-length'(session) {
    for (const verifierLength of [42, 129]) {
      // The challenge is the digest of this verifier, so only the length is wrong.
      const authorization = await authorize(session, { verifierLength });
      const answer = await redeem(session, authorization);
      expectThat(
        answer.status >= 400,
        `a refusal of a verifier with ${verifierLength} characters`,
        answer.status,
      );
    }
    const longest = await redeem(session, await authorize(session, { verifierLength: 128 }));
    expectThat(longest.status < 300, 'success with 128 characters', longest.status);
  },
  async 'token.verifier-matches'(session) {
    expectThat((await wrongVerifier(session)).status >= 400, 'a refusal of another verifier', 'success');
  },
  async 'oauth-error.invalid-grant-verifier'(session) {
    const answer = await wrongVerifier(session);
    if (answer.status >= 400) expectOAuthError(answer, 400, 'invalid_grant');
  },
  async 'token.refresh-token-required'(session) {
    const changes = { grant_type: 'refresh_token', code: undefined, redirect_uri: undefined };
    expectOAuthError(await requestToken(session, changes), 400, 'invalid_request');
  },
  async 'token.success-created'(session) {
    for (const { answer } of [await redeemed(session, 'public'), await refreshed(session)]) {
      expectStatus(requireSuccess(answer), 201);
    }
  },
  async 'token.code-grant'(session) {
    for (const kind of ['public', 'confidential'] as const) {
      const { answer } = await redeemed(session, kind);
      expectThat(
        answer.status < 300,
        `a token pair for the ${kind} client`,
        `${answer.status} ${answer.text}`,
      );
    }
  },
  async 'token.refresh-grant'(session) {
    const { answer } = await refreshed(session);
    expectThat(answer.status < 300, 'a new token pair', `${answer.status} ${answer.text}`);
  },
  async 'token.error-status'(session) {
    const answers = [
      [400, await unknownGrant(session)],
      [400, await requestToken(session, {})],
      [401, await requestToken(session, { client_secret: WRONG_SECRET })],
    ] as const;
    for (const [status, answer] of answers) expectStatus(answer, status);
    await expectInvalidTokenRequestsRejected(session);
  },
  async 'credentials.refresh-revokes-access-token'(session) {
    const { before, answer } = await refreshed(session);
    requireSuccess(answer);
    const old = await getResource(session, session.paths.userinfo, before.access);
    expectThat(old.status === 401, 'no access with the token before the refresh', old.status);
  },
  async 'credentials.refresh-rotates'(session) {
    const { before, answer } = await refreshed(session);
    const token = valueAt(requireSuccess(answer), 'refresh_token');
    expectThat(token !== before.refresh, 'another refresh token', 'the same');
  },
  async 'credentials.refresh-replay-invalid-grant'(session) {
    expectOAuthError((await replayed(session)).replay, 400, 'invalid_grant');
  },
  async 'credentials.refresh-replay-no-cascade'(session) {
    const { resource, next } = await replayed(session);
    expectThat(resource.status < 300, 'access with the new token after the replay', resource.status);
    expectThat(next.status < 300, 'a refresh of the new pair after the replay', next.status);
  },
  async 'oauth-error.invalid-request'(session) {
    const answers = [
      await requestToken(session, { code: undefined, grant_type: 'authorization_code' }),
      await requestToken(session, { grant_type: 'refresh_token' }),
    ];
    for (const answer of answers) expectOAuthError(answer, 400, 'invalid_request');
    await expectInvalidAuthorizationsRejected(session);
  },
});
