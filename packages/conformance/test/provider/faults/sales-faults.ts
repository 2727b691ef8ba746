import {
  BUY,
  CHECK,
  dataOf,
  type Fault,
  type Forward,
  INVITE,
  isSuccess,
  json,
  jsonOf,
  onJson,
  onReply,
  onRequestJson,
  PROVISION,
  type ProxiedRequest,
  type Reply,
  SIGNUP,
  type Where,
} from './fault.js';
import { followsStarts } from './stateful-handlers.js';

const DAY_MS = 24 * 3_600_000;

type Data = Record<string, unknown>;

const onProvisioned = (change: (data: Data, asked: Data) => void) =>
  onJson(PROVISION, (body, reply, request) => {
    if (isSuccess(reply)) change(dataOf(body), jsonOf(request));
  });

const onSlot = (change: (slot: Data) => void) =>
  onJson(SIGNUP, (body, reply) => {
    if (isSuccess(reply)) change((dataOf(body).dropSlotInfo ?? {}) as Data);
  });

/** Accepts an invalid field: it is removed before the service sees it. */
const accepts = (field: string, isInvalid: (value: unknown) => boolean, replacement?: unknown) =>
  onRequestJson(PROVISION, (body) => {
    if (!(field in body) ? !isInvalid(undefined) : !isInvalid(body[field])) return;
    if (replacement === undefined) delete body[field];
    else body[field] = replacement;
  });

/** Answers an order that was seen before as a repeat. `keyOf` decides which orders are the same. */
function remembersOrders(keyOf: (body: Data) => string) {
  return () => {
    const known = new Map<string, Reply>();
    return async (request: ProxiedRequest, forward: Forward) => {
      if (!PROVISION(request)) return await forward(request);
      const key = keyOf(jsonOf(request));
      const earlier = known.get(key);
      if (earlier !== undefined) {
        const body = jsonOf(earlier);
        dataOf(body).status = 'idempotent_return';
        return json(200, body);
      }
      const reply = await forward(request);
      if (isSuccess(reply)) known.set(key, reply);
      return reply;
    };
  };
}

/** Changes the `data` about a buyer whose provisioning with onOverlap=error was refused. */
function afterOverlapErrors(where: Where, change: (data: Data) => void) {
  return () => {
    const refused = new Set<string>();
    return async (request: ProxiedRequest, forward: Forward) => {
      const { onOverlap, messengerUserId } = jsonOf(request);
      const account = String(messengerUserId ?? request.path.split('/').at(-1));
      const reply = await forward(request);
      if (PROVISION(request) && onOverlap === 'error' && reply.status === 409) refused.add(account);
      if (!where(request) || !refused.has(account) || !isSuccess(reply)) return reply;
      const body = jsonOf(reply);
      change(dataOf(body));
      return json(reply.status, body);
    };
  };
}

