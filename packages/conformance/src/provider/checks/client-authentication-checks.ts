import { authorize, clientOf, newPair, postTokenForm, redemption, refresh } from '../calls/oauth-calls.js';
import {
  redeemNewCode,
  requestToken,
  revokeUnknown,
  UNKNOWN_CLIENT,
  WRONG_SECRET,
} from '../calls/token-calls.js';
import type { Answer } from '../session/answer.js';
import { expectOAuthError, expectThat } from '../session/assertions.js';
import { checksOf } from '../session/provider-check.js';
import type { Session } from '../session/session.js';

/** A confidential client whose credentials are in a Basic header. */
function basicHeader(session: Session): Record<string, string> {
  const { clientId, clientSecret } = clientOf(session, 'confidential');
  return { authorization: `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString('base64')}` };
}

/** `invalid_client` at revoke. Rules of the endpoint are about a success. */
function expectInvalidClient(answer: Answer): void {
  if (answer.status >= 400) expectOAuthError(answer, 401, 'invalid_client');
}

export const clientAuthenticationChecks = checksOf('write', {
  async 'token.basic-header-not-read'(session) {
    const authorization = await authorize(session, { kind: 'confidential' });
    const fields = redemption(session, authorization);
    const wrong = { authorization: `Basic ${Buffer.from('wrong:wrong').toString('base64')}` };
    const answer = await postTokenForm(session, fields, wrong);
    expectThat(answer.status < 300, 'success, whatever the Basic header contains', answer.status);
  },
  async 'token.basic-client-invalid-request'(session) {
    const authorization = await authorize(session, { kind: 'confidential' });
    const fields = redemption(session, authorization, { client_id: undefined, client_secret: undefined });
    expectOAuthError(await postTokenForm(session, fields, basicHeader(session)), 400, 'invalid_request');
  },
  async 'token.basic-client-invalid-client'(session) {
    const authorization = await authorize(session, { kind: 'confidential' });
    const fields = redemption(session, authorization, { client_secret: undefined });
    expectOAuthError(await postTokenForm(session, fields, basicHeader(session)), 401, 'invalid_client');
  },
  async 'token.client-id-required'(session) {
    const answer = await requestToken(session, { client_id: undefined });
    expectOAuthError(answer, 400, 'invalid_request');
  },
  async 'token.client-secret-confidential'(session) {
    const answer = await requestToken(session, { client_secret: undefined });
    expectOAuthError(answer, 401, 'invalid_client');
  },
  async 'token.public-secret-refused'(session) {
    const answer = await redeemNewCode(session, { client_secret: `ocs_${'0'.repeat(48)}` });
    expectOAuthError(answer, 401, 'invalid_client');
  },
  async 'oauth-error.invalid-client-unknown'(session) {
    const changes = { client_id: UNKNOWN_CLIENT };
    expectOAuthError(await requestToken(session, changes), 401, 'invalid_client');
    expectOAuthError(await revokeUnknown(session, changes), 401, 'invalid_client');
  },
  async 'oauth-error.invalid-client-wrong-secret'(session) {
    const changes = { client_secret: WRONG_SECRET };
    expectOAuthError(await requestToken(session, changes), 401, 'invalid_client');
    expectOAuthError(await revokeUnknown(session, changes), 401, 'invalid_client');
  },
  async 'oauth-error.invalid-client-missing-secret'(session) {
    const { clientId } = clientOf(session, 'confidential');
    const fields = { grant_type: 'refresh_token', client_id: clientId, refresh_token: 'unknown-token' };
    expectOAuthError(await postTokenForm(session, fields), 401, 'invalid_client');
    expectInvalidClient(await revokeUnknown(session, { client_secret: undefined }));
  },
  async 'oauth-error.invalid-client-public-secret'(session) {
    const { refresh: token } = await newPair(session);
    const changes = { client_secret: WRONG_SECRET };
    expectOAuthError(
      await refresh(session, { kind: 'public', refresh: token }, changes),
      401,
      'invalid_client',
    );
    const { clientId } = clientOf(session, 'public');
    expectInvalidClient(await revokeUnknown(session, { client_id: clientId, ...changes }));
  },
});
