/** Assertions for checks. Each throws `Violation` with what was expected and what was found. */
import { UUID } from '@latchkey/contract/constants';
import { type Answer, hasKey, isRejection, requestOf, Violation, valueAt } from './answer.js';

const ISO_8601 = /^\d{4}-\d{2}-\d{2}(?:T\d{2}:\d{2}(?::\d{2}(?:[.,]\d+)?)?(?:Z|[+-]\d{2}(?::?\d{2})?)?)?$/;

/** @throws Violation with what was expected and found, if the condition is false. */
export function that(condition: boolean, expected: string, found: unknown): asserts condition {
  if (!condition) throw new Violation(`expected ${expected}, found ${shown(found)}`);
}

export function status(answer: Answer, status: number): void {
  that(answer.status === status, `status ${status} of ${requestOf(answer)}`, answer.status);
}

export function accepted({ status }: Answer, expected: string): void {
  that(status < 300, expected, status);
}

/** The request was rejected. Other rules are about the status. */
export function refused({ status }: Answer, expected: string): void {
  that(status >= 400, expected, status);
}

export function equal(found: unknown, expected: unknown, name: string): void {
  that(found === expected, `${name} to be ${shown(expected)}`, found);
}

export function oneOf(found: unknown, values: readonly unknown[], name: string): void {
  that(values.includes(found), `${name} to be one of ${values.map(shown).join(', ')}`, found);
}

export function uuid(found: unknown, name: string): void {
  that(typeof found === 'string' && UUID.test(found), `${name} to be a UUID`, found);
}

export function timestamp(found: unknown, name: string): void {
  const isTimestamp = typeof found === 'string' && ISO_8601.test(found) && !Number.isNaN(Date.parse(found));
  that(isTimestamp, `${name} to be an ISO-8601 timestamp`, found);
}

export function text(found: unknown, name: string): void {
  that(typeof found === 'string' && found !== '', `${name} to be a non-empty string`, found);
}

export function url(found: unknown, name: string): void {
  that(typeof found === 'string' && URL.canParse(found), `${name} to be a URL`, found);
}

/** How far two times may differ, in seconds. Two machines' clocks are never exactly equal. */
const TOLERANCE_SECONDS = 120;

export function near(found: unknown, expectedMs: number, name: string): void {
  timestamp(found, name);
  const distance = Math.abs(Date.parse(String(found)) - expectedMs);
  const expected = new Date(expectedMs).toISOString();
  that(distance <= TOLERANCE_SECONDS * 1_000, `${name} to be about ${expected}`, found);
}

export function absent(answer: Answer, ...keys: readonly string[]): void {
  that(
    !hasKey(answer, ...keys),
    `no key ${keys.join('.')} in the body of ${requestOf(answer)}`,
    valueAt(answer, ...keys),
  );
}

export function oauthError(answer: Answer, status: number, error: string): void {
  const found = `${answer.status} ${String(valueAt(answer, 'error'))}`;
  that(found === `${status} ${error}`, `${status} ${error} of ${requestOf(answer)}`, found);
}

/** A rejection before the endpoint: its status, and an object with a key that only the rejection body has. */
export function rejection(answer: Answer, code: number): void {
  status(answer, code);
  that(isRejection(answer), `the rejection body of ${requestOf(answer)}`, answer.json ?? answer.text);
}

function shown(value: unknown): string {
  if (value === undefined) return 'nothing';
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? String(value));
}