/** Faults in provisioning, checkouts, invite links and drops. */
export const SALES_FAULTS: readonly Fault[] = [
  {
    name: 'provisioning with 201',
    breaks: 'provision.success-ok',
    handler: onReply(PROVISION, (reply) => (isSuccess(reply) ? { ...reply, status: 201 } : undefined)),
  },
  {
    name: 'a numeric membershipId',
    breaks: 'provision.result-membership-id',
    coupled: {
      'general.uuid-format': 'membershipId is a field of type uuid',
      'check-messenger.result-membership-id': 'it compares the same id',
    },
    handler: onProvisioned((data) => {
      data.membershipId = 17;
    }),
  },
  {
    name: 'the requested start on created',
    breaks: 'provision.created-ignores-valid-from',
    coupled: { 'provision.idempotent-return': 'a repeat returns the stored start, which is another one' },
    handler: onProvisioned((data, { validFrom }) => {
      if (data.status === 'created' && typeof validFrom === 'string')
        data.validFrom = '2020-01-01T00:00:00.000Z';
    }),
  },
  {
    name: 'a far-future end for lifetime access',
    breaks: 'provision.valid-until-omitted',
    handler: onProvisioned((data, { onOverlap, validUntil }) => {
      const isNew = data.status === 'created' && validUntil === undefined && onOverlap === undefined;
      if (isNew) data.validUntil = '9999-12-31T00:00:00.000Z';
    }),
  },
  {
    name: 'an unknown status',
    breaks: 'provision.result-status',
    coupled: { 'provision.created': 'the unknown status stands in the place of created' },
    handler: onProvisioned((data, { validFrom }) => {
      if (data.status === 'created' && validFrom !== undefined) data.status = 'new';
    }),
  },
  {
    name: 'a shorter end on extend',
    breaks: 'provision.extend-keeps-later-end',
    coupled: { 'provision.on-overlap-default': 'a shorter end is what replace would give' },
    handler: onProvisioned((data, { onOverlap, validUntil }) => {
      if (data.status === 'extended' && onOverlap === undefined && validUntil !== undefined) {
        data.validUntil = validUntil;
      }
    }),
  },
  {
    name: 'periods that add up on extend',
    breaks: 'provision.extend-not-added',
    handler: onProvisioned((data, { validUntil }) => {
      const isLonger = data.status === 'extended' && data.validUntil === validUntil;
      if (isLonger && Date.parse(String(validUntil)) > Date.parse(String(data.validFrom)) + 55 * DAY_MS) {
        data.validUntil = new Date(Date.parse(String(validUntil)) + 30 * DAY_MS).toISOString();
      }
    }),
  },
  {
    name: 'an end on an open-ended extend',
    breaks: 'provision.extend-open-ended',
    handler: onProvisioned((data, { validUntil }) => {
      if (data.status === 'extended' && validUntil === undefined)
        data.validUntil = '2030-01-01T00:00:00.000Z';
    }),
  },
  {
    name: 'the strategy as the status',
    breaks: 'provision.status-reports-state-before',
    coupled: { 'provision.replace-active': 'its status is the state before, not the strategy' },
    handler: onProvisioned((data, { onOverlap }) => {
      if (data.status === 'extended' && onOverlap === 'replace') data.status = 'replaced';
    }),
  },
  {
    name: 'created for a membership that was extended',
    breaks: 'provision.extend-keeps-later-end',
    coupled: {
      'provision.extend-not-added': 'it is the status of every extension',
      'provision.extend-open-ended': 'it is the status of every extension',
    },
    handler: onProvisioned((data, { onOverlap }) => {
      if (data.status === 'extended' && onOverlap === undefined) data.status = 'created';
    }),
  },
  {
    name: 'the supplied start ignored by replace',
    breaks: 'provision.replace-active',
    handler: onProvisioned((data, { onOverlap }) => {
      if (data.status === 'extended' && onOverlap === 'replace') data.validFrom = new Date().toISOString();
    }),
  },
  {
    name: 'the supplied start ignored for an expired membership',
    breaks: 'provision.lapsed-replaced',
    handler: onProvisioned((data, { validFrom }) => {
      const isSupplied = data.status === 'replaced' && validFrom !== undefined;
      if (isSupplied) data.validFrom = new Date().toISOString();
    }),
  },
  {
    name: 'the supplied end ignored for an expired membership',
    breaks: 'provision.lapsed-replaced',
    handler: onProvisioned((data) => {
      if (data.status === 'replaced') data.validUntil = null;
    }),
  },
  {
    name: 'extended for an expired membership',
    breaks: 'provision.lapsed-replaced',
    handler: onProvisioned((data) => {
      if (data.status === 'replaced') data.status = 'extended';
    }),
  },
  {
    name: 'an overlap error with 400',
    breaks: 'provision.overlap-error',
    coupled: { 'api-key.status-conflict': '409 is the status of the conflict' },
    handler: onReply(PROVISION, (reply, request) =>
      reply.status === 409 && jsonOf(request).onOverlap === 'error' ? { ...reply, status: 400 } : undefined,
    ),
  },
  {
    name: 'an overlap error that ends the membership',
    breaks: 'provision.overlap-error',
    handler: afterOverlapErrors(PROVISION, (data) => {
      if (data.status === 'idempotent_return') data.validUntil = new Date().toISOString();
    }),
  },
  {
    name: 'an overlap error that moves the start of the membership',
    breaks: 'provision.overlap-error',
    handler: afterOverlapErrors(PROVISION, (data) => {
      if (data.status === 'idempotent_return') data.validFrom = '2020-01-01T00:00:00.000Z';
    }),
  },
  {
    name: 'an overlap error that withdraws the access',
    breaks: 'provision.overlap-error',
    handler: afterOverlapErrors(CHECK, (data) => {
      data.isActive = false;
    }),
  },
  {
    name: 'a subscription that can be provisioned',
    breaks: 'provision.subscription-managed',
    handler: onReply(PROVISION, (reply, request) =>
      reply.status === 409 && jsonOf(request).onOverlap === undefined
        ? json(200, { success: true, data: { status: 'extended' } })
        : undefined,
    ),
  },
  {
    name: 'a repeat as extended',
    breaks: 'provision.idempotent-return',
    handler: onProvisioned((data, { onOverlap, validUntil }) => {
      const isRepeat = data.status === 'idempotent_return' && onOverlap === undefined;
      if (isRepeat && validUntil !== undefined) data.status = 'extended';
    }),
  },
  {
    name: 'a repeat that applies its end',
    breaks: 'provision.idempotent-return',
    handler: onProvisioned((data, { onOverlap, validUntil }) => {
      const isRepeat = data.status === 'idempotent_return' && onOverlap === undefined;
      if (isRepeat && validUntil !== undefined) data.validUntil = validUntil;
    }),
  },
  {
    name: 'a repeat with onOverlap=replace that applies its start',
    breaks: 'provision.idempotent-return',
    handler: onProvisioned((data, { onOverlap, validFrom }) => {
      if (data.status === 'idempotent_return' && onOverlap === 'replace') data.validFrom = validFrom;
    }),
  },
  {
    name: 'an active membership before its start',
    breaks: 'check-messenger.point-in-time',
    handler() {
      const isUpcoming = followsStarts();
      const upcoming = new Set<string>();
      return async (request, forward) => {
        const reply = await forward(request);
        const body = jsonOf(reply);
        if (isUpcoming(request, reply)) upcoming.add(String(jsonOf(request).messengerUserId));
        if (!CHECK(request) || !upcoming.has(request.path.split('/').at(-1) ?? '')) return reply;
        return json(200, { success: true, data: { ...dataOf(body), isActive: true } });
      };
    },
  },
  {
    name: 'every older order as a repeat',
    breaks: 'provision.latest-order-id-only',
    handler: remembersOrders(({ email, externalOrderId }) => `${email} ${externalOrderId}`),
  },
  {
    name: 'the order id as the key of all buyers',
    breaks: 'provision.same-order-other-buyer',
    coupled: { 'provision.latest-order-id-only': 'an older order of the same buyer has a known id too' },
    handler: remembersOrders(({ externalOrderId }) => String(externalOrderId)),
  },
  {
    name: 'a repeat without validUntil',
    breaks: 'provision.repeat-same-fields',
    handler: onProvisioned((data) => {
      if (data.status === 'idempotent_return') delete data.validUntil;
    }),
  },
  {
    name: 'a numeric string as a messenger account',
    breaks: 'provision.messenger-user-id-min',
    coupled: { 'api-key.status-validation': 'its generated requests contain such accounts' },
    handler: accepts('messengerUserId', (value) => typeof value === 'string', 12),
  },
  {
    name: 'an unknown onOverlap accepted',
    breaks: 'provision.malformed-on-overlap',
    handler: accepts('onOverlap', (value) => value === 'merge'),
  },
  {
    name: 'a malformed timestamp accepted',
    breaks: 'provision.malformed-timestamp',
    handler: accepts('validUntil', (value) => value === 'tomorrow'),
  },
  {
    name: 'a malformed email accepted',
    breaks: 'provision.email-format',
    handler: accepts('email', (value) => value === 'not-an-address', 'someone@example.com'),
  },
  {
    name: 'a missing order id accepted',
    breaks: 'provision.external-order-id',
    handler: accepts('externalOrderId', (value) => value === undefined, 'generated'),
  },
  {
    name: 'a malformed plan id accepted',
    breaks: 'provision.malformed-uuid',
    handler: accepts('pricingPlanId', (value) => value === 'not-a-uuid'),
  },
  {
    name: 'email addresses with their letter case',
    breaks: 'buy-plan.email-normalised',
    handler: onRequestJson(BUY, (body) => {
      const email = String(body.email ?? '').trim();
      if (email !== email.toLowerCase()) body.email = `upper-${email.toLowerCase()}`;
    }),
  },
  {
    name: 'an unknown plan with 404',
    breaks: 'buy-plan.unknown-plan',
    handler: onReply(BUY, (reply) =>
      JSON.stringify(jsonOf(reply).data) === '{}'
        ? json(404, { success: false, errorCode: 'not_found', message: 'unknown plan' })
        : undefined,
    ),
  },
  {
    name: 'a missing email with an errorCode',
    breaks: 'buy-plan.missing-email',
    handler: onJson(BUY, (body, { status }) => {
      if (status === 201 && body.success === false) body.errorCode = 'bad_request';
    }),
  },
  {
    name: 'a relative checkoutUrl',
    breaks: 'buy-plan.result-checkout-url',
    handler: onJson(BUY, (body) => {
      const data = dataOf(body);
      if (typeof data.checkoutUrl === 'string') data.checkoutUrl = new URL(data.checkoutUrl).pathname;
    }),
  },
  {
    name: 'a long utmSource cut off',
    breaks: 'buy-plan.utm-source-max-length',
    coupled: { 'api-key.status-validation': 'its generated requests contain long sources' },
    handler: onRequestJson(BUY, (body) => {
      if (typeof body.utmSource === 'string') body.utmSource = body.utmSource.slice(0, 100);
    }),
  },
  {
    name: 'utmSource lost',
    breaks: 'buy-plan.utm-source-reported',
    handler: onRequestJson(BUY, (body) => {
      if (String(body.utmSource).startsWith('utm-')) delete body.utmSource;
    }),
  },
  {
    name: 'a successUrl that is not a URL accepted',
    breaks: 'buy-plan.success-url',
    handler: onRequestJson(BUY, (body) => {
      if (body.successUrl === 'not a url') body.successUrl = 'https://shop.example/';
    }),
  },
  {
    name: 'an invite link for two days',
    breaks: 'invite-link.result-expires-at',
    handler: onJson(INVITE, (body) => {
      const data = dataOf(body);
      if (typeof data.expiresAt !== 'string') return;
      data.expiresAt = new Date(Date.parse(data.expiresAt) + DAY_MS).toISOString();
    }),
  },
  {
    name: 'the same invite link at each call',
    breaks: 'invite-link.after-payment',
    handler() {
      const known = new Map<string, Reply>();
      return async (request, forward) => {
        const earlier = known.get(request.path);
        if (earlier !== undefined) return earlier;
        const reply = await forward(request);
        // The link of a new checkout, not the one of a buyer who joins with two accounts.
        if (INVITE(request) && reply.status === 200) known.set(request.path, reply);
        return reply;
      };
    },
  },
  {
    name: 'a link before the payment refused with 409',
    breaks: 'invite-link.before-payment',
    handler: onReply(INVITE, (reply) =>
      reply.status === 404 && /process/.test(reply.body) ? { ...reply, status: 409 } : undefined,
    ),
  },
  {
    name: 'a former member with a rejection body',
    breaks: 'invite-link.not-a-member',
    handler: onJson(INVITE, (body, { status }) => {
      if (status === 401) delete body.errorCode;
    }),
  },
  {
    name: 'a missing bot with 404',
    breaks: 'invite-link.no-bot',
    handler: onReply(INVITE, (reply) =>
      reply.status === 200 && jsonOf(reply).success === false ? { ...reply, status: 404 } : undefined,
    ),
  },
  {
    name: 'an invite link for the key of the checkout only',
    breaks: 'invite-link.not-community-scoped',
    handler: ({ keys }) =>
      onReply(INVITE, (_reply, { headers }) =>
        headers.authorization === `Bearer ${keys.outsider}`
          ? json(404, { success: false, errorCode: 'not_found', message: 'unknown' })
          : undefined,
      )(),
  },
  {
    name: 'a link for the order id of a provisioning',
    breaks: 'invite-link.external-id',
    handler() {
      const orders = new Set<string>();
      return async (request, forward) => {
        if (PROVISION(request)) orders.add(String(jsonOf(request).externalOrderId));
        const isOrder = INVITE(request) && orders.has(request.path.split('/').at(-1) ?? '');
        return isOrder
          ? json(200, { success: true, data: { link: 'https://m.example/1' } })
          : await forward(request);
      };
    },
  },
  {
    name: 'signups with 200',
    breaks: 'drop-signup.success-created',
    handler: onReply(SIGNUP, (reply) =>
      reply.status === 201 && dataOf(jsonOf(reply)).signedUp === true ? { ...reply, status: 200 } : undefined,
    ),
  },
  {
    name: 'a signup of an account with 200',
    breaks: 'drop-signup.existing-account',
    handler: onReply(SIGNUP, (reply) =>
      reply.status === 201 && dataOf(jsonOf(reply)).signedUp === false
        ? { ...reply, status: 200 }
        : undefined,
    ),
  },
  {
    name: 'a signup of an account that takes a slot',
    breaks: 'drop-signup.existing-account',
    handler() {
      let count = 0;
      return async (request, forward) => {
        const reply = await forward(request);
        if (!SIGNUP(request) || dataOf(jsonOf(reply)).signedUp !== false) return reply;
        count += 1;
        const body = { ...jsonOf(request), email: `slot-${count}-${Date.now()}@example.com` };
        await forward({ ...request, body: JSON.stringify(body) });
        return reply;
      };
    },
  },
  {
    name: 'signedUp of an account',
    breaks: 'drop-signup.result-signed-up',
    handler: onJson(SIGNUP, (body, reply) => {
      if (isSuccess(reply)) dataOf(body).signedUp = true;
    }),
  },
  {
    name: 'a duplicate signup as a conflict',
    breaks: 'drop-signup.duplicate',
    handler: onJson(SIGNUP, (body, { status }) => {
      if (status === 409) body.errorCode = 'conflict';
    }),
  },
  {
    name: 'slots as text',
    breaks: 'drop-signup.slot-slots',
    handler: onSlot((slot) => {
      slot.slots = String(slot.slots);
    }),
  },
  {
    name: 'slotsUsed null',
    breaks: 'drop-signup.slot-slots-used',
    handler: onSlot((slot) => {
      slot.slotsUsed = null;
    }),
  },
  {
    name: 'isCurrentlyActive of the opposite',
    breaks: 'drop-signup.slot-currently-active',
    handler: onSlot((slot) => {
      slot.isCurrentlyActive = !slot.isCurrentlyActive;
    }),
  },
  {
    name: 'userHasNotification as a number',
    breaks: 'drop-signup.slot-user-has-notification',
    handler: onSlot((slot) => {
      slot.userHasNotification = 0;
    }),
  },
  {
    name: 'another drop for each signup',
    breaks: 'drop-signup.next-drop',
    handler() {
      let count = 0;
      return onSlot((slot) => {
        count += 1;
        slot.id = `${slot.id}-${count}`;
      })();
    },
  },
];
