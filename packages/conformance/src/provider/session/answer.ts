import { jsonOf } from '@latchkey/contract/constants';
import type { ReceivedResponse, RoundTrip } from '../../report/report.js';

/** The service breaks the rule of the running check. */
export class Violation extends Error {
  override readonly name = 'Violation';
}

/** The running check lacks something that it needs: a fixture, a mode, or a response that other rules are about. */
export class Missing extends Error {
  override readonly name = 'Missing';
}

export interface Answer {
  readonly status: number;
  /** Headers by lower-case name. */
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
  /** Parsed body; `undefined` if it isn't JSON. */
  readonly json: unknown;
  /** Times of the request and its response, in milliseconds since the epoch, by this machine's clock. */
  readonly sentAt: number;
  readonly at: number;
  readonly roundTrip: RoundTrip;
}

export function answerOf(roundTrip: RoundTrip & { response: ReceivedResponse }, sentAt: number): Answer {
  const { status, headers, body } = roundTrip.response;
  return { status, headers, text: body, json: jsonOf(body), sentAt, at: Date.now(), roundTrip };
}

/** Returns the value at a path of keys in a JSON body: `valueAt(answer, 'data', 'link')`. */
export function valueAt({ json }: Pick<Answer, 'json'>, ...keys: readonly string[]): unknown {
  let value: unknown = json;
  for (const key of keys) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined;
    value = Reflect.get(value, key);
  }
  return value;
}

/** True if the body, or the object at the path, contains the key. */
export function hasKey(answer: Pick<Answer, 'json'>, ...keys: readonly string[]): boolean {
  const parent = valueAt(answer, ...keys.slice(0, -1));
  return typeof parent === 'object' && parent !== null && Object.hasOwn(parent, keys.at(-1) ?? '');
}

/** Returns the fields of a request as text. An undefined field leaves out a field, so it's part of the text. */
export function shownFields(fields: Readonly<Record<string, unknown>>): string {
  return Object.entries(fields)
    .map(([field, value]) => (value === undefined ? `no ${field}` : `${field} ${JSON.stringify(value)}`))
    .join(', ');
}

/** True if the body contains a key that only the rejection body has. */
export function isRejection({ json }: Pick<Answer, 'json'>): boolean {
  return ['statusCode', 'timestamp', 'path'].some((key) => hasKey({ json }, key));
}

/** Stops a check if its precondition isn't met. Another rule is about the status. */
export function requireSuccess(answer: Answer): Answer {
  if (answer.status >= 200 && answer.status < 300) return answer;
  throw new Missing(`precondition: ${requestOf(answer)} answered ${answer.status}`);
}

export function dataOf(answer: Answer, ...keys: readonly string[]): unknown {
  return valueAt(requireSuccess(answer), 'data', ...keys);
}

/** Returns the value at a path of a successful response. Another rule is about its absence. */
export function requireText(answer: Answer, ...keys: readonly string[]): string {
  const value = valueAt(requireSuccess(answer), ...keys);
  if (typeof value === 'string' && value !== '') return value;
  throw new Missing(`precondition: ${requestOf(answer)} answered without ${keys.join('.')}`);
}

export function requireFixture<Value>(value: Value | undefined, name: string): Value {
  if (value !== undefined) return value;
  throw new Missing(`needs fixtures.${name}`);
}

export function requestOf({ roundTrip: { request } }: Answer): string {
  return `${request.method} ${new URL(request.url).pathname}`;
}
