import { clientOf, getResource, newPair, refresh, revoke } from '../calls/oauth-calls.js';
import { inTurn, revokeUnknown, UNKNOWN_CLIENT, WRONG_SECRET } from '../calls/token-calls.js';
import { expectUnknownTokensRevoked } from '../generated/generated-oauth-requests.js';
import type { Answer } from '../session/answer.js';
import {
  expectAbsent,
  expectOAuthError,
  expectStatus,
  expectThat,
  requireSuccess,
} from '../session/assertions.js';
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

/** Revocations of a public client, without and with a secret. */
async function byPublicClient(session: Session): Promise<readonly Answer[]> {
  const { clientId } = clientOf(session, 'public');
  const secrets = [undefined, WRONG_SECRET];
  return await inTurn(secrets, (client_secret) =>
    revokeUnknown(session, { client_id: clientId, client_secret }),
  );
}

/** Revocations with bad or missing credentials of the client. */
async function withBadCredentials(session: Session): Promise<readonly Answer[]> {
  const changes = [
    { client_id: undefined },
    { client_id: UNKNOWN_CLIENT },
    { client_secret: undefined },
    { client_secret: WRONG_SECRET },
  ];
  const ofConfidential = await inTurn(changes, (change) => revokeUnknown(session, change));
  const { public: ofFixtures } = session.fixtures.clients;
  return ofFixtures === undefined ? ofConfidential : [...ofConfidential, ...(await byPublicClient(session))];
}

export const revokeChecks = checksOf('write', {
  async 'revoke.client-id-required'(session) {
    const answer = await revokeUnknown(session, { client_id: undefined });
    expectThat(answer.status >= 400, 'a refusal without client_id', answer.status);
  },
  async 'revoke.client-secret-required'(session) {
    const answer = await revokeUnknown(session, { client_secret: undefined });
    expectThat(answer.status >= 400, 'a refusal without client_secret', answer.status);
  },
  async 'revoke.public-never-succeeds'(session) {
    for (const answer of await byPublicClient(session)) {
      expectThat(answer.status >= 400, 'a refusal of a public client', answer.status);
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
      const answer = await revokeUnknown(session, { token_type_hint });
      expectThat(answer.status < 300, `success with the hint ${token_type_hint}`, answer.status);
    }
  },
  async 'revoke.invalid-client-no-description'(session) {
    for (const answer of await withBadCredentials(session)) {
      // Other rules are about a success.
      if (answer.status < 400) continue;
      expectOAuthError(answer, 401, 'invalid_client');
      expectAbsent(answer, 'error_description');
    }
  },
  async 'revoke.success-empty'(session) {
    const { answer } = await revokedAccess(session);
    requireSuccess(answer);
    expectStatus(answer, 200);
    expectThat(answer.text === '', 'an empty body', answer.text);
  },
  async 'revoke.unknown-token-succeeds'(session) {
    const answer = await revokeUnknown(session);
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
