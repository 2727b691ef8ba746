import { parseTimestamp, uuidField } from '@latchkey/contract';
import type { Reader } from './flag.js';

const DURATION = /^(\d{1,9})(ms|s|m)?$/;
const UNIT_MS = { ms: 1, s: 1_000, m: 60_000 } as const;

/** Any text that is not empty. */
export function text(fix: string): Reader<string> {
  return { fix, read: (given) => (given.trim() === '' ? undefined : given) };
}

/** Text that fits a pattern. */
export function textLike(pattern: RegExp, fix: string): Reader<string> {
  return { fix, read: (given) => (pattern.test(given) ? given : undefined) };
}

/** One of a few words. */
export function oneOf<const Word extends string>(words: readonly Word[]): Reader<Word> {
  return {
    fix: `give ${new Intl.ListFormat('en', { type: 'disjunction' }).format(words)}`,
    read: (given) => words.find((word) => word === given),
  };
}

/** A whole number within bounds. */
export function wholeNumber(min: number, max: number): Reader<number> {
  return {
    fix: `give a whole number from ${min} to ${max}`,
    read(given) {
      const number = /^\d{1,16}$/.test(given) ? Number(given) : Number.NaN;
      return number >= min && number <= max ? number : undefined;
    },
  };
}

export const portNumber = wholeNumber(0, 65_535);

/** A span of time as people write it; in milliseconds. */
export const duration: Reader<number> = {
  fix: 'give a span of time such as 500ms, 10s or 2m',
  read(given) {
    const [, amount = '', unit = 's'] = DURATION.exec(given) ?? [];
    if (amount === '') return undefined;
    return Number(amount) * UNIT_MS[unit as keyof typeof UNIT_MS];
  },
};

/** An instant in ISO-8601; in milliseconds since the epoch. */
export const instant: Reader<number> = {
  fix: 'give a time in ISO-8601 such as 2027-01-31T12:00:00Z',
  read: parseTimestamp,
};

export const uuid: Reader<string> = {
  fix: 'give a UUID such as 5eed0000-0000-4000-8000-00000000000a',
  read: (given) => uuidField.safeParse(given).data,
};

/** An http or https address without anything behind the host. */
export const origin: Reader<string> = {
  fix: 'give an origin such as https://members.example, without a path',
  read(given) {
    const url = URL.canParse(given) ? new URL(given) : undefined;
    if (url?.protocol !== 'https:' && url?.protocol !== 'http:') return undefined;
    return given === url.origin || given === `${url.origin}/` ? url.origin : undefined;
  },
};
