import type { ENDPOINTS } from '@latchkey/contract';
import type * as z from 'zod';

/** The endpoints that take an API key (spec, "API-key endpoints"). */
export type ApiKeyEndpointName = {
  [Name in keyof typeof ENDPOINTS]: (typeof ENDPOINTS)[Name]['auth'] extends { kind: 'api-key' }
    ? Name
    : never;
}[keyof typeof ENDPOINTS];

/** One call of an endpoint: what is sent, and what its answer is taken for. */
export interface EndpointCall<Result> {
  readonly endpoint: ApiKeyEndpointName;
  /** Parameters of the path, not yet encoded. */
  readonly path?: Readonly<Record<string, string>>;
  /** Sent as JSON; fields that are `undefined` are left out. */
  readonly body?: Readonly<Record<string, unknown>>;
  /** What most likely lies behind `success: false` inside a 2xx. */
  readonly likelyCause?: string;
  /** Reads `data` of a 2xx that is no failure by its envelope. */
  readonly read: (data: unknown) => Reading<Result>;
}

/** What `data` is: the result, a failure that only its content tells, or not what the spec describes. */
export type Reading<Result> =
  | { readonly result: Result }
  | { readonly failure: string }
  | { readonly problem: string };

/** Reads `data` by the contract's tolerant view, and gives on what is made of it. Values stay out of the problem. */
export function readBy<Received, Result>(
  view: z.ZodType<Received>,
  give: (received: Received) => Result,
): (data: unknown) => Reading<Result> {
  return (data) => {
    const parsed = view.safeParse(data);
    if (parsed.success) return { result: give(parsed.data) };
    const fields = new Set(parsed.error.issues.map(({ path }) => ['data', ...path].map(String).join('.')));
    return { problem: `${[...fields].join(', ')} is missing or malformed` };
  };
}
