import {
  AUTHORIZE,
  at,
  BUY,
  CHECK,
  json,
  jsonOf,
  MEMBERSHIPS,
  onJson,
  onList,
  onQuery,
  onReply,
  onRequestJson,
  PRODUCTS,
  PROVISION,
  type ProxiedRequest,
  type Reply,
  SIGNUP,
  unchanged,
  type Variant,
} from './fault.js';

const YEAR_MS = 365 * 24 * 3_600_000;

function rejection(statusCode: number, { path }: ProxiedRequest): Reply {
  const timestamp = new Date().toISOString();
  return json(statusCode, { success: false, message: 'invalid', statusCode, timestamp, path });
}

/** Services that differ from ours in what the specification leaves open. */
export const VARIANTS: readonly Variant[] = [
  {
    name: 'values of errorCode that the set does not contain yet',
    keeps: ['envelope.error-code-known-values', 'envelope.endpoint-failure', 'provision.overlap-error'],
    handler: onJson(
      (request) => at('/unknown-')(request) || PROVISION(request),
      (body, { status }) => {
        if (status === 404) body.errorCode = 'no_such_reservation';
        if (status === 409) body.errorCode = 'membership_frozen';
      },
    ),
  },
  {
    name: 'ends in more than five years refused',
    keeps: ['api-key.envelope', 'general.timestamp-format', 'webhook.membership-updated'],
    handler: () => async (request, forward) => {
      const { validUntil } = jsonOf(request);
      const isFar = PROVISION(request) && Date.parse(String(validUntil)) > Date.now() + 5 * YEAR_MS;
      return isFar ? rejection(400, request) : await forward(request);
    },
  },
  {
    name: 'null accepted for an optional field',
    keeps: ['api-key.status-validation', 'provision.valid-until-omitted'],
    handler: onRequestJson(
      (request) => PROVISION(request) || BUY(request) || SIGNUP(request),
      (body) => {
        for (const [field, value] of Object.entries(body)) if (value === null) delete body[field];
      },
    ),
  },
  {
    name: 'new fields beside the lists',
    keeps: ['memberships.not-paginated', 'products.not-paginated'],
    handler: onList(
      (request) => MEMBERSHIPS(request) || PRODUCTS(request),
      (body) => {
        body.total = Object.values(body).flat().length;
        body.lastUpdatedAt = new Date().toISOString();
      },
    ),
  },
  {
    name: 'an unregistered scope refused after the sign-in',
    keeps: [
      'credentials.registered-scopes',
      'authorize.unknown-scope',
      'authorize.error-redirect-parameters',
    ],
    handler: onReply(AUTHORIZE, (reply, { headers }) => {
      const isSignedIn = headers.cookie !== undefined && headers.cookie !== '';
      const isRefused = String(reply.headers.location).includes('error=invalid_scope');
      return isRefused && !isSignedIn
        ? { ...reply, headers: { ...reply.headers, location: '/sign-in' } }
        : undefined;
    }),
  },
  {
    name: 'ids and secrets of clients in upper case',
    keeps: ['credentials.client-id-format', 'credentials.client-secret-format'],
    handler: onQuery(AUTHORIZE, (query) => {
      query.set('client_id', query.get('client_id')?.toLowerCase() ?? '');
    }),
    driven: (answer) =>
      Object.fromEntries(
        Object.entries(answer).map(([name, value]) =>
          ['clientId', 'clientSecret'].includes(name)
            ? [name, String(value).replace(/[0-9a-f]+$/, (hex) => hex.toUpperCase())]
            : [name, value],
        ),
      ),
  },
  {
    name: 'no event but payment.success',
    keeps: [
      'webhook.payment-success',
      'webhook.signature-header',
      'webhook.signature-raw-body',
      'webhook.event-type-header',
      'webhook.event-id-header',
    ],
    hides: [
      'webhook.membership-created',
      'webhook.membership-updated',
      'webhook.payment-failed',
      'webhook.digital-product-purchase',
      'webhook.all-types-delivered',
    ],
    handler: unchanged,
    delivery: (delivery) =>
      delivery.headers['x-svc-event-type'] === 'payment.success' ? delivery : undefined,
  },
  {
    name: 'a messenger account below one at check-messenger',
    keeps: ['check-messenger.messenger-user-id'],
    handler: onReply(CHECK, (_reply, { path }) =>
      path.endsWith('/-1')
        ? json(200, { success: true, data: { isActive: false, membershipId: null } })
        : undefined,
    ),
  },
];
