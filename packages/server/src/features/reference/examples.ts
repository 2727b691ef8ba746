import {
  type EndpointName,
  formatTimestamp,
  PATHS,
  type WebhookEventType,
} from '@latchkey/contract/constants';

export interface Example {
  summary: string;
  value: unknown;
}

/** Examples by a short name that is unique within its list. */
export type Examples = Readonly<Record<string, Example>>;

export interface EndpointExamples {
  parameters?: Readonly<Record<string, string | number>>;
  body?: Examples;
  success?: Examples;
  failures: Readonly<Record<number, Examples>>;
}

/** Ids in the examples. A server with the same sample data accepts the copied requests. */
const COMMUNITY = '5eed0000-0000-4000-8000-0000000000c0';
const MONTHLY_PLAN = '5eed0000-0000-4000-8000-0000000000d1';
const DROP_SLOT = '5eed0000-0000-4000-8000-0000000000e1';
const ADA = '5eed0000-0000-4000-8000-00000000000a';
const ADA_MEMBERSHIP = '5eed0000-0000-4000-8000-0000000000a1';
const ADA_PRODUCT_MEMBERSHIP = '5eed0000-0000-4000-8000-0000000000a2';
const BREW_GUIDE = '5eed0000-0000-4000-8000-0000000000b1';
const PUBLIC_CLIENT = 'oac_a1b2c3d4e5f60718293a4b5c';
const CONFIDENTIAL_CLIENT = 'oac_c0ffee00c0ffee00c0ffee00';
const CLIENT_SECRET = `ocs_${'c0ffee00'.repeat(6)}`;
const REDIRECT_URI = 'http://localhost:4402/auth/callback';

const BUYER = '0190a3e4-7b1c-7d2e-8f3a-4b5c6d7e8f90';
const MEMBERSHIP = '0190a3e4-7b1c-7d2e-8f3a-4b5c6d7e8f91';
const PAYMENT = '0190a3e4-7b1c-7d2e-8f3a-4b5c6d7e8f92';
const EVENT = '0190a3e4-7b1c-7d2e-8f3a-4b5c6d7e8f93';
const TRACE_ID = '4bf92f3577b34da6a3ce929d0e0e4736';
const CODE = 'kEt0Rz7Lw3_9aXv2bQ8nYc5dHf1gJm4pSs6uTi-oWxE';
const VERIFIER = 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk';
const CHALLENGE = 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM';
const REFRESH_TOKEN = 'tGzv3JOkF0XG5Qx2TlKWIAxkD6nyJ0m2d3gQ8v1yR7c';

const NOW = formatTimestamp(Date.UTC(2026, 5, 12, 14, 5));
const TOMORROW = formatTimestamp(Date.UTC(2026, 5, 13, 14, 5));
const IN_A_WEEK = formatTimestamp(Date.UTC(2026, 5, 19, 14, 5));
const IN_A_MONTH = formatTimestamp(Date.UTC(2026, 6, 12, 14, 5));

const provisioned = {
  membershipId: MEMBERSHIP,
  userId: BUYER,
  validFrom: NOW,
  validUntil: IN_A_MONTH,
};

const dropSlot = {
  id: DROP_SLOT,
  slots: 100,
  slotsUsed: 41,
  availableSlots: 59,
  startsAt: IN_A_WEEK,
  endsAt: null,
  isCurrentlyActive: false,
  dropNotification: null,
};

