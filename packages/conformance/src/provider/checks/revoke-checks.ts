import { clientOf, getResource, newPair, postForm, refresh, revoke } from '../calls/oauth-calls.js';
import { expectUnknownTokensRevoked } from '../generated/generated-oauth-requests.js';
import { hasKey, valueAt } from '../session/answer.js';
import { expectOAuthError, expectStatus, expectThat, requireSuccess } from '../session/assertions.js';
import { checksOf } from '../session/provider-check.js';
import type { Session } from '../session/session.js';

/** An access token of the confidential client, revoked, and used again. */
function revokedAccess(session: Session) {
  return session.once('revoked access token', async () => {
    const pair = await newPair(session, { kind: 'confidential' });
    const answer = await revoke(session, pair.access);
    return { answer, used: await getResource(session, session.paths.userinfo, pair.access) };
  });
}

/** A refresh token of the confidential client, revoked, and used again. */
function revokedRefresh(session: Session) {
  return session.once('revoked refresh token', async () => {
    const pair = await newPair(session, { kind: 'confidential' });
    const answer = await revoke(session, pair.refresh);
    return { answer, used: await refresh(session, pair) };
  });
}

function unknownToken(session: Session) {
  return session.once('revoke unknown token', () => revoke(session, 'unknown-token'));
}

function wrongSecret(session: Session) {
  return session.once('revoke wrong secret', () =>
    revoke(session, 'unknown-token', { client_secret: `ocs_${'f'.repeat(48)}` }),
  );
}

export const revokeChecks = checksOf('write', {
  async 'revoke.client-id-required'(session) {
    const answer = await revoke(session, 'unknown-token', { client_id: undefined });
    expectThat(answer.status >= 400, 'a refusal without client_id', answer.status);
  },
  async 'revoke.client-secret-required'(session) {
    const answer = await revoke(session, 'unknown-token', { client_secret: undefined });
    expectStatus(answer, 401);
  },
  async 'revoke.public-never-succeeds'(session) {
    const { clientId } = clientOf(session, 'public');
    for (const client_secret of [undefined, `ocs_${'0'.repeat(48)}`]) {
      const fields = { client_id: clientId, client_secret, token: 'unknown-token' };
      const answer = await postForm(session, session.paths.revoke, fields);
      expectThat(answer.status === 401, '401 for a public client', answer.status);
    }
  },
  async 'revoke.token-required'(session) {
    expectOAuthError(await revoke(session, undefined), 400, 'invalid_request');
  },
  async 'revoke.access-token'(session) {
    const { answer } = await revokedAccess(session);
    expectThat(answer.status < 300, 'success for an access token', answer.status);
  },
  async 'revoke.refresh-token'(session) {
    const { answer } = await revokedRefresh(session);
    expectThat(answer.status < 300, 'success for a refresh token', answer.status);
  },
  async 'revoke.token-type-hint'(session) {
    for (const token_type_hint of ['access_token', 'refresh_token']) {
      const answer = await revoke(session, 'unknown-token', { token_type_hint });
      expectThat(answer.status < 300, `success with the hint ${token_type_hint}`, answer.status);
    }
  },
  async 'revoke.invalid-client-no-description'(session) {
    const answer = await wrongSecret(session);
    expectOAuthError(answer, 401, 'invalid_client');
    expectThat(
      !hasKey(answer, 'error_description'),
      'no error_description',
      valueAt(answer, 'error_description'),
    );
  },
  async 'revoke.success-empty'(session) {
    const { answer } = await revokedAccess(session);
    requireSuccess(answer);
    expectStatus(answer, 200);
    expectThat(answer.text === '', 'an empty body', answer.text);
  },
  async 'revoke.unknown-token-succeeds'(session) {
    const answer = await unknownToken(session);
    expectThat(answer.status < 300, 'success for an unknown token', answer.status);
    await expectUnknownTokensRevoked(session);
  },
  async 'credentials.revoked-access-token-dies-at-once'(session) {
    const { answer, used } = await revokedAccess(session);
    requireSuccess(answer);
    expectThat(used.status === 401, 'no access with the revoked token', used.status);
  },
  async 'credentials.revoked-refresh-token'(session) {
    const { answer, used } = await revokedRefresh(session);
    requireSuccess(answer);
    expectThat(used.status >= 400, 'no refresh with the revoked token', used.status);
  },
  async 'oauth-error.invalid-grant-revoked'(session) {
    const { answer, used } = await revokedRefresh(session);
    requireSuccess(answer);
    if (used.status >= 400) expectOAuthError(used, 400, 'invalid_grant');
  },
  async 'oauth-error.invalid-token-revoked'(session) {
    const { answer, used } = await revokedAccess(session);
    requireSuccess(answer);
    if (used.status >= 400) expectOAuthError(used, 401, 'invalid_token');
  },
});
