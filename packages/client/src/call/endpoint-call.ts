import type { ENDPOINTS } from '@latchkey/contract';
import type * as z from 'zod';
import type { Settings } from '../options/options.js';

/** Names of the endpoints that require an API key (spec, "API-key endpoints"). */
export type ApiKeyEndpointName = {
  [Name in keyof typeof ENDPOINTS]: (typeof ENDPOINTS)[Name]['auth'] extends { kind: 'api-key' }
    ? Name
    : never;
}[keyof typeof ENDPOINTS];

/** How to call an endpoint: its request, and the parser of its response. */
export interface EndpointCall<Request, Result> {
  readonly endpoint: ApiKeyEndpointName;
  /**
   * Returns the path parameters, not yet percent-encoded, and the body. It's sent as JSON, without `undefined` fields.
   * @throws InvalidRequest for values that the service would accept but that are probably mistakes.
   */
  readonly prepare: (
    request: Request,
    settings: Settings,
  ) => { path?: Readonly<Record<string, string>>; body?: Readonly<Record<string, unknown>> };
  /** Most likely cause of a `success: false` in a 2xx, for the error message. */
  readonly likelyCause?: string;
  /** Parses `data` of a successful response. */
  readonly parse: (data: unknown) => DataResult<Result>;
}

/** Result of parsing `data`. A `failure` is a failed call with an envelope that reports success. */
type DataResult<Result> =
  | { readonly kind: 'success'; readonly result: Result }
  | { readonly kind: 'failure'; readonly problem: string }
  | { readonly kind: 'malformed'; readonly problem: string };

/** Creates a parser of `data` from a schema and a conversion. Problems mention field names, never values. */
export function parseBy<Received, Result>(
  schema: z.ZodType<Received>,
  convert: (received: Received) => Result,
): (data: unknown) => DataResult<Result> {
  return (data) => {
    const parsed = schema.safeParse(data);
    if (parsed.success) return { kind: 'success', result: convert(parsed.data) };
    const fields = new Set(parsed.error.issues.map(({ path }) => ['data', ...path].map(String).join('.')));
    return { kind: 'malformed', problem: `${[...fields].join(', ')} is missing or malformed` };
  };
}

/** Internal error for an argument that the client rejects. The call turns it into a `LatchkeyApiError`. */
export class InvalidRequest extends Error {
  override readonly name = 'InvalidRequest';
}
