import { DAY_MS, parseTimestamp } from '@latchkey/contract/constants';
import type * as z from 'zod';
import { t } from '../../../platform/language/language.js';
import type { FormError } from './form-parts.js';

/** Maximum length of an accepted time zone name. The longest one today has 32 characters. */
const ZONE_MAX_LENGTH = 64;

export function isTimeZone(zone: string): boolean {
  if (zone === '' || zone.length > ZONE_MAX_LENGTH) return false;
  try {
    new Intl.DateTimeFormat('en-GB', { timeZone: zone });
    return true;
  } catch {
    return false;
  }
}

/**
 * Returns the instant at which clocks in a zone show a local time, given as if it were UTC. A time that they skip in
 * spring is read with the offset from before the change, so it becomes later. For a time that they show twice, returns
 * the first.
 */
export function instantInZone(local: number, zone: string): number {
  const offsetAt = offsetsOf(zone);
  const before = offsetAt(local - DAY_MS);
  const after = offsetAt(local + DAY_MS);
  const instants = [local - before, local - after].filter((instant) => instant + offsetAt(instant) === local);
  return instants.length > 0 ? Math.min(...instants) : local - before;
}

function offsetsOf(zone: string): (instant: number) => number {
  const format = new Intl.DateTimeFormat('en-GB', { timeZone: zone, timeZoneName: 'longOffset' });
  return (instant) => {
    const offset = format.formatToParts(instant).find(({ type }) => type === 'timeZoneName')?.value ?? '';
    // Before time zones used whole minutes, offsets had seconds too: `GMT+00:19:32`.
    const [, sign, ...parts] = /^GMT(?:([+-])(\d\d):(\d\d)(?::(\d\d))?)?$/.exec(offset) ?? [];
    const [hours = 0, minutes = 0, seconds = 0] = parts.map((part) => Number(part ?? 0));
    return (sign === '-' ? -1 : 1) * (hours * 3600 + minutes * 60 + seconds) * 1000;
  };
}

export type FormResult<Value> =
  | { readonly kind: 'valid'; readonly value: Value }
  | { readonly kind: 'invalid'; readonly errors: FormError[] };

/** Input that has no value for the schema, such as `soon` in a date field. */
export class UnreadableText {
  readonly message: string;

  constructor(message: string) {
    this.message = message;
  }
}

/** Date of a `DateField`. The range keeps the year at four digits in every time zone. */
const DATE = /^(?:19|[2-8]\d)\d\d-\d\d-\d\d$/;

/** Form fields that have another name than their schema path: `{ 'price.currency': 'currency' }`. */
type FieldNames = Readonly<Record<string, string>>;

/** Each field gets only its first error, translated. `names`: schema paths with a form field of another name. */
export function parseForm<Value>(
  schema: z.ZodType<Value>,
  values: Readonly<Record<string, unknown>>,
  names: FieldNames = {},
): FormResult<Value> {
  const errors = new Map<string, FormError>();
  const fieldOf = (path: readonly PropertyKey[]) => names[path.join('.')] ?? String(path[0] ?? '');
  const input: Record<string, unknown> = { ...values };
  for (const [name, value] of Object.entries(values)) {
    if (!(value instanceof UnreadableText)) continue;
    const field = fieldOf([name]);
    errors.set(field, { field, message: value.message });
    input[name] = undefined;
  }
  const parsed = schema.safeParse(input);
  if (parsed.success && errors.size === 0) return { kind: 'valid', value: parsed.data };
  for (const { path, message } of parsed.error?.issues ?? []) {
    const field = fieldOf(path);
    if (!errors.has(field)) errors.set(field, { field, message: t(message) });
  }
  const order = Object.keys(values).map((name) => fieldOf([name]));
  const positionOf = ({ field }: FormError) => order.indexOf(field);
  return { kind: 'invalid', errors: [...errors.values()].sort((a, b) => positionOf(a) - positionOf(b)) };
}

/** Returns the whole number in a field, null for a blank field, or `NaN` for other input. Schemas reject `NaN`. */
export function wholeNumberOf(text: string): number | null {
  if (text.trim() === '') return null;
  return /^\d{1,10}$/.test(text.trim()) ? Number(text) : Number.NaN;
}

export function linesOf(text: string): string[] {
  return text
    .split(/\r?\n/)
    .map((line) => line.trim())
    .filter((line) => line !== '');
}

/**
 * A day without a time means its first moment. Without the page script the zone is UTC. The form has the day
 * (`yyyy-mm-dd`), the time in `${name}-time` (`hh:mm`, optional) and the IANA time zone in `zone`.
 */
export function dateFieldOf<Blank>(form: URLSearchParams, name: string, whenBlank: Blank) {
  const date = form.get(name)?.trim() ?? '';
  const time = form.get(`${name}-time`)?.trim() ?? '';
  const zone = form.get('zone')?.trim() || 'UTC';
  if (date === '' && time === '') return whenBlank;
  if (date === '') return new UnreadableText(t('Enter a date too, or clear the time.'));
  const local = DATE.test(date) ? parseTimestamp(`${date}T${time || '00:00'}Z`) : undefined;
  if (local === undefined) return new UnreadableText(t('Enter a date that exists, such as 2026-07-01.'));
  if (!isTimeZone(zone)) {
    return new UnreadableText(
      t('Your browser’s time zone is unknown here. Change it, or turn off scripts to enter UTC.'),
    );
  }
  return instantInZone(local, zone);
}
