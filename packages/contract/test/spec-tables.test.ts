import { ENDPOINTS } from '@latchkey/contract';
import { OAUTH_ERROR_CODES, PATHS } from '@latchkey/contract/constants';
import { describe, expect, it } from 'vitest';
import * as limits from '../src/shapes/limits.js';
import { ENVELOPE_ERROR_CODES } from '../src/shapes/values.js';
import { accepts } from './schema-checks.js';

describe('the limits', () => {
  it('equal those of the spec', {
    tags: [
      'credentials.code-lifetime',
      'credentials.access-token-lifetime',
      'credentials.refresh-token-lifetime',
      'authorize.state-max-length',
      'authorize.challenge-length',
      'token.verifier-length',
      'buy-plan.utm-source-max-length',
      'invite-link.lifetime',
      'webhook.answer-in-time',
      'provision.messenger-user-id-min',
      'webhook.secret-format',
    ],
  }, () => {
    expect(limits).toMatchObject({
      AUTHORIZATION_CODE_LIFETIME_SECONDS: 60,
      ACCESS_TOKEN_LIFETIME_SECONDS: 3600,
      REFRESH_TOKEN_LIFETIME_SECONDS: 2_592_000,
      STATE_MAX_LENGTH: 1024,
      PKCE_MIN_LENGTH: 43,
      PKCE_MAX_LENGTH: 128,
      UTM_SOURCE_MAX_LENGTH: 100,
      INVITE_LINK_LIFETIME_SECONDS: 86_400,
      WEBHOOK_RESPONSE_TIMEOUT_SECONDS: 10,
      WEBHOOK_SECRET_LENGTH: 64,
      MESSENGER_USER_ID_MIN: 1,
      REQUEST_BODY_MAX_BYTES: 100_000,
    });
  });
});

describe('the paths', () => {
  it('equal those of the spec', () => {
    expect(Object.values(PATHS)).toEqual([
      '/membership/provision-external',
      '/membership/join-messenger-community-external/{externalId}',
      '/membership/check-messenger/{communityId}/{messengerUserId}',
      '/api/checkout/buy-plan',
      '/api/drop-notification/signup',
      '/oauth/authorize',
      '/oauth/token',
      '/oauth/revoke',
      '/oauth/userinfo',
      '/oauth/memberships',
      '/oauth/products',
      '/oauth/client/{clientId}',
    ]);
  });
});

describe('the failures of an endpoint', () => {
  const { authorize, token, revoke, userinfo, memberships, products } = ENDPOINTS;
  it.for([
    ['authorize', authorize.failures[400], ['invalid_request']],
    ['token', token.failures[400], ['invalid_request', 'invalid_grant']],
    ['token', token.failures[401], ['invalid_client']],
    ['revoke', revoke.failures[400], ['invalid_request']],
    ['userinfo', userinfo.failures[401], ['invalid_token']],
    ['memberships', memberships.failures[401], ['invalid_token']],
    ['memberships', memberships.failures[403], ['insufficient_scope']],
    ['products', products.failures[401], ['invalid_token']],
    ['products', products.failures[403], ['insufficient_scope']],
  ] as const)('of %s have these values of error, and a description', ([, schemas, allowed]) => {
    const accepted = OAUTH_ERROR_CODES.filter((error) =>
      accepts(schemas.strict, { error, error_description: 'A text.' }),
    );
    expect(accepted.toSorted()).toEqual(allowed.toSorted());
    expect(accepts(schemas.strict, { error: allowed[0], error_description: '' })).toBe(false);
  });

  it.for([
    ['provision', ENDPOINTS.provisionExternal.failures[409]],
    ['drop signup', ENDPOINTS.dropSignup.failures[409]],
  ] as const)('of %s distinguish two kinds of conflict', ([, schemas]) => {
    const accepted = ENVELOPE_ERROR_CODES.filter((errorCode) =>
      accepts(schemas.strict, { success: false, errorCode, message: 'A text.' }),
    );
    expect(accepted).toEqual(['already_exists', 'conflict']);
    expect(accepts(schemas.strict, { success: true, errorCode: 'conflict', message: 'A text.' })).toBe(false);
    expect(accepts(schemas.strict, { success: false, errorCode: 'conflict', message: '' })).toBe(false);
  });
});

describe('failures inside a 2xx', () => {
  it('have success false and a message', () => {
    const noEmail = { success: false, message: 'email is missing.' };
    const noBot = { success: false, data: null, message: 'The bot is not set up.' };
    for (const [schemas, body] of [
      [ENDPOINTS.buyPlan.success.body, noEmail],
      [ENDPOINTS.inviteLink.success.body, noBot],
    ] as const) {
      expect(accepts(schemas.strict, body)).toBe(true);
      expect(accepts(schemas.strict, { ...body, correlationKey: '4bf92f3577b34da6a3ce929d0e0e4736' })).toBe(
        true,
      );
      expect(accepts(schemas.strict, { ...body, success: true })).toBe(false);
      expect(accepts(schemas.strict, { ...body, message: '' })).toBe(false);
      expect(accepts(schemas.strict, { ...body, errorCode: 'bad_request' })).toBe(false);
    }
  });
});
