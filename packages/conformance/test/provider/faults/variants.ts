import {
  at,
  BUY,
  CHECK,
  json,
  jsonOf,
  onJson,
  onReply,
  onRequestJson,
  PROVISION,
  type ProxiedRequest,
  type Reply,
  SIGNUP,
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
    name: 'ends in more than two years refused',
    keeps: ['api-key.envelope', 'general.timestamp-format', 'webhook.membership-updated'],
    handler: () => async (request, forward) => {
      const { validUntil } = jsonOf(request);
      const isFar = PROVISION(request) && Date.parse(String(validUntil)) > Date.now() + 2 * YEAR_MS;
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
    name: 'a messenger account below one at check-messenger',
    keeps: ['check-messenger.messenger-user-id'],
    handler: onReply(CHECK, (_reply, { path }) =>
      path.endsWith('/-1')
        ? json(200, { success: true, data: { isActive: false, membershipId: null } })
        : undefined,
    ),
  },
];
