import * as z from 'zod';

/**
 * Removes parameters with an empty value, which count as omitted (RFC 6749 sections 3.1 and 3.2). Some clients send
 * `client_secret=`. Returns other values than objects unchanged, so that the schema rejects them.
 */
export function omitEmptyParameters(body: unknown): unknown {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return body;
  return Object.fromEntries(Object.entries(body).filter(([, value]) => value !== ''));
}

/** Client credentials in the body (`client_secret_post`). The service checks them before the grant. */
export const clientCredentialsBody = z.preprocess(
  omitEmptyParameters,
  z.object({ client_id: z.string(), client_secret: z.string().optional() }),
);

/** Client credentials. A public client has no secret. */
export type ClientCredentials = z.output<typeof clientCredentialsBody>;
