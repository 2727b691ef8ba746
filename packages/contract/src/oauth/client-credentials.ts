import * as z from 'zod';

/**
 * Drops parameters with an empty value, which count as omitted (RFC 6749 sections 3.1 and 3.2); real clients send
 * `client_secret=`. Anything that is not an object is given on as it is, for the schema to refuse.
 */
export function omitEmptyParameters(body: unknown): unknown {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return body;
  return Object.fromEntries(Object.entries(body).filter(([, value]) => value !== ''));
}

/** Client credentials in the body (`client_secret_post`). Read first: they are judged before the grant. */
export const clientCredentialsBody = z.preprocess(
  omitEmptyParameters,
  z.object({ client_id: z.string(), client_secret: z.string().optional() }),
);

/** Client credentials; a public client has no secret. */
export type ClientCredentials = z.output<typeof clientCredentialsBody>;
