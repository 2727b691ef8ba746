import { Missing, Violation } from '../outcome/outcome-errors.js';
import { type Answer, hasKey, valueAt } from './answer.js';

const UUID = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i;
const ISO_8601 = /^\d{4}-\d{2}-\d{2}(?:T\d{2}:\d{2}(?::\d{2}(?:[.,]\d+)?)?(?:Z|[+-]\d{2}(?::?\d{2})?)?)?$/;

/** @throws Violation with the expectation and the finding if the condition is false. */
export function expectThat(condition: boolean, expected: string, found: unknown): asserts condition {
  if (!condition) throw new Violation(`expected ${expected}, found ${shown(found)}`);
}

export function expectStatus(answer: Answer, status: number): void {
  expectThat(answer.status === status, `status ${status} of ${requestOf(answer)}`, answer.status);
}

export function expectEqual(found: unknown, expected: unknown, name: string): void {
  expectThat(found === expected, `${name} to be ${shown(expected)}`, found);
}

export function expectOneOf(found: unknown, values: readonly unknown[], name: string): void {
  expectThat(values.includes(found), `${name} to be one of ${values.map(shown).join(', ')}`, found);
}

export function expectUuid(found: unknown, name: string): void {
  expectThat(isUuid(found), `${name} to be a UUID`, found);
}

export function expectTimestamp(found: unknown, name: string): void {
  expectThat(isTimestamp(found), `${name} to be an ISO-8601 timestamp`, found);
}

export function expectText(found: unknown, name: string): void {
  expectThat(typeof found === 'string' && found !== '', `${name} to be a non-empty string`, found);
}

export function expectUrl(found: unknown, name: string): void {
  expectThat(typeof found === 'string' && URL.canParse(found), `${name} to be a URL`, found);
}

/** Two instants that differ by at most some seconds. Clocks of two machines are never exactly equal. */
export function expectNear(found: unknown, expectedMs: number, name: string, toleranceSeconds = 120): void {
  expectTimestamp(found, name);
  const distance = Math.abs(Date.parse(String(found)) - expectedMs);
  const expected = new Date(expectedMs).toISOString();
  expectThat(distance <= toleranceSeconds * 1_000, `${name} to be about ${expected}`, found);
}

export function expectAbsent(answer: Answer, ...keys: readonly string[]): void {
  expectThat(
    !hasKey(answer, ...keys),
    `no key ${keys.join('.')} in the body of ${requestOf(answer)}`,
    valueAt(answer, ...keys),
  );
}

/** An OAuth error: its status and its `error`. */
export function expectOAuthError(answer: Answer, status: number, error: string): void {
  const found = `${answer.status} ${String(valueAt(answer, 'error'))}`;
  expectThat(found === `${status} ${error}`, `${status} ${error} of ${requestOf(answer)}`, found);
}

/** A rejection before the endpoint: its status, and an object with a key that only the rejection body has. */
export function expectRejection(answer: Answer, status: number): void {
  expectStatus(answer, status);
  expectThat(isRejection(answer), `the rejection body of ${requestOf(answer)}`, answer.json ?? answer.text);
}

/** True if the body contains a key of the rejection body that no other body has. */
export function isRejection({ json }: Pick<Answer, 'json'>): boolean {
  return ['statusCode', 'timestamp', 'path'].some((key) => hasKey({ json }, key));
}

/** Stops a check whose precondition is not met. Another rule is about the status. */
export function requireSuccess(answer: Answer): Answer {
  if (answer.status >= 200 && answer.status < 300) return answer;
  throw new Missing(`precondition: ${requestOf(answer)} answered ${answer.status}`);
}

/** The value at a path of a successful response. Its absence is the matter of another rule. */
export function requireText(answer: Answer, ...keys: readonly string[]): string {
  const value = valueAt(requireSuccess(answer), ...keys);
  if (typeof value === 'string' && value !== '') return value;
  throw new Missing(`precondition: ${requestOf(answer)} answered without ${keys.join('.')}`);
}

/** The value of a fixture. @throws Missing with its name */
export function requireFixture<Value>(value: Value | undefined, name: string): Value {
  if (value !== undefined) return value;
  throw new Missing(`needs fixtures.${name}`);
}

function isUuid(value: unknown): boolean {
  return typeof value === 'string' && UUID.test(value);
}

function isTimestamp(value: unknown): boolean {
  return typeof value === 'string' && ISO_8601.test(value) && !Number.isNaN(Date.parse(value));
}

function requestOf({ exchange: { request } }: Answer): string {
  return `${request.method} ${new URL(request.url).pathname}`;
}

function shown(value: unknown): string {
  if (value === undefined) return 'nothing';
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return (text ?? String(value)).slice(0, 300);
}
