import { createHmac, timingSafeEqual } from 'node:crypto';
import { Missing } from '@latchkey/conformance/provider';
import { comparableId, UUID, WEBHOOK_EVENT_TYPES } from '@latchkey/contract/constants';
import type { DoctorSettings } from './doctor-settings.js';
import { Differs, type ServiceCheck } from './service-checks.js';

/** Default of `maxBodyBytes` in `webhooks()` of @latchkey/express. */
const BODY_MAX_BYTES = 262_144;
const NO_DELIVERY = '--webhook-body and --webhook-signature.';

/** Checks of a captured delivery. They send nothing. */
export const DELIVERY_CHECKS: readonly ServiceCheck[] = [
  {
    id: 'webhook-signature',
    assumption: 'webhook-signature-encoding',
    run: (_session, { webhookBody: body, webhookSignature: signature, webhookSecret }) => {
      if (body === undefined || signature === undefined || webhookSecret === undefined)
        throw new Missing('--webhook-body, --webhook-signature and LATCHKEY_WEBHOOK_SECRET.');
      const verified = verifyDelivery({ body, signature }, webhookSecret);
      if (verified.kind === 'valid') {
        const prefix = verified.hasPrefix ? ' with the prefix sha256=' : '';
        return `The signature is valid: ${verified.encoding}${prefix}.`;
      }
      if (verified.kind === 'unknown_encoding') {
        throw new Differs(
          `The signature has ${signature.length} characters, and is neither hex nor base64 of 32 bytes.`,
          'webhooks() rejects it. Convert the header in a middleware above webhooks(), or verify the body yourself.',
        );
      }
      throw new Differs(
        `The signature (${verified.encoding}) does not match the body and the secret.`,
        'Check that the file contains the exact bytes of the body, without a line break at the end, and that the secret is the one of this webhook. If both are right, the service signs other bytes: webhooks() cannot verify them.',
      );
    },
  },
  {
    id: 'webhook-event-id',
    assumption: 'webhook-event-id-in-body',
    run(_session, settings) {
      const found = eventIdIn(bodyOf(settings));
      if (found === undefined) {
        return 'The body names no event id, so only the header does. An event that is replayed under a new id is handled again: handlers must be idempotent. If the body has an id elsewhere, set eventIdOf.';
      }
      const { webhookEventId } = settings;
      if (webhookEventId === undefined)
        throw new Missing(
          `--webhook-event-id, the header of the delivery. The body has an id at ${found.path}.`,
        );
      if (comparableId(found.value) === comparableId(webhookEventId))
        return `The body names the event id of the header at ${found.path}.`;
      throw new Differs(
        `The body has another id at ${found.path} than the header. The kit takes it for the event id and rejects the delivery.`,
        'Set eventIdOf of webhooks() to a function that returns the event id of the body, or undefined if it has none.',
      );
    },
  },
  {
    id: 'webhook-membership',
    assumption: 'webhook-membership-place',
    run(_session, settings) {
      const found = membershipIdsIn(bodyOf(settings));
      const ids = new Set(found.map(({ value }) => value.toLowerCase()));
      const paths = found.map(({ path }) => path).join(', ');
      if (ids.size === 1) return `The body names one membership, at ${paths}.`;
      throw new Differs(
        ids.size === 0
          ? 'The body names no membership where the kit looks for it.'
          : `The body names ${ids.size} memberships: ${paths}.`,
        'Set readMembership of webhooks() to a function that returns the membershipId of the body. If the body has none, import the members and call checkMessenger() with recordingClient().',
      );
    },
  },
  {
    id: 'webhook-body-size',
    assumption: 'body-size',
    run: (_session, { webhookBody }) => {
      if (webhookBody === undefined) throw new Missing(NO_DELIVERY);
      const { byteLength } = webhookBody;
      if (byteLength <= BODY_MAX_BYTES) return `The body has ${byteLength} of ${BODY_MAX_BYTES} bytes.`;
      throw new Differs(
        `The body has ${byteLength} bytes. webhooks() accepts ${BODY_MAX_BYTES}.`,
        'Set maxBodyBytes of webhooks() to more than that.',
      );
    },
  },
];

