import * as oauth from '../calls/oauth-calls.js';
import { expectUnknownTokensRevoked } from '../generated/generated-requests.js';
import { type Answer, requireSuccess } from '../session/answer.js';
import * as expect from '../session/expect.js';
import { checksOf, type Observe, once, type Session } from '../session/session.js';

/** Revokes a token of the confidential client, then uses it. */
const revoked = once(async (session, name: 'access' | 'refresh') => {
  const pair = await oauth.newPair(session, { kind: 'confidential' });
  const answer = await oauth.revoke(session, pair[name]);
  const used =
    name === 'access'
      ? await oauth.getResource(session, session.paths.userinfo, pair.access)
      : await oauth.refresh(session, pair);
  return { answer, used };
});

function accepted(name: 'access' | 'refresh'): Observe {
  return async (session) =>
    expect.accepted((await revoked(session, name)).answer, `success for the ${name} token`);
}

/** If using a revoked token is rejected, the response is an OAuth error. */
function usedAfter(name: 'access' | 'refresh', status: number, error: string): Observe {
  return async (session) => {
    const { answer, used } = await revoked(session, name);
    requireSuccess(answer);
    if (used.status >= 400) expect.oauthError(used, status, error);
  };
}

/** Sends revocations from a public client, without and with a secret. */
async function byPublicClient(session: Session): Promise<readonly Answer[]> {
  const { clientId: client_id } = oauth.clientOf(session, 'public');
  return [
    await oauth.revokeUnknown(session, { client_id, client_secret: undefined }),
    await oauth.revokeUnknown(session, { client_id, client_secret: oauth.WRONG_SECRET }),
  ];
}

async function withBadCredentials(session: Session): Promise<readonly Answer[]> {
  return [
    await oauth.revokeUnknown(session, { client_id: undefined }),
    await oauth.revokeUnknown(session, { client_id: oauth.UNKNOWN_CLIENT }),
    await oauth.revokeUnknown(session, { client_secret: undefined }),
    await oauth.revokeUnknown(session, { client_secret: oauth.WRONG_SECRET }),
    ...(session.fixtures.clients.public === undefined ? [] : await byPublicClient(session)),
  ];
}

function refused(changes: oauth.Parameters, expected: string): Observe {
  return async (session) => expect.refused(await oauth.revokeUnknown(session, changes), expected);
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
  'revoke.access-token': accepted('access'),
  'revoke.refresh-token': accepted('refresh'),
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
    const { answer } = await revoked(session, 'access');
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
    const { answer, used } = await revoked(session, 'access');
    requireSuccess(answer);
    expect.that(used.status === 401, 'no access with the revoked token', used.status);
  },
  async 'credentials.revoked-refresh-token'(session) {
    const { answer, used } = await revoked(session, 'refresh');
    requireSuccess(answer);
    expect.refused(used, 'no refresh with the revoked token');
  },
  'oauth-error.invalid-grant-revoked': usedAfter('refresh', 400, 'invalid_grant'),
  'oauth-error.invalid-token-revoked': usedAfter('access', 401, 'invalid_token'),
});
