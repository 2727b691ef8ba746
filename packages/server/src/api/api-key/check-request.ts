import type { Endpoint, RequestPart } from '@latchkey/contract';
import type { Request, Response } from 'express';
import type * as z from 'zod';
import type { Needs } from '../../app/services.js';
import { isApiKey } from '../../features/api-keys/api-key.resource.js';
import { type CallerKey, findActiveApiKey } from '../../features/api-keys/api-keys.js';
import { identifyActor } from '../../features/audit/audit.js';
import { findCommunityFor } from '../../features/communities/communities.js';
import { readJson } from '../../platform/http/request-input.js';
import { hashSecret } from '../../platform/secrets.js';
import { type EndpointFailure, notFound, type Rejection, rejected } from './endpoint-result.js';

export type ApiKeyEndpoint = Endpoint & { readonly auth: { readonly kind: 'api-key' } };

export interface ApiKeyCall<E extends ApiKeyEndpoint> {
  readonly apiKey: CallerKey;
  readonly path: RequestPart<E, 'path'>;
  readonly body: RequestPart<E, 'body'>;
  readonly request: Request;
}

/**
 * Checks a request with an API key. The first check that fails decides the response (spec, "Errors / Shapes"):
 *
 * 1. the key is present, well-formed, known and not revoked, else 401, before a byte of the body is read
 * 2. the body can be read, else 413, 415 or 400
 * 3. path and body match the contract's schemas, else 400
 * 4. the key has every permission that the endpoint requires, else 403
 * 5. the community in the request exists, else 404 (the only envelope here: a resource is missing)
 * 6. the key's owner has an active OWNER or ADMIN role in it, else 403
 *
 * If the body arrives after check 1, the check is repeated after check 3. Otherwise someone with a stolen key could
 * begin requests that take effect after it was revoked.
 */
export async function checkRequest<E extends ApiKeyEndpoint>(
  needs: Needs<'db' | 'serviceNames'>,
  { endpoint, template }: { endpoint: E; template: PathTemplate },
  { request, response }: { request: Request; response: Response },
): Promise<{ readonly kind: 'valid'; readonly call: ApiKeyCall<E> } | EndpointFailure | Rejection> {
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

type Authentication = { readonly kind: 'authenticated'; readonly apiKey: CallerKey } | Rejection;

/** The key is read from the database for each request, so a revocation takes effect at once (spec, "API keys"). */
async function authenticateKey(
  { db, serviceNames: { apiKeyPrefix } }: Needs<'db' | 'serviceNames'>,
  request: Request,
): Promise<Authentication> {
  const headers = request.headersDistinct.authorization ?? [];
  if (headers.length === 0) {
    return rejected(401, `The API key is missing. Send it as Authorization: Bearer ${apiKeyPrefix}….`);
  }
  if (headers.length > 1) return rejected(401, 'The Authorization header is sent more than once.');
  const [, key = ''] = /^bearer +(\S+)$/i.exec(headers[0] ?? '') ?? [];
  if (!isApiKey(key, apiKeyPrefix)) {
    return rejected(
      401,
      `The Authorization header has no well-formed API key: Bearer, then ${apiKeyPrefix} and 43 characters.`,
    );
  }
  const apiKey = await findActiveApiKey(db, hashSecret(key));
  if (apiKey === undefined) return rejected(401, 'The API key is unknown or revoked.');
  identifyActor('api-key', apiKey.id);
  return { kind: 'authenticated', apiKey };
}

type RequestParts<E extends ApiKeyEndpoint> =
  | ({ readonly kind: 'read' } & Pick<ApiKeyCall<E>, 'path' | 'body'>)
  | Rejection;

async function readParts<E extends ApiKeyEndpoint>(
  { endpoint, template }: { endpoint: E; template: PathTemplate },
  { request, response }: { request: Request; response: Response },
): Promise<RequestParts<E>> {
  const schemas = endpoint.request;
  const sentPath = template.read(request.path);
  if (sentPath.kind === 'undecodable') {
    return rejected(400, `${sentPath.name} is not percent-encoded UTF-8.`);
  }
  const path = schemas.path?.safeParse(sentPath.parameters);
  if (path?.error !== undefined) {
    return rejected(400, describeInvalidFields(path.error.issues, sentPath.parameters));
  }
  const sentBody = schemas.body && (await readJson(request, response));
  const body = schemas.body?.safeParse(sentBody);
  if (body?.error !== undefined) return rejected(400, describeInvalidFields(body.error.issues, sentBody));
  // `Endpoint` doesn't carry the output types of the schemas that were just applied.
  return { kind: 'read', path: path?.data, body: body?.data } as RequestParts<E>;
}

type PathTemplate = ReturnType<typeof pathTemplate>;

export function pathTemplate(template: string) {
  const segments = template.split('/');
  const places = segments.flatMap((segment, index) => {
    const name = /^\{(\w+)\}$/.exec(segment)?.[1];
    return name === undefined ? [] : [{ name, index }];
  });
  const patterns = segments.map((segment) => (segment.startsWith('{') ? '[^/]+' : segment));
  return {
    /**
     * Matches the endpoint's raw paths. Without groups, the router decodes nothing, so a segment with invalid
     * percent-encoding is rejected after the key is checked, like any other invalid field.
     */
    matcher: new RegExp(`^${patterns.join('/')}$`),
    /** Decodes the parameters of a matching path, or returns the name of the first with invalid percent-encoding. */
    read(path: string) {
      const sent = path.split('/');
      const parameters: Record<string, string> = {};
      for (const { name, index } of places) {
        try {
          parameters[name] = decodeURIComponent(sent[index] ?? '');
        } catch {
          return { kind: 'undecodable', name } as const;
        }
      }
      return { kind: 'decoded', parameters } as const;
    },
  };
}

function communityOf({ path, body }: { path: unknown; body: unknown }): string {
  const { communityId } = { ...(path as object), ...(body as object) } as { communityId?: string };
  // Fails closed: if the schema ever loses the field, the role must not go unchecked.
  if (communityId === undefined) {
    throw new Error('The endpoint requires a role, but its request has no communityId.');
  }
  return communityId;
}

/** Lists each invalid field with the reason, in one line. Never quotes the values that were sent. */
function describeInvalidFields(issues: readonly z.core.$ZodIssue[], sent: unknown): string {
  const reasons = new Set(issues.map((issue) => describe(issue, sent)));
  return `${[...reasons].join('; ')}.`;
}

function describe(issue: z.core.$ZodIssue, sent: unknown): string {
  const { path, message } = issue;
  const [name] = path;
  if (name === undefined) return 'The body must be a JSON object';
  const field = String(name);
  if (message.endsWith('is required')) return message;
  if (issue.code === 'invalid_value') return `${field} must be one of ${issue.values.join(', ')}`;
  if (issue.code !== 'invalid_type') return `${field} ${message}`;
  const isMissing = (sent as Readonly<Record<PropertyKey, unknown>>)[name] === undefined;
  if (isMissing) return `${field} is missing`;
  return `${field} must be ${issue.expected === 'string' ? 'a string' : 'an integer'}`;
}
