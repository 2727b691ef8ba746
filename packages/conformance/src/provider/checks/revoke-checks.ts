import * as oauth from '../calls/oauth-calls.js';
import { expectUnknownTokensRevoked } from '../generated/generated-requests.js';
import { type Answer, requireSuccess } from '../session/answer.js';
import * as expect from '../session/expect.js';
import { check, checksOf, type Observe } from '../session/provider-check.js';
import type { Session } from '../session/session.js';

/** An access token of the confidential client, revoked, and used again. */
function revokedAccess(session: Session) {
  return session.once('revoked access token', async () => {
    const pair = await oauth.newPair(session, { kind: 'confidential' });
    const answer = await oauth.revoke(session, pair.access);
    return { answer, used: await oauth.getResource(session, session.paths.userinfo, pair.access) };
  });
}

/** A refresh token of the confidential client, revoked, and used again. */
function revokedRefresh(session: Session) {
  return session.once('revoked refresh token', async () => {
    const pair = await oauth.newPair(session, { kind: 'confidential' });
    const answer = await oauth.revoke(session, pair.refresh);
    return { answer, used: await oauth.refresh(session, pair) };
  });
}

/** Revocations of a public client, without and with a secret. */
async function byPublicClient(session: Session): Promise<readonly Answer[]> {
  const { clientId } = oauth.clientOf(session, 'public');
  const secrets = [undefined, oauth.WRONG_SECRET];
  return await oauth.inTurn(secrets, (client_secret) =>
    oauth.revokeUnknown(session, { client_id: clientId, client_secret }),
  );
}

/** Revocations with bad or missing credentials of the client. */
async function withBadCredentials(session: Session): Promise<readonly Answer[]> {
  const changes = [
    { client_id: undefined },
    { client_id: oauth.UNKNOWN_CLIENT },
    { client_secret: undefined },
    { client_secret: oauth.WRONG_SECRET },
  ];
  const ofConfidential = await oauth.inTurn(changes, (change) => oauth.revokeUnknown(session, change));
  const { public: ofFixtures } = session.fixtures.clients;
  return ofFixtures === undefined ? ofConfidential : [...ofConfidential, ...(await byPublicClient(session))];
}

/** The revocation of an unknown token with changes is refused. */
function refused(changes: oauth.Parameters, expected: string): Observe {
  return check(
    (session) => oauth.revokeUnknown(session, changes),
    (answer) => expect.refused(answer, expected),
  );
}

export const revokeChecks = checksOf('write', {
  'revoke.client-id-required': refused({ client_id: undefined }, 'a refusal without client_id'),
  'revoke.client-secret-required': refused({ client_secret: undefined }, 'a refusal without client_secret'),
  async 'revoke.public-never-succeeds'(session) {
    for (const answer of await byPublicClient(session)) {
      expect.refused(answer, 'a refusal of a public client');
    }
  },
  async 'revoke.token-required'(session) {
    expect.oauthError(await oauth.revoke(session, undefined), 400, 'invalid_request');
  },
  'revoke.access-token': check(revokedAccess, ({ answer }) =>
    expect.accepted(answer, 'success for an access token'),
  ),
  'revoke.refresh-token': check(revokedRefresh, ({ answer }) =>
    expect.accepted(answer, 'success for a refresh token'),
  ),
  async 'revoke.token-type-hint'(session) {
    for (const token_type_hint of ['access_token', 'refresh_token']) {
      const answer = await oauth.revokeUnknown(session, { token_type_hint });
      expect.accepted(answer, `success with the hint ${token_type_hint}`);
    }
  },
  async 'revoke.invalid-client-no-description'(session) {
    for (const answer of await withBadCredentials(session)) {
      // Other rules are about a success.
      if (answer.status < 400) continue;
      expect.oauthError(answer, 401, 'invalid_client');
      expect.absent(answer, 'error_description');
    }
  },
  async 'revoke.success-empty'(session) {
    const { answer } = await revokedAccess(session);
    requireSuccess(answer);
    expect.status(answer, 200);
    expect.that(answer.text === '', 'an empty body', answer.text);
  },
  async 'revoke.unknown-token-succeeds'(session) {
    const answer = await oauth.revokeUnknown(session);
    expect.accepted(answer, 'success for an unknown token');
    await expectUnknownTokensRevoked(session);
  },
  async 'credentials.revoked-access-token-dies-at-once'(session) {
    const { answer, used } = await revokedAccess(session);
    requireSuccess(answer);
    expect.that(used.status === 401, 'no access with the revoked token', used.status);
  },
  async 'credentials.revoked-refresh-token'(session) {
    const { answer, used } = await revokedRefresh(session);
    requireSuccess(answer);
    expect.refused(used, 'no refresh with the revoked token');
  },
  async 'oauth-error.invalid-grant-revoked'(session) {
    const { answer, used } = await revokedRefresh(session);
    requireSuccess(answer);
    if (used.status >= 400) expect.oauthError(used, 400, 'invalid_grant');
  },
  async 'oauth-error.invalid-token-revoked'(session) {
    const { answer, used } = await revokedAccess(session);
    requireSuccess(answer);
    if (used.status >= 400) expect.oauthError(used, 401, 'invalid_token');
  },
});
