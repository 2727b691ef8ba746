import { ENDPOINTS, type Endpoint } from '@latchkey/contract';
import type { EndpointName, WebhookEventType } from '@latchkey/contract/constants';

export const OVERVIEW = `Paid and granted access (memberships) to communities and digital products.

There are three ways to integrate. You can combine them:

- **API key**: your server calls the service for the communities that the key's owner administers.
- **Sign-in (OAuth 2.0)**: your site calls the service for a user who has given consent.
- **Webhooks**: the service calls your server.

Check the HTTP status first, then read the body. Failures have three shapes:

- A request that is rejected before its endpoint runs (invalid key or field, missing permission or role) has \`success\` false, \`message\`, \`statusCode\`, \`timestamp\` and \`path\`. It has no \`errorCode\` and no \`data\`.
- A failure that an endpoint returns is the envelope with \`success\` false, \`errorCode\` and \`message\`. It has \`correlationKey\` if the request had a trace id (\`traceparent\`).
- The OAuth endpoints return \`error\` and \`error_description\`. Only the client identity uses the envelope.

Some failures have a 2xx status. See the responses of buy-plan, the invite link and the drop signup.

New fields and values can appear at any time. Ignore fields you do not know, treat every key of the envelope as optional, and accept unknown values where a set is marked as growing. For a status that is not listed, use its class: 4xx means change the request, 5xx means retry with backoff. API-key requests have no rate limit. Do not retry 400, 401, 403, 404 and 409.`;

export const WEBHOOK_TEXTS: Readonly<Record<WebhookEventType, string>> = {
  'membership.created': webhookText('A membership of the community or product was created.'),
  'membership.updated': webhookText('A membership changed: it was extended, replaced, ended or has expired.'),
  'payment.success': webhookText('A checkout payment completed. This is the proof that a buyer has paid.'),
  'payment.failed': webhookText('A payment failed. `reason` contains the cause.'),
  'digital.product.purchase': webhookText('A digital product was bought.'),
};

export const TAGS = {
  Memberships: 'Grant and check access from your own funnel. Requires an API key.',
  Checkout: 'Open hosted payment pages for the plans of a community. Requires an API key.',
  Messenger: 'Invite buyers to the community’s chat. Requires an API key.',
  Drops: 'Sign users up for the next drop of a community. Requires an API key.',
  'Sign-in': 'OAuth 2.0: authorization code, with or without PKCE, and refresh tokens.',
  'Signed-in user': 'Data of a user who has allowed your client. Requires an access token.',
  Webhooks: 'Events that the service sends to your server.',
} as const;

export type Tag = keyof typeof TAGS;

/** Descriptions of an endpoint that its schemas don't contain. */
export const ENDPOINT_WORDS: Readonly<
  Record<
    EndpointName,
    {
      tag: Tag;
      summary: string;
      text: string;
      success: string;
      failures?: Readonly<Record<number, string>>;
    }
  >