export const EXAMPLES: Readonly<Record<EndpointName, EndpointExamples>> = {
  provisionExternal: {
    body: {
      order: example('A month of access for an order', {
        communityId: COMMUNITY,
        externalOrderId: 'order-1001',
        email: 'grace@example.com',
        validUntil: IN_A_MONTH,
      }),
      lifetime: example('Lifetime access, by both identifiers', {
        communityId: COMMUNITY,
        externalOrderId: 'order-1002',
        email: 'grace@example.com',
        messengerUserId: 1003,
        onOverlap: 'replace',
      }),
    },
    success: {
      created: example('No membership before', ok({ ...provisioned, status: 'created' })),
      repeat: example('The same order again', ok({ ...provisioned, status: 'idempotent_return' })),
      lifetime: example(
        'An active membership, now without an end',
        ok({ ...provisioned, validUntil: null, status: 'extended' }),
      ),
    },
    failures: {
      ...apiKeyFailures(PATHS.provisionExternal, 'externalOrderId must not be empty.'),
      404: { unknownCommunity: failed('not_found', 'There is no community with this id.') },
      409: {
        overlap: failed(
          'already_exists',
          'The buyer already has an active membership, and onOverlap is error.',
        ),
        subscription: failed('conflict', 'The membership is managed by a payment-provider subscription.'),
      },
    },
  },
  checkMessenger: {
    parameters: { communityId: COMMUNITY, messengerUserId: 1001 },
    success: {
      active: example('A member', ok({ isActive: true, membershipId: ADA_MEMBERSHIP })),
      inactive: example('No member, or no more', ok({ isActive: false, membershipId: null })),
    },
    failures: {
      ...apiKeyFailures('/membership/check-messenger/main/1001', 'communityId must be a UUID.'),
      404: { unknownCommunity: failed('not_found', 'There is no community with this id.') },
    },
  },
  buyPlan: {
    body: {
      checkout: example('A checkout for a buyer', {
        pricingPlanId: MONTHLY_PLAN,
        communityId: COMMUNITY,
        externalId: 'buyer-1001',
        email: 'grace@example.com',
        successUrl: 'https://shop.example/thanks',
        cancelUrl: 'https://shop.example/plans',
        utmSource: 'newsletter',
      }),
    },
    success: {
      session: example('A payment page', ok({ checkoutUrl: 'https://pay.example/c/Jm4pSs6uTi' })),
      unknownPlan: example('Failure inside the 201: unknown plan', ok({})),
      missingEmail: example('Failure inside the 201: no email', {
        success: false,
        message: 'email is required.',
      }),
    },
    failures: {
      ...apiKeyFailures(PATHS.buyPlan, 'successUrl must be an http or https URL.'),
      404: { unknownCommunity: failed('not_found', 'There is no community with this id.') },
      503: {
        noPayments: failed(
          'service_unavailable',
          'The service cannot take payments, because no payment provider is set up.',
        ),
      },
    },
  },
  inviteLink: {
    parameters: { externalId: 'buyer-1001' },
    success: {
      link: example(
        'A fresh link',
        ok({ link: `https://messenger.example/join/${CODE}`, expiresAt: TOMORROW }),
      ),
      noBot: example('Failure inside the 200: no messenger bot', {
        success: false,
        data: null,
        message: 'The messenger bot of this community is not set up.',
      }),
    },
    failures: {
      ...apiKeyFailures(
        '/membership/join-messenger-community-external/%00',
        'externalId must be text without NUL.',
      ),
      401: {
        key: rejected(401, '/membership/join-messenger-community-external/buyer-1001', 'The key is unknown.'),
        notAMember: failed('unauthorized', 'The buyer is not a member of the community.'),
      },
      404: {
        unknown: failed('not_found', 'There is no checkout with this externalId.'),
        unpaid: failed('not_found', 'The membership has not been processed yet.'),
      },
    },
  },
  dropSignup: {
    body: {
      signup: example('With a phone number', {
        communityId: COMMUNITY,
        email: 'grace@example.com',
        phoneNumber: '+44 20 7946 0018',
      }),
    },
    success: {
      signedUp: example(
        'Signed up',
        ok({ signedUp: true, hasExistingAccount: false, dropSlotInfo: dropSlot }),
      ),
      hasAccount: example(
        'No signup: the address has an account',
        ok({ signedUp: false, hasExistingAccount: true, dropSlotInfo: dropSlot }),
      ),
    },
    failures: {
      ...apiKeyFailures(PATHS.dropSignup, 'email must be an email address.'),
      404: { noDrop: failed('not_found', 'The community has no upcoming drop.') },
      409: {
        duplicate: failed('already_exists', 'The address is already signed up for this drop.'),
        full: failed('conflict', 'No slot of the drop is left.'),
      },
    },
  },
  authorize: {
    parameters: {
      client_id: CONFIDENTIAL_CLIENT,
      redirect_uri: REDIRECT_URI,
      scope: 'memberships.read products.read',
      state: 'af0ifjsldkj',
      code_challenge: CHALLENGE,
      code_challenge_method: 'S256',
    },
    failures: { 400: { malformed: oauthFailed('invalid_request', 'scope is missing.') } },
  },
  token: {
    body: {
      code: example('A confidential client redeems a code', {
        grant_type: 'authorization_code',
        client_id: CONFIDENTIAL_CLIENT,
        client_secret: CLIENT_SECRET,
        code: CODE,
        redirect_uri: REDIRECT_URI,
        code_verifier: VERIFIER,
      }),
      refresh: example('A public client refreshes', {
        grant_type: 'refresh_token',
        client_id: PUBLIC_CLIENT,
        refresh_token: REFRESH_TOKEN,
      }),
    },
    success: {
      pair: example('A token pair', {
        access_token: 'mF_9B5f4_1JqMv2cK8sD3wXzR6nT0yLhGpQbVtEaUiY',
        refresh_token: REFRESH_TOKEN,
        token_type: 'Bearer',
        expires_in: 3600,
        scope: 'memberships.read',
      }),
    },
    failures: {
      400: {
        request: oauthFailed('invalid_request', 'grant_type is missing.'),
        grant: oauthFailed('invalid_grant', 'The authorization code is invalid or expired.'),
      },
      401: { client: oauthFailed('invalid_client', 'The client is unknown, or its secret is wrong.') },
    },
  },
  revoke: {
    body: {
      refreshToken: example('A refresh token, and its access token with it', {
        client_id: CONFIDENTIAL_CLIENT,
        client_secret: CLIENT_SECRET,
        token: REFRESH_TOKEN,
        token_type_hint: 'refresh_token',
      }),
    },
    failures: {
      400: { malformed: oauthFailed('invalid_request', 'token is missing.') },
      401: { client: example('Bad or missing client credentials', { error: 'invalid_client' }) },
    },
  },
  clientIdentity: {
    parameters: { clientId: PUBLIC_CLIENT, widget_origin: 'http://localhost:4401' },
    success: {
      asked: example(
        'With widget_origin',
        ok({
          clientId: PUBLIC_CLIENT,
          name: 'Ember & Oak',
          description: 'Small-batch coffee, roasted on Tuesdays.',
          widgetOriginAllowed: true,
        }),
      ),
    },
    failures: { 404: { unknown: failed('not_found', 'There is no client with this id.') } },
  },
  userinfo: {
    success: { user: example('A user', { sub: ADA, email: 'ada@example.com' }) },
    failures: { 401: invalidToken() },
  },
  memberships: {
    success: {
      two: example('Access to a community for life, and to a product for a while', {
        memberships: [
          {
            id: ADA_MEMBERSHIP,
            productType: 'community',
            isActive: true,
            validFrom: NOW,
            validUntil: null,
          },
          {
            id: ADA_PRODUCT_MEMBERSHIP,
            productType: 'digital_product',
            isActive: true,
            validFrom: NOW,
            validUntil: IN_A_MONTH,
          },
        ],
      }),
      none: example('No access now', { memberships: [] }),
    },
    failures: {
      401: invalidToken(),
      403: { scope: oauthFailed('insufficient_scope', 'The memberships.read scope is required.') },
    },
  },
  products: {
    success: {
      one: example('A product', {
        products: [{ id: BREW_GUIDE, name: 'The Brew Guide', slug: 'the-brew-guide', type: 'ebook' }],
      }),
      none: example('Nothing', { products: [] }),
    },
    failures: {
      401: invalidToken(),
      403: { scope: oauthFailed('insufficient_scope', 'The products.read scope is required.') },
    },
  },
};