/** @throws Missing if there is no JSON body. */
function bodyOf({ webhookBody }: DoctorSettings): unknown {
  if (webhookBody === undefined) throw new Missing(NO_DELIVERY);
  try {
    return JSON.parse(webhookBody.toString('utf8'));
  } catch {
    throw new Missing('a body of JSON. Handlers receive other bodies in event.raw.');
  }
}

const PREFIX = /^sha256=/i;
const HEX = /^[0-9a-f]{64}$/i;
const BASE64 = /^[A-Za-z0-9+/]{43}=?$/;
const BASE64URL = /^[A-Za-z0-9_-]{43}=?$/;

/** Verifies a signature: HMAC-SHA256 of the body, with the characters of the secret as the key (spec, "Events", 4). */
export function verifyDelivery({ body, signature }: { body: Buffer; signature: string }, secret: string) {
  const text = signature.trim().replace(PREFIX, '');
  const encoding = encodingOf(text);
  if (encoding === undefined) return { kind: 'unknown_encoding' } as const;
  const expected = createHmac('sha256', secret).update(body).digest();
  const given = Buffer.from(text, encoding === 'hex' ? 'hex' : 'base64');
  return timingSafeEqual(expected, given)
    ? ({ kind: 'valid', encoding, hasPrefix: PREFIX.test(signature.trim()) } as const)
    : ({ kind: 'invalid', encoding } as const);
}

/** Hex and base64 differ in length. A string that is valid in both base64 alphabets counts as base64. */
function encodingOf(text: string) {
  if (HEX.test(text)) return 'hex';
  if (BASE64.test(text)) return 'base64';
  return BASE64URL.test(text) ? 'base64url' : undefined;
}

// Where @latchkey/express looks by default: `eventIdOf` and `readMembership` of `webhooks()`. A test compares these
// with the kit.

const TYPE_NAMES = ['type', 'event', 'eventType', 'event_type'];

/** Returns the event id in the body, where the kit looks for it. */
export function eventIdIn(body: unknown) {
  const [named] = textsAt(body, '', ['eventId', 'event_id']);
  if (named !== undefined) return named;
  const hasType = textsAt(body, '', TYPE_NAMES).some(({ value }) =>
    WEBHOOK_EVENT_TYPES.some((type) => type === value),
  );
  return hasType ? textsAt(body, '', ['id'])[0] : undefined;
}

/** Returns the membership ids in the body, where the kit looks for them. Only UUIDs count there. */
function membershipIdsIn(body: unknown) {
  const data = valueAt(body, 'data');
  const places: readonly [container: unknown, prefix: string][] = [
    [body, ''],
    [data, 'data.'],
    [valueAt(body, 'object'), 'object.'],
    [valueAt(body, 'payload'), 'payload.'],
    [valueAt(data, 'object'), 'data.object.'],
  ];
  const found = places.flatMap(([container, prefix]) => [
    ...textsAt(container, prefix, ['membershipId', 'membership_id', 'membership']),
    ...textsAt(valueAt(container, 'membership'), `${prefix}membership.`, [
      'id',
      'membershipId',
      'membership_id',
    ]),
  ]);
  return found.filter(({ value }) => UUID.test(value));
}

/** Returns an object's strings and whole numbers with these names, each with its path. */
function textsAt(container: unknown, prefix: string, names: readonly string[]) {
  return names.flatMap((name) => {
    const value = valueAt(container, name);
    const isId = (typeof value === 'string' && value !== '') || Number.isSafeInteger(value);
    return isId ? [{ path: `${prefix}${name}`, value: String(value) }] : [];
  });
}

function valueAt(container: unknown, name: string): unknown {
  const isObject = typeof container === 'object' && container !== null && !Array.isArray(container);
  return isObject && Object.hasOwn(container, name) ? Reflect.get(container, name) : undefined;
}
