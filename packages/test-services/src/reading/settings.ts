/** The readings of the specification, by name. */
export const READINGS = ['first', 'second'] as const;

export type ReadingName = (typeof READINGS)[number];

/**
 * Assumptions of the callers that the specification does not state, by their ids in `docs/live-service.md`. The fake
 * service can act against each one.
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

/** The reading of a fake service, and the assumption that it acts against. */
export interface ReadingSettings {
  reading: ReadingName;
  against: Assumption | undefined;
}

/**
 * Returns the settings of a fake service. Values that a test does not set come from `LATCHKEY_READING` and
 * `LATCHKEY_AGAINST`: a property of the global object, as pages set it, or an environment variable. An empty text is no
 * value. A whole suite runs unchanged against another reading this way.
 *
 * @throws TypeError for an unknown value.
 */
export function readingSettings(given: {
  reading?: ReadingName | undefined;
  against?: Assumption | undefined;
}): ReadingSettings {
  const reading = given.reading ?? outside('LATCHKEY_READING') ?? 'first';
  const against = given.against ?? outside('LATCHKEY_AGAINST');
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
