import { parseTimestamp } from '@latchkey/contract/constants';
import type * as z from 'zod';
import type { FormError } from './error-summary.js';
import { instantInZone, isTimeZone } from './zoned-time.js';

/** Validated values of a form, or the errors of its fields. */
export type FormResult<Value> =
  | { readonly kind: 'valid'; readonly value: Value }
  | { readonly kind: 'invalid'; readonly errors: FormError[] };

/** Text of a field that has no value for the schema, such as `soon` in a date field. */
export class UnreadableText {
  /** Sentences that say what to enter. */
  readonly message: string;

  constructor(message: string) {
    this.message = message;
  }
}

/** Date of a `DateField`. Its instant has a four-digit year in every time zone. */
const DATE = /^(?:19|[2-8]\d)\d\d-\d\d-\d\d$/;

/** Form fields by the paths of the schema that have other names: `{ 'price.currency': 'currency' }`. */
type FieldNames = Readonly<Record<string, string>>;

/**
 * Validates the values of a form with the schema of an entity. Each field gets its first error only.
 *
 * @param names The paths of the schema whose form fields have other names.
 */
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
    if (!errors.has(field)) errors.set(field, { field, message });
  }
  const order = Object.keys(values).map((name) => fieldOf([name]));
  const positionOf = ({ field }: FormError) => order.indexOf(field);
  return { kind: 'invalid', errors: [...errors.values()].sort((a, b) => positionOf(a) - positionOf(b)) };
}

/** Returns the whole number in a field, null for a blank field, or `NaN` for other text. Schemas reject `NaN`. */
export function wholeNumberOf(text: string): number | null {
  if (text.trim() === '') return null;
  return /^\d{1,10}$/.test(text.trim()) ? Number(text) : Number.NaN;
}

/** Returns the lines of a text area that are not blank, without the spaces around them. */
export function linesOf(text: string): string[] {
  return text
    .split(/\r?\n/)
    .map((line) => line.trim())
    .filter((line) => line !== '');
}

/**
 * Returns the instant in a `DateField`, or `whenBlank` if it is empty. A day without a time means its first moment. Without
 * the page script the zone is UTC.
 *
 * @param name name of the field. The form has its day (`yyyy-mm-dd`), the time in `${name}-time` (`hh:mm`, optional) and the
 *   IANA time zone in `zone`.
 */
export function dateFieldOf<Blank>(
  form: URLSearchParams,
  name: string,
  whenBlank: Blank,
): number | Blank | UnreadableText {
  const date = form.get(name)?.trim() ?? '';
  const time = form.get(`${name}-time`)?.trim() ?? '';
  const zone = form.get('zone')?.trim() || 'UTC';
  if (date === '' && time === '') return whenBlank;
  if (date === '') return new UnreadableText('Enter a date too, or clear the time.');
  const local = DATE.test(date) ? parseTimestamp(`${date}T${time || '00:00'}Z`) : undefined;
  if (local === undefined) return new UnreadableText('Enter a date that exists, such as 2026-07-01.');
  if (!isTimeZone(zone)) {
    return new UnreadableText(
      'Your browser’s time zone is unknown here. Change it, or turn off scripts to enter UTC.',
    );
  }
  return instantInZone(local, zone);
}
