import { FIRST_READING, type Reading } from './reading.js';
import { SECOND_READING } from './second-reading.js';
import { derivedId } from './world.js';

/** The readings of the specification, by name. */
export const READINGS = ['first', 'second'] as const;

export type ReadingName = (typeof READINGS)[number];

/**
 * What the callers assume although the specification doesn't say so, by the ids in `docs/live-service.md`. The fake
 * service can contradict each assumption.
 */
export const ASSUMPTIONS = [
  'webhook-signature-encoding',
  'webhook-event-id-in-body',
  'webhook-membership-place',
  'webhook-secret-owner',
  'webhook-redelivery',
  'membership-id-shared',
  'membership-id-stable',
  'membership-visible',
  'checkout-return',
  'refresh-token-reuse',
  'token-cors',
  'clock-agreement',
  'body-size',
] as const;

export type Assumption = (typeof ASSUMPTIONS)[number];

/** The reading of a fake service, and the assumption that it contradicts. */
export interface ReadingSettings {
  reading: ReadingName;
  against: Assumption | undefined;
}

/**
 * Returns the settings of a fake service. Values that a test doesn't set come from `LATCHKEY_READING` and
 * `LATCHKEY_AGAINST`: properties of the global object, as pages set them, or environment variables. An empty string
 * counts as not set. This way a whole suite runs unchanged against another reading.
 *
 * @throws TypeError for an unknown value.
 */
export function readingSettings(given: {
  reading?: ReadingName | undefined;
  against?: Assumption | null | undefined;
}): ReadingSettings {
  const reading = given.reading ?? outside('LATCHKEY_READING') ?? 'first';
  const against = given.against === undefined ? outside('LATCHKEY_AGAINST') : (given.against ?? undefined);
  return {
    reading: oneOf(READINGS, reading, 'reading', 'LATCHKEY_READING'),
    against: against === undefined ? undefined : oneOf(ASSUMPTIONS, against, 'against', 'LATCHKEY_AGAINST'),
  };
}

function outside(name: string): unknown {
  const { process } = globalThis as { process?: { env?: object } };
  const value = Reflect.get(globalThis, name) ?? Reflect.get(process?.env ?? {}, name);
  return value === '' ? undefined : (value ?? undefined);
}

function oneOf<Value extends string>(
  values: readonly Value[],
  value: unknown,
  option: string,
  variable: string,
): Value {
  const found = values.find((each) => each === value);
  if (found !== undefined) return found;
  throw new TypeError(`${option} (${variable}): must be ${values.join(', ')}; got ${JSON.stringify(value)}.`);
}

const HOUR_MS = 3_600_000;
/** Above the default `maxBodyBytes` of the kit. */
const LARGE_BODY_BYTES = 300_000;

const BY_NAME: Readonly<Record<ReadingName, Reading>> = { first: FIRST_READING, second: SECOND_READING };

/**
 * The smallest change to a reading that makes one of the callers' assumptions wrong. It only affects what the service
 * itself creates: memberships that a test puts into a user's list stay as they are.
 */
const CHANGES: Readonly<Record<Assumption, (reading: Reading) => Partial<Reading>>> = {
  'webhook-signature-encoding': () => ({
    signature: (hmac) => `t=1,v1=${[...hmac].map((byte) => byte.toString(8)).join('-')}`,
  }),
  'webhook-event-id-in-body': ({ webhookBody }) => ({
    // The object's id, not the event's.
    webhookBody: (event, identity) =>
      withFields(webhookBody(event, identity), { type: event.type, id: derivedId(`object ${event.id}`) }),
  }),
  'webhook-membership-place': ({ webhookBody }) => ({
    webhookBody: (event, identity) => nested(webhookBody(event, identity)),
  }),
  'webhook-secret-owner': () => ({ sharesSecrets: true }),
  'webhook-redelivery': ({ deliveryPausesMs }) => ({
    deliveryPausesMs: deliveryPausesMs.slice(0, 1),
    deliversTwice: false,
  }),
  'membership-id-shared': ({ membership }) => ({
    membership: (fields, record) =>
      membership(record === undefined ? fields : { ...fields, id: derivedId(`listed ${fields.id}`) }, record),
  }),
  'membership-id-stable': () => ({ keepsMembershipId: false }),
  'membership-visible': ({ lists }) => ({
    lists: (record, context) =>
      lists(record, context) && (record === undefined || context.now - record.createdAt >= 5 * 60_000),
  }),
  'checkout-return': ({ returnUrl }) => ({
    returnUrl: (successUrl, reservation) => {
      const url = new URL(successUrl);
      url.search = '';
      return returnUrl(url.href, reservation);
    },
  }),
  'refresh-token-reuse': () => ({ revokesSuccessors: true }),
  'token-cors': ({ cors }) => ({
    cors: (request) => (request.path.startsWith('/oauth/') ? {} : cors(request)),
  }),
  'clock-agreement': ({ period }) => ({
    period: (given) => {
      const { from, until } = period(given);
      return { from: from - HOUR_MS, until: until === null ? null : until - HOUR_MS };
    },
  }),
  'body-size': ({ webhookBody }) => ({
    webhookBody: (event, identity) =>
      withFields(webhookBody(event, identity), { x_padding: ' '.repeat(LARGE_BODY_BYTES) }),
  }),
};

/** Returns the reading of a service, changed to make one of the callers' assumptions wrong. */
export function readingOf({ reading, against }: ReadingSettings): Reading {
  const base = BY_NAME[reading];
  return against === undefined ? base : { ...base, ...CHANGES[against](base) };
}

/** Moves the objects in a body two levels down. Strings and numbers stay at the top. */
function nested(body: string): string {
  if (body === '') return '';
  const fields = Object.entries<unknown>(JSON.parse(body)).map(([name, value]) => [
    name,
    typeof value === 'object' ? { subject: { details: value } } : value,
  ]);
  return JSON.stringify(Object.fromEntries(fields));
}

function withFields(body: string, fields: object): string {
  return JSON.stringify({ ...(body === '' ? {} : JSON.parse(body)), ...fields });
}
