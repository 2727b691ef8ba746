import type { Endpoint, RequestPart } from '@latchkey/contract';
import type { Request, Response } from 'express';
import type { Needs } from '../../../app/services.js';
import type { CallerKey } from '../../../domain/api-keys/api-keys.js';
import { findCommunityFor } from '../../../domain/communities/communities.js';
import { readJson } from '../../../platform/http/request-body.js';
import { authenticateKey } from './authenticate-key.js';
import { type EndpointFailure, notFound, type Rejection, rejected } from './endpoint-result.js';
import type { PathTemplate } from './path-parameters.js';

/** Row of the contract's table of endpoints that takes an API key. */
export type ApiKeyEndpoint = Endpoint & { readonly auth: { readonly kind: 'api-key' } };

/** Request that passed every check. */
export interface ApiKeyCall<E extends ApiKeyEndpoint> {
  readonly apiKey: CallerKey;
  /** Output of the contract's schema; `undefined` when the endpoint has no path parameters. */
  readonly path: RequestPart<E, 'path'>;
  /** Output of the contract's schema; `undefined` when the endpoint has no body. */
  readonly body: RequestPart<E, 'body'>;
  readonly request: Request;
}

/** Endpoint, and the parsed template of its path. */
interface CheckedEndpoint<E extends ApiKeyEndpoint> {
  endpoint: E;
  template: PathTemplate;
}

/** Request that passed every check, or the response to the first check that failed. */
export type CheckedRequest<E extends ApiKeyEndpoint> =
  | { readonly kind: 'valid'; readonly call: ApiKeyCall<E> }
  | EndpointFailure
  | Rejection;

/**
 * Checks a request with an API key. The first check that fails gives the response (spec, "Errors / Shapes"):
 *
 * 1. the key is present, well-formed, known and not revoked, else 401, before a byte of the body is read
 * 2. the body can be read, else 413, 415 or 400
 * 3. path and body match the contract's schemas, else 400
 * 4. the key has every permission that the endpoint requires, else 403
 * 5. the community that the request names exists, else 404 (the only envelope here: a resource is absent)
 * 6. the key's owner has an active OWNER or ADMIN role in it, else 403
 *
 * If the body arrives after check 1, that check is repeated after check 3. Otherwise, a thief of the key could begin requests
 * that take effect after its revocation.
 */
export async function checkRequest<E extends ApiKeyEndpoint>(
  needs: Needs<'db' | 'serviceNames'>,
  { endpoint, template }: CheckedEndpoint<E>,
  { request, response }: { request: Request; response: Response },
): Promise<CheckedRequest<E>> {
  const first = await authenticateKey(needs, request);
  if (first.kind === 'rejected') return first;
  const isBodyOnItsWay = endpoint.request.body !== undefined && !request.complete;

  const parts = await readParts({ endpoint, template }, { request, response });
  if (parts.kind === 'rejected') return parts;
  const { path, body } = parts;

  const authentication = isBodyOnItsWay ? await authenticateKey(needs, request) : first;
  if (authentication.kind === 'rejected') return authentication;
  const { apiKey } = authentication;

  const { permissions, communityRole } = endpoint.auth;
  const missing = permissions.filter((permission) => !apiKey.permissions.includes(permission));
  if (missing.length > 0) {
    return rejected(403, `The API key lacks the permission ${missing.join(' and ')}.`);
  }

  if (communityRole) {
    const community = await findCommunityFor(needs.db, apiKey.ownerId, communityOf({ path, body }));
    if (community === undefined) return notFound('There is no community with this communityId.');
    if (community.role === null) {
      return rejected(403, "The API key's owner is not OWNER or ADMIN of the community.");
    }
  }
  return { kind: 'valid', call: { apiKey, path, body, request } };
}

type RequestParts<E extends ApiKeyEndpoint> =
  | ({ readonly kind: 'read' } & Pick<ApiKeyCall<E>, 'path' | 'body'>)
  | Rejection;

async function readParts<E extends ApiKeyEndpoint>(
  { endpoint, template }: CheckedEndpoint<E>,
  { request, response }: { request: Request; response: Response },
): Promise<RequestParts<E>> {
  const schemas = endpoint.request;
  const sentPath = template.read(request.path);
  if (sentPath.kind === 'undecodable') {
    return rejected(400, `${sentPath.name} is not percent-encoded UTF-8.`);
  }
  const path = schemas.path?.safeParse(sentPath.parameters);
  if (path?.error !== undefined) {
    return rejected(400, describeInvalidFields(path.error, sentPath.parameters));
  }
  const sentBody = schemas.body && (await readJson(request, response));
  const body = schemas.body?.safeParse(sentBody);
  if (body?.error !== undefined) return rejected(400, describeInvalidFields(body.error, sentBody));
  // `Endpoint` does not carry the output types of the schemas that were just applied.
  return { kind: 'read', path: path?.data, body: body?.data } as RequestParts<E>;
}

function communityOf({ path, body }: { path: unknown; body: unknown }): string {
  const { communityId } = { ...(path as object), ...(body as object) } as { communityId?: string };
  // Fails closed: a schema that lost the field must not skip the check of the role.
  if (communityId === undefined) {
    throw new Error('The endpoint requires a role, but its request has no communityId.');
  }
  return communityId;
}

/** Issues that a schema of the contract found in a request. */
interface InvalidRequest {
  readonly issues: readonly InvalidField[];
}

interface InvalidField {
  readonly code?: string | undefined;
  readonly path: readonly PropertyKey[];
  readonly message: string;
  /** Expected type, for the code `invalid_type`. */
  readonly expected?: unknown;
  /** Allowed values, for the code `invalid_value`. */
  readonly values?: readonly unknown[];
}

/** Names each invalid field with the reason, in one line. It never quotes the values that were sent. */
function describeInvalidFields({ issues }: InvalidRequest, sent: unknown): string {
  const reasons = new Set(issues.map((field) => describe(field, sent)));
  return `${[...reasons].join('; ')}.`;
}

function describe({ code, path: [name], message, expected, values }: InvalidField, sent: unknown): string {
  if (name === undefined) return 'The body must be a JSON object';
  const field = String(name);
  if (message.endsWith('is required')) return message;
  if (code === 'invalid_value') return `${field} must be one of ${values?.join(', ')}`;
  if (code !== 'invalid_type') return `${field} ${message}`;
  const isMissing = (sent as Readonly<Record<PropertyKey, unknown>>)[name] === undefined;
  if (isMissing) return `${field} is missing`;
  return `${field} must be ${expected === 'string' ? 'a string' : 'an integer'}`;
}
