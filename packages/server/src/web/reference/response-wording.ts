import { ENDPOINTS, type Endpoint } from '@latchkey/contract';
import type { EndpointName, WebhookEventType } from '@latchkey/contract/constants';

/** Introduction to the API, before the endpoints. */
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

/** Descriptions of the webhook events. */
export const WEBHOOK_TEXTS: Readonly<Record<WebhookEventType, string>> = {
  'membership.created': webhookText('A membership of the community or product was created.'),
  'membership.updated': webhookText('A membership changed: it was extended, replaced, ended or has expired.'),
  'payment.success': webhookText('A checkout payment completed. This is the proof that a buyer has paid.'),
  'payment.failed': webhookText('A payment failed. `reason` contains the cause.'),
  'digital.product.purchase': webhookText('A digital product was bought.'),
};

/** Returns the description of an endpoint's success. */
export function successText(name: EndpointName): string {
  return SUCCESS_TEXTS[name];
}

/** Returns the description of a failure status of an endpoint. */
export function failureText(name: EndpointName, status: number): string {
  const { auth }: Endpoint = ENDPOINTS[name];
  const own = FAILURE_TEXTS[name]?.[status];
  const shared = auth.kind === 'api-key' ? API_KEY_FAILURES[status] : OAUTH_FAILURES[status];
  const text = own ?? shared;
  if (text === undefined) throw new Error(`There is no text for a ${status} of ${name}.`);
  return text;
}

const SUCCESS_TEXTS: Readonly<Record<EndpointName, string>> = {
  provisionExternal: 'The current membership, and the state in which it was found.',
  checkMessenger: 'Reports if the account has an active membership.',
  buyPlan:
    'A checkout session if `data.checkoutUrl` is present. Without it, the call failed: the plan is unknown (`success` true, empty `data`), or `email` is missing (`success` false).',
  inviteLink: 'A new link, or `success` false with `data` null if the community has no messenger bot.',
  dropSignup:
    'A signup. If the address has an account, there is no signup: `signedUp` is false and `hasExistingAccount` is true.',
  authorize:
    'Redirects to the sign-in, and then to `redirect_uri` with `code` and `state`. If the request is denied, with `error` (`access_denied` or `invalid_scope`) and `state`.',
  token: 'The new pair of tokens. The code or refresh token cannot be used again.',
  revoke: 'The token is revoked, if it existed. The body is empty.',
  clientIdentity: 'The public data. Unset keys are left out.',
  userinfo: 'The user.',
  memberships: 'The active memberships.',
  products: 'The products.',
};

const FAILURE_TEXTS: Readonly<Partial<Record<EndpointName, Readonly<Record<number, string>>>>> = {
  provisionExternal: {
    404: 'The community or the plan is unknown.',
    409: 'The buyer has an active membership and `onOverlap` is `error`, or a payment-provider subscription manages the membership.',
  },
  buyPlan: { 503: 'The service cannot take payments, because no payment provider is set up.' },
  inviteLink: {
    403: 'The key lacks `MEMBERSHIP_WRITE`.',
    401: 'The key was rejected (no `errorCode`), or the buyer has no active membership (`errorCode` `unauthorized`).',
    404: 'No checkout has this `externalId`, or its payment is not completed yet.',
  },
  dropSignup: {
    404: 'The community is unknown, or has no upcoming drop.',
    409: 'The address is already signed up for this drop, or no slot is left.',
  },
  authorize: {
    400: 'A parameter is missing or malformed, or the client or redirect URI is unknown. Never redirected.',
  },
  token: {
    400: 'The request is malformed, or the code, refresh token or verifier is invalid.',
    401: 'Unknown client, wrong secret, confidential client without secret, or public client with one.',
  },
  revoke: { 401: 'Bad or missing client credentials. There is no `error_description`.' },
  clientIdentity: { 404: 'No client has this id.' },
};

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
