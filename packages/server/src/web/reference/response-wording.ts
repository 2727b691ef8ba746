import { ENDPOINTS, type Endpoint } from '@latchkey/contract';
import type { EndpointName, WebhookEventType } from '@latchkey/contract/constants';

/** What comes before the endpoints. */
export const OVERVIEW = `Paid and granted access (memberships) to communities and digital products.

Three ways to integrate, which can be combined:

- **API key**: your server calls the service for the communities that the key's owner administers.
- **Sign-in (OAuth 2.0)**: your site calls the service for a user who has consented.
- **Webhooks**: the service calls you.

Branch on the HTTP status first, then read the body. There are three shapes of failure:

- A request that is turned away before its endpoint runs (failed key, refused field, missing permission or role) has \`success\` false, \`message\`, \`statusCode\`, \`timestamp\` and \`path\`; no \`errorCode\`, no \`data\`.
- A failure that an endpoint returns is the envelope with \`success\` false, \`errorCode\` and \`message\`; \`correlationKey\` is there when the request carried a trace id (\`traceparent\`).
- The OAuth endpoints answer with \`error\` and \`error_description\`; only the client identity uses the envelope.

Some failures come inside a 2xx: buy-plan, the invite link and the drop signup say so at their answers.

Endpoints only grow: ignore fields you do not know, treat every key of the envelope as optional, and accept values beyond the known ones where a set is marked as growing. Statuses that are not listed count by their class: 4xx means change the request, 5xx means try again with backoff. API-key requests are not rate limited. Do not retry 400, 401, 403, 404 and 409.`;

/** What it means that an event arrives. */
export const WEBHOOK_TEXTS: Readonly<Record<WebhookEventType, string>> = {
  'membership.created': webhookText('A membership of the community or product was created.'),
  'membership.updated': webhookText('A membership changed: it was extended, replaced, ended or has lapsed.'),
  'payment.success': webhookText('A checkout payment completed. This is the proof that a buyer has paid.'),
  'payment.failed': webhookText('A payment failed; `reason` says why.'),
  'digital.product.purchase': webhookText('A digital product was bought.'),
};

/** What a success means. */
export function successText(name: EndpointName): string {
  return SUCCESS_TEXTS[name];
}

/** What a failing status means at an endpoint. */
export function failureText(name: EndpointName, status: number): string {
  const { auth }: Endpoint = ENDPOINTS[name];
  const own = FAILURE_TEXTS[name]?.[status];
  const shared = auth.kind === 'api-key' ? API_KEY_FAILURES[status] : OAUTH_FAILURES[status];
  const text = own ?? shared;
  if (text === undefined) throw new Error(`There are no words for a ${status} of ${name}.`);
  return text;
}

const SUCCESS_TEXTS: Readonly<Record<EndpointName, string>> = {
  provisionExternal: 'The membership as it is now, and what state it was found in.',
  checkMessenger: 'Whether the account holds an active membership.',
  buyPlan:
    'A checkout session when `data.checkoutUrl` is there. Without it the call failed: the plan is unknown (`success` true, empty `data`), or `email` is missing (`success` false).',
  inviteLink:
    'A fresh link; or `success` false with `data` null when the community has no messenger bot set up.',
  dropSignup:
    'A signup; or none, with `signedUp` false and `hasExistingAccount` true, when the address has an account.',
  authorize:
    'On to the service’s sign-in, and from there back to `redirect_uri` with `code` and `state`; with `error` (`access_denied` or `invalid_scope`) and `state` when refused.',
  token: 'The code or refresh token is spent; this is the new pair.',
  revoke: 'The token is good for nothing any more, whether or not it existed. The body is empty.',
  clientIdentity: 'The public identity. Unset keys are left out.',
  userinfo: 'The user.',
  memberships: 'The active memberships.',
  products: 'The products.',
};

const FAILURE_TEXTS: Readonly<Partial<Record<EndpointName, Readonly<Record<number, string>>>>> = {
  provisionExternal: {
    404: 'The community or the plan is unknown.',
    409: 'An active membership with `onOverlap` = `error`, or one that is managed by a payment-provider subscription.',
  },
  buyPlan: { 503: 'The service cannot take payments, because no payment provider is set up.' },
  inviteLink: {
    403: 'The key lacks `MEMBERSHIP_WRITE`.',
    401: 'The key was refused (no `errorCode`); or, with `errorCode` `unauthorized`, the buyer has no active membership.',
    404: 'No checkout has this `externalId`, or its payment is not completed yet.',
  },
  dropSignup: {
    404: 'The community is unknown, or has no upcoming drop.',
    409: 'The address is signed up for this drop already; or no slot is left.',
  },
  authorize: {
    400: 'A parameter is missing or malformed, or the client or redirect URI is unknown. Never redirected.',
  },
  token: {
    400: 'The request is malformed, or the code, refresh token or verifier is not good.',
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
  500: 'The service failed. Try again with backoff.',
};

const OAUTH_FAILURES: Readonly<Record<number, string>> = {
  400: 'A parameter is missing or malformed.',
  401: 'The access token is missing, expired, revoked or unknown.',
  403: 'The token is valid but lacks the scope.',
};

function webhookText(meaning: string): string {
  return `${meaning}

Every active webhook receives all five event types: switch on \`X-Svc-Event-Type\`. Deliveries can repeat: deduplicate on \`X-Svc-Event-Id\`. Before parsing the body, verify \`X-Svc-Signature\`: HMAC-SHA256 of the raw bytes in lower-case hex, keyed with the signing secret as a literal string of 64 characters.`;
}
