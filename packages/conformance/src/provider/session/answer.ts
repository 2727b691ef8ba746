import type { Exchange, ReceivedResponse } from '../../report/exchange.js';

/** A response as checks read it. */
export interface Answer {
  readonly status: number;
  /** Headers by lower-case name. */
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
  /** Parsed body; `undefined` if it is not JSON. */
  readonly json: unknown;
  /** Time at which the response arrived, in milliseconds since the epoch, by the clock of this machine. */
  readonly at: number;
  readonly exchange: Exchange;
}

/** Parses a response. */
export function answerOf(exchange: Exchange & { response: ReceivedResponse }, at: number): Answer {
  const { status, headers, body } = exchange.response;
  return { status, headers, text: body, json: parsed(body), at, exchange };
}

/** The value at a path of keys in a JSON body: `valueAt(answer, 'data', 'link')`. */
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

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
