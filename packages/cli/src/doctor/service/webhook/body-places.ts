import { WEBHOOK_EVENT_TYPES } from '@latchkey/contract/constants';

// The places at which @latchkey/express looks by default: `eventIdOf` and `readMembership` of webhooks(). A test compares
// them with the kit.

/** A value of a body and the path at which it is. */
export interface FoundValue {
  readonly path: string;
  readonly value: string;
}

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const TYPE_NAMES = ['type', 'event', 'eventType', 'event_type'];

/** Returns the event id that the body names, where the kit looks for it. */
export function eventIdIn(body: unknown): FoundValue | undefined {
  const [named] = textsAt(body, '', ['eventId', 'event_id']);
  if (named !== undefined) return named;
  const hasType = textsAt(body, '', TYPE_NAMES).some(({ value }) =>
    WEBHOOK_EVENT_TYPES.some((type) => type === value),
  );
  return hasType ? textsAt(body, '', ['id'])[0] : undefined;
}

/** Returns the membership ids that the body names, where the kit looks for them. Only UUIDs count there. */
export function membershipIdsIn(body: unknown): FoundValue[] {
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

/** Returns texts and whole numbers at these names of an object. */
function textsAt(container: unknown, prefix: string, names: readonly string[]): FoundValue[] {
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
