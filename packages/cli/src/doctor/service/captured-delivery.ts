import { createHmac, timingSafeEqual } from 'node:crypto';
import { WEBHOOK_EVENT_TYPES } from '@latchkey/contract/constants';

const PREFIX = /^sha256=/i;
const HEX = /^[0-9a-f]{64}$/i;
const BASE64 = /^[A-Za-z0-9+/]{43}=?$/;
const BASE64URL = /^[A-Za-z0-9_-]{43}=?$/;

/** Verifies a signature: HMAC-SHA256 of the body, keyed with the characters of the secret (spec, "Events", 4). */
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

/** Hex and base64 differ in length. Text that is valid in both alphabets of base64 counts as base64. */
function encodingOf(text: string) {
  if (HEX.test(text)) return 'hex';
  if (BASE64.test(text)) return 'base64';
  return BASE64URL.test(text) ? 'base64url' : undefined;
}

// The places at which @latchkey/express looks by default: `eventIdOf` and `readMembership` of webhooks(). A test compares
// them with the kit.

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const TYPE_NAMES = ['type', 'event', 'eventType', 'event_type'];

/** Returns the event id that the body names, where the kit looks for it. */
export function eventIdIn(body: unknown) {
  const [named] = textsAt(body, '', ['eventId', 'event_id']);
  if (named !== undefined) return named;
  const hasType = textsAt(body, '', TYPE_NAMES).some(({ value }) =>
    WEBHOOK_EVENT_TYPES.some((type) => type === value),
  );
  return hasType ? textsAt(body, '', ['id'])[0] : undefined;
}

/** Returns the membership ids that the body names, where the kit looks for them. Only UUIDs count there. */
export function membershipIdsIn(body: unknown) {
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

/** Returns texts and whole numbers at these names of an object, each with its path. */
function textsAt(container: unknown, prefix: string, names: readonly string[]) {
  return names.flatMap((name) => {
    const value = valueAt(container, name);
    const isId = (typeof value === 'string' && value !== '') || Number.isSafeInteger(value);
    return isId ? [{ path: `${prefix}${name}`, value: String(value) }] : [];
  });
}

/** True if two ids are equal as the kit compares them: UUIDs in any letter case. */
export function isSameId(a: string, b: string): boolean {
  return UUID.test(a) ? a.toLowerCase() === b.toLowerCase() : a === b;
}

function valueAt(container: unknown, name: string): unknown {
  const isObject = typeof container === 'object' && container !== null && !Array.isArray(container);
  return isObject && Object.hasOwn(container, name) ? Reflect.get(container, name) : undefined;
}