> = {
  provisionExternal: {
    tag: 'Memberships',
    summary: 'Provision a membership',
    text: 'Grants access to a community from an external funnel: finds the user by e-mail address or messenger account, creates the user if there is none, and grants or changes the membership. Retrying with the same `externalOrderId` is safe while it is the buyer’s most recent order in the community.',
    success: 'The current membership, and the state in which it was found.',
    failures: {
      404: 'The community or the plan is unknown.',
      409: 'The buyer has an active membership and `onOverlap` is `error`, or a payment-provider subscription manages the membership.',
    },
  },
  checkMessenger: {
    tag: 'Memberships',
    summary: 'Check a messenger account',
    text: 'Reports if a messenger account has an active membership of a community now.',
    success: 'Reports if the account has an active membership.',
  },
  buyPlan: {
    tag: 'Checkout',
    summary: 'Open a checkout',
    text: 'Creates a hosted checkout session for a pricing plan. After validation and authorization, failures come with the status 201: a response without `data.checkoutUrl` is a failure. A visit to `successUrl` does not prove a payment. The event `payment.success` does.',
    success:
      'A checkout session if `data.checkoutUrl` is present. Without it, the call failed: the plan is unknown (`success` true, empty `data`), or `email` is missing (`success` false).',
    failures: {
      503: 'The service cannot take payments, because no payment provider is set up.',
    },
  },
  inviteLink: {
    tag: 'Messenger',
    summary: 'Create an invite link',
    text: 'Returns a new invite link to the community’s chat for a paid checkout that buy-plan opened. The link is valid for 24 hours and admits only the buyer’s own messenger account.',
    success: 'A new link, or `success` false with `data` null if the community has no messenger bot.',
    failures: {
      403: 'The key lacks `MEMBERSHIP_WRITE`.',
      401: 'The key was rejected (no `errorCode`), or the buyer has no active membership (`errorCode` `unauthorized`).',
      404: 'No checkout has this `externalId`, or its payment is not completed yet.',
    },
  },
  dropSignup: {
    tag: 'Drops',
    summary: 'Sign up for the next drop',
    text: 'Signs an e-mail address up for the community’s next drop: the drop with the earliest start among those that have not ended. You cannot choose a drop.',
    success:
      'A signup. If the address has an account, there is no signup: `signedUp` is false and `hasExistingAccount` is true.',
    failures: {
      404: 'The community is unknown, or has no upcoming drop.',
      409: 'The address is already signed up for this drop, or no slot is left.',
    },
  },
  authorize: {
    tag: 'Sign-in',
    summary: 'Send the user to sign in',
    text: 'For browsers: the user signs in, gives consent, and returns to `redirect_uri` with `code` and `state`. If the user or the service denies the request, they return with `error` and `state`. A request that cannot be trusted is never redirected and gets a 400.',
    success:
      'Redirects to the sign-in, and then to `redirect_uri` with `code` and `state`. If the request is denied, with `error` (`access_denied` or `invalid_scope`) and `state`.',
    failures: {
      400: 'A parameter is missing or malformed, or the client or redirect URI is unknown. Never redirected.',
    },
  },
  token: {
    tag: 'Sign-in',
    summary: 'Redeem a code or refresh token',
    text: 'Returns a pair of tokens for an authorization code or a refresh token. Send the credentials in the body (`client_secret_post`), as JSON or as a form. The `Authorization: Basic` header is ignored.',
    success: 'The new pair of tokens. The code or refresh token cannot be used again.',
    failures: {
      400: 'The request is malformed, or the code, refresh token or verifier is invalid.',
      401: 'Unknown client, wrong secret, confidential client without secret, or public client with one.',
    },
  },
  revoke: {
    tag: 'Sign-in',
    summary: 'Revoke a token',
    text: 'Revokes an access token, or a refresh token with its access token. Requires the secret of a confidential client. The response does not reveal if the token existed.',
    success: 'The token is revoked, if it existed. The body is empty.',
    failures: {
      401: 'Bad or missing client credentials. There is no `error_description`.',
    },
  },
  clientIdentity: {
    tag: 'Sign-in',
    summary: 'Read a client’s public identity',
    text: 'Returns the public data of a client. The login widget’s callback uses it to check if an origin may receive the client’s code.',
    success: 'The public data. Unset keys are left out.',
    failures: {
      404: 'No client has this id.',
    },
  },
  userinfo: {
    tag: 'Signed-in user',
    summary: 'Get the user',
    text: 'Returns the id and e-mail address of the access token’s user. Requires no scope.',
    success: 'The user.',
  },
  memberships: {
    tag: 'Signed-in user',
    summary: 'List the user’s memberships',
    text: 'Returns all active memberships of the user.',
    success: 'The active memberships.',
  },
  products: {
    tag: 'Signed-in user',
    summary: 'List the user’s products',
    text: 'Returns all products that the user sells. Purchases are not included.',
    success: 'The products.',
  },
};

export function failureText(name: EndpointName, status: number): string {
  const { auth }: Endpoint = ENDPOINTS[name];
  const own = ENDPOINT_WORDS[name].failures?.[status];
  const shared = auth.kind === 'api-key' ? API_KEY_FAILURES[status] : OAUTH_FAILURES[status];
  const text = own ?? shared;
  if (text === undefined) throw new Error(`There is no text for a ${status} of ${name}.`);
  return text;
}

const API_KEY_FAILURES: Readonly<Record<number, string>> = {
  400: 'A field is missing, malformed or disallowed.',
  401: 'The key is missing, malformed, unknown or revoked.',
  403: 'The key lacks a permission, or its owner is not OWNER or ADMIN of the community.',
  404: 'The community is unknown.',
  500: 'The service failed. Retry with backoff.',
};

const OAUTH_FAILURES: Readonly<Record<number, string>> = {
  400: 'A parameter is missing or malformed.',
  401: 'The access token is missing, expired, revoked or unknown.',
  403: 'The token is valid but lacks the scope.',
};

function webhookText(meaning: string): string {
  return `${meaning}

Every active webhook receives all five event types. Read the type from \`X-Svc-Event-Type\`. An event can be delivered more than once, so deduplicate on \`X-Svc-Event-Id\`. Before you parse the body, verify \`X-Svc-Signature\`: the HMAC-SHA256 of the raw bytes in lower-case hex. The key is the signing secret as a literal string of 64 characters.`;
}
