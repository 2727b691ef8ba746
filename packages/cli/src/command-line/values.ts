import { parseTimestamp } from '@latchkey/contract/constants';
import { instantField } from '@latchkey/server/schemas';
import * as z from 'zod';

const DURATION = /^(\d{1,9})(ms|s|m)?$/;
const UNIT_MS = { ms: 1, s: 1_000, m: 60_000 } as const;

/** A string with at least one visible character. */
export const visibleText = z.string().regex(/\S/, 'must not be empty');

export const portNumber = z.int().min(0).max(65_535);

/** Longest duration, in milliseconds: a day. Timers of more than 25 days fire at once. */
const DURATION_MAX_MS = 24 * 60 * 60_000;

/** A duration such as `30s`, parsed to milliseconds. */
export const duration = z
  .string()
  .regex(DURATION, 'must be a duration such as 500ms, 10s or 2m')
  .transform((text) => {
    const [, amount = '', unit = 's'] = DURATION.exec(text) ?? [];
    return Number(amount) * UNIT_MS[unit as keyof typeof UNIT_MS];
  })
  .refine((ms) => ms <= DURATION_MAX_MS, 'must be at most 1440m');

/** A string that is parsed, or rejected with this message. */
export function parsedText<Value>(parse: (text: string) => Value | undefined, message: string) {
  return z.string().transform((text, context) => {
    const value = parse(text);
    if (value !== undefined) return value;
    context.addIssue({ code: 'custom', message, input: text });
    return z.NEVER;
  });
}

/**
 * An http or https origin: scheme, host and port. The result is as browsers send it: in lower case, with an ASCII host
 * and no default port.
 */
export const origin = parsedText((text) => {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const isWeb = url?.protocol === 'https:' || url?.protocol === 'http:';
  return isWeb && url.href === `${url.origin}/` && !url.hostname.includes('*') ? url.origin : undefined;
}, 'must be an origin such as https://members.example, without a path, a user or a wildcard');

/** A condition on several settings. */
interface SettingsRule<Settings> {
  /** Settings that the rule reads. It's skipped if one of them is invalid by itself. */
  readonly reads: readonly (keyof Settings)[];
  isMet(settings: Partial<Settings>): boolean;
  readonly error: string | ((settings: Partial<Settings>) => string);
}

/** A check of an object schema that runs even if other fields are invalid, so all errors are reported at once. */
export function settingsRule<Settings>({
  reads,
  isMet,
  error,
}: SettingsRule<Settings>): z.core.$ZodCheck<Settings> {
  return z.refine<Settings>((settings) => isMet(settings), {
    error: ({ input }) => (typeof error === 'string' ? error : error(input as Partial<Settings>)),
    when: ({ issues }) => !issues.some(({ path = [] }) => reads.some((setting) => setting === path[0])),
  });
}

/** An ISO-8601 date or time, in milliseconds since the epoch. */
export const instant = parsedText(
  parseTimestamp,
  'must be an ISO-8601 time such as 2027-01-31T12:00:00Z',
).pipe(instantField);