const holder = { sub: BUYER, email: 'grace@example.com' };
const membership = {
  id: MEMBERSHIP,
  productType: 'community',
  isActive: true,
  validFrom: NOW,
  validUntil: IN_A_MONTH,
};
const payment = {
  paymentId: PAYMENT,
  user: holder,
  communityId: COMMUNITY,
  pricingPlanId: MONTHLY_PLAN,
  amount: 900,
  currency: 'EUR',
  externalId: 'buyer-1001',
  utmSource: 'newsletter',
};
const membershipChange = {
  membership,
  user: holder,
  communityId: COMMUNITY,
  productId: null,
  pricingPlanId: MONTHLY_PLAN,
  externalOrderId: 'order-1001',
};

export const EVENT_EXAMPLES: Readonly<Record<WebhookEventType, Example>> = {
  'membership.created': event('membership.created', 'A provisioned membership', membershipChange),
  'membership.updated': event('membership.updated', 'A membership that is over', {
    ...membershipChange,
    membership: { ...membership, isActive: false },
  }),
  'payment.success': event('payment.success', 'A completed checkout', {
    ...payment,
    membershipId: MEMBERSHIP,
  }),
  'payment.failed': event('payment.failed', 'A declined card', {
    ...payment,
    reason: 'The card was declined.',
  }),
  'digital.product.purchase': event('digital.product.purchase', 'A bought guide', {
    product: { id: BREW_GUIDE, name: 'The Brew Guide', slug: 'the-brew-guide', type: 'ebook' },
    membership: { ...membership, productType: 'digital_product', validUntil: null },
    user: holder,
    amount: 1900,
    currency: 'EUR',
  }),
};

export const EXAMPLE_EVENT_ID = EVENT;

function ok(data: unknown) {
  return { success: true, data };
}

function example(summary: string, value: unknown): Example {
  return { summary, value };
}

function failed(errorCode: string, message: string): Example {
  return example(message, { success: false, errorCode, message, correlationKey: TRACE_ID });
}

function rejected(statusCode: number, path: string, message: string): Example {
  return example(message, { success: false, message, statusCode, timestamp: NOW, path });
}

function oauthFailed(error: string, description: string): Example {
  return example(description, { error, error_description: description });
}

function invalidToken(): Examples {
  return {
    token: oauthFailed('invalid_token', 'The access token is missing, unknown, expired or revoked.'),
  };
}

function apiKeyFailures(path: string, refusedField: string): Record<number, Examples> {
  return {
    400: { field: rejected(400, path, refusedField) },
    401: { key: rejected(401, path, 'The API key is missing, malformed, unknown or revoked.') },
    403: { permission: rejected(403, path, 'The API key lacks a permission, or its owner a role.') },
    500: { failure: failed('internal_server_error', 'The service failed to answer. Try again later.') },
  };
}

function event(type: WebhookEventType, summary: string, data: unknown): Example {
  return example(summary, { id: EVENT, type, createdAt: NOW, data });
}
