import type { Endpoint, RequestPart, SuccessData } from '@latchkey/contract';
import { type Request, type RequestHandler, type Response, Router } from 'express';
import type { CallerKey } from '../../domain/api-keys/api-keys.js';
import { findCommunityFor } from '../../domain/communities/communities.js';
import type { Database } from '../../platform/database/open-database.js';
import { methodNotAllowed } from '../../platform/http/error-handler.js';
import { readJson } from '../../platform/http/request-body.js';
import { authenticateKey } from './authenticate-key.js';
import { describeInvalidFields } from './describe-invalid-fields.js';
import { notFound, type Outcome, rejected, sendOutcome } from './endpoint-result.js';
import { type PathTemplate, pathTemplate } from './path-parameters.js';

interface ApiKeyRouteNeeds {
  readonly logUrl: string | undefined;
  readonly db: Database;
}

/** A row of the contract's table of endpoints that takes an API key. */
export type ApiKeyEndpoint = Endpoint & { readonly auth: { readonly kind: 'api-key' } };

/** A request that passed every check. */
export interface ApiKeyCall<E extends ApiKeyEndpoint> {
  readonly apiKey: CallerKey;
  /** As the contract's schema gives it on; `undefined` when the endpoint has no such part. */
  readonly path: RequestPart<E, 'path'>;
  /** As the contract's schema gives it on; `undefined` when the endpoint has no such part. */
  readonly body: RequestPart<E, 'body'>;
  readonly request: Request;
}

/** What an endpoint does with a request that passed every check. */
export type ApiKeyHandler<E extends ApiKeyEndpoint> = (
  call: ApiKeyCall<E>,
) => Promise<Outcome<SuccessData<E>>>;

/**
 * Makes the routes of one endpoint behind an API key: its own method, and 405 for the others. No other origin is let in
 * (CORS), because a key must never be in a browser, and nothing is rate limited. {@link judgeRequest} has the checks.
 */
export function apiKeyRoute<E extends ApiKeyEndpoint>(
  needs: ApiKeyRouteNeeds,
  endpoint: E,
  handler: ApiKeyHandler<E>,
): Router {
  const template = pathTemplate(endpoint.path);
  const answer: RequestHandler = async (request, response) => {
    const judged = await judgeRequest(needs, { endpoint, template }, { request, response });
    const outcome = 'refusal' in judged ? judged.refusal : await handler(judged.call);
    const { status: successStatus } = endpoint.success;
    sendOutcome(needs, { request, response }, { outcome, successStatus });
  };
  const router = Router();
  const route = router.route(template.matcher);
  if (endpoint.method === 'GET') route.get(answer);
  else route.post(answer);
  route.all(methodNotAllowed(endpoint.method));
  return router;
}

interface Judged<E extends ApiKeyEndpoint> {
  endpoint: E;
  /** Of the endpoint's path. */
  template: PathTemplate;
}

type Verdict<E extends ApiKeyEndpoint> = { call: ApiKeyCall<E> } | { refusal: Outcome<never> };

/**
 * The checks of a request with an API key; the first one that fails answers (spec, "Errors / Shapes"):
 *
 * 1. the key is there, well-formed, known and not revoked, else 401, before a byte of the body is read
 * 2. the body can be read, else 413, 415 or 400
 * 3. path and body are what the contract says, else 400
 * 4. the key has every permission of the endpoint, else 403
 * 5. the community that the request names exists, else 404 (the only envelope here: a resource is absent)
 * 6. the key's owner is OWNER or ADMIN of it, actively and now, else 403
 */
async function judgeRequest<E extends ApiKeyEndpoint>(
  { db }: ApiKeyRouteNeeds,
  { endpoint, template }: Judged<E>,
  { request, response }: { request: Request; response: Response },
): Promise<Verdict<E>> {
  const authentication = await authenticateKey(db, request);
  if ('refusal' in authentication) return { refusal: rejected(401, authentication.refusal) };
  const { apiKey } = authentication;

  const read = await readRequest({ endpoint, template }, { request, response });
  if ('refusal' in read) return { refusal: rejected(400, read.refusal) };

  const { permissions, communityRole } = endpoint.auth;
  const lacking = permissions.filter((permission) => !apiKey.permissions.includes(permission));
  if (lacking.length > 0) {
    return { refusal: rejected(403, `The API key lacks the permission ${lacking.join(' and ')}.`) };
  }

  if (communityRole) {
    const community = await findCommunityFor(db, apiKey.ownerId, communityOf(read));
    if (community === undefined) {
      return { refusal: notFound('There is no community with this communityId.') };
    }
    if (community.role === null) {
      return { refusal: rejected(403, "The API key's owner is not OWNER or ADMIN of the community.") };
    }
  }
  return { call: { apiKey, ...read, request } };
}

type ReadRequest<E extends ApiKeyEndpoint> = Pick<ApiKeyCall<E>, 'path' | 'body'>;

async function readRequest<E extends ApiKeyEndpoint>(
  { endpoint, template }: Judged<E>,
  { request, response }: { request: Request; response: Response },
): Promise<ReadRequest<E> | { refusal: string }> {
  const schemas = endpoint.request;
  const sentPath = template.read(request.path);
  if ('undecodable' in sentPath) {
    return { refusal: `${sentPath.undecodable} is not percent-encoded UTF-8.` };
  }
  const path = schemas.path?.safeParse(sentPath.parameters);
  if (path?.error !== undefined) {
    return { refusal: describeInvalidFields(path.error, sentPath.parameters) };
  }
  const sentBody = schemas.body && (await readJson(request, response));
  const body = schemas.body?.safeParse(sentBody);
  if (body?.error !== undefined) return { refusal: describeInvalidFields(body.error, sentBody) };
  // The generic row's schemas are these very ones; only their outputs' types are not told by `Endpoint`.
  return { path: path?.data, body: body?.data } as ReadRequest<E>;
}

function communityOf({ path, body }: { path: unknown; body: unknown }): string {
  const { communityId } = { ...(path as object), ...(body as object) } as { communityId?: string };
  // Never let an endpoint pass without the role only because its schema lost the field.
  if (communityId === undefined)
    throw new Error('The endpoint needs a role but its request has no communityId.');
  return communityId;
}
