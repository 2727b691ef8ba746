import { ENDPOINTS } from '@latchkey/contract';
import { OAUTH_ERROR_CODES, PATHS } from '@latchkey/contract/constants';
import { describe, expect, it } from 'vitest';
import { ENVELOPE_ERROR_CODES } from '../src/shapes/error-code.js';
import * as limits from '../src/shapes/limits.js';
import { accepts } from './schema-checks.js';

describe('the limits', () => {
  it('are the numbers of the spec [credentials.code-lifetime] [credentials.access-token-lifetime] [credentials.refresh-token-lifetime] [authorize.state-max-length] [authorize.challenge-length] [token.verifier-length] [buy-plan.utm-source-max-length] [invite-link.lifetime] [webhook.answer-in-time] [provision.messenger-user-id-min] [webhook.secret-format]', () => {
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
  it('are those of the spec', () => {
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

describe('the failures that an endpoint names', () => {
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
  ] as const)('of %s carry these values of error, and words', ([, views, allowed]) => {
    const taken = OAUTH_ERROR_CODES.filter((error) =>
      accepts(views.strict, { error, error_description: 'Words.' }),
    );
    expect(taken.toSorted()).toEqual(allowed.toSorted());
    expect(accepts(views.strict, { error: allowed[0], error_description: '' })).toBe(false);
  });

  it.for([
    ['provision', ENDPOINTS.provisionExternal.failures[409]],
    ['drop signup', ENDPOINTS.dropSignup.failures[409]],
  ] as const)('of %s tell two kinds of conflict', ([, views]) => {
    const taken = ENVELOPE_ERROR_CODES.filter((errorCode) =>
      accepts(views.strict, { success: false, errorCode, message: 'Words.' }),
    );
    expect(taken).toEqual(['already_exists', 'conflict']);
    expect(accepts(views.strict, { success: true, errorCode: 'conflict', message: 'Words.' })).toBe(false);
    expect(accepts(views.strict, { success: false, errorCode: 'conflict', message: '' })).toBe(false);
  });
});

describe('failures inside a 2xx', () => {
  it('have success false and words', () => {
    const noEmail = { success: false, message: 'email is missing.' };
    const noBot = { success: false, data: null, message: 'The bot is not set up.' };
    for (const [views, body] of [
      [ENDPOINTS.buyPlan.success.body, noEmail],
      [ENDPOINTS.inviteLink.success.body, noBot],
    ] as const) {
      expect(accepts(views.strict, body)).toBe(true);
      expect(accepts(views.strict, { ...body, correlationKey: '4bf92f3577b34da6a3ce929d0e0e4736' })).toBe(
        true,
      );
      expect(accepts(views.strict, { ...body, success: true })).toBe(false);
      expect(accepts(views.strict, { ...body, message: '' })).toBe(false);
      expect(accepts(views.strict, { ...body, errorCode: 'bad_request' })).toBe(false);
    }
  });
});
