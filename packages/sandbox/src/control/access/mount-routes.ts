import { isError } from '@latchkey/contract/constants';
import { type Logger, OperatorError } from '@latchkey/server';
import { identifyActor } from '@latchkey/server/extension';
import express, {
  type ErrorRequestHandler,
  type Request,
  type RequestHandler,
  type Response,
  Router,
} from 'express';
import * as z from 'zod';
import { CONTROL_ROUTES, type ControlHandlers, type RouteStatement } from '../routes/routes.js';
import { ControlFailure, parseInput } from './control-failure.js';

interface ControlCall {
  /** Parameters of the path, percent-decoded. */
  readonly params: Readonly<Record<string, string>>;
  readonly query: unknown;
  readonly body: unknown;
}

/** An endpoint of the control API with its handler. Its documentation comes from the same object. */
export interface ControlRoute extends Omit<RouteStatement, 'isDestructive'> {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  /** Path below `/sandbox/api`, with parameters as `{name}`. */
  readonly path: string;
  /** True if the handler gets the body as it is and parses it. `body` describes it. */
  readonly parsesBody?: boolean;
  /** Returns the body of the response. `undefined` gives 204. */
  handle?(call: ControlCall): unknown;
  /** Sends the response itself, in place of `handle`. */
  respond?(request: Request, response: Response): void;
}

/**
 * Describes an endpoint.
 *
 * @param call method and path: `GET /faults/{id}`.
 */
export function controlRoute(call: string, route: Omit<ControlRoute, 'method' | 'path'>): ControlRoute {
  const [method, path] = call.split(' ');
  return { method, path, ...route } as ControlRoute;
}

export function routesOf(handlers: ControlHandlers): ControlRoute[] {
  return Object.entries(CONTROL_ROUTES).map(([call, statement]) =>
    controlRoute(call, {
      ...(statement as RouteStatement),
      handle: handlers[call as keyof ControlHandlers] as NonNullable<ControlRoute['handle']>,
    }),
  );
}

const DEFAULT_BODY_LIMIT = 100 * 1024;

/** Returns a router with the endpoints, behind the guard. Every failure is JSON: `{ "error": { code, message, fields } }`. */
export function mountRoutes(
  routes: readonly ControlRoute[],
  { guard, logger }: { guard: RequestHandler; logger: Logger },
): Router {
  const router = Router({ caseSensitive: true, strict: true });
  router.use(guard);
  router.use((_request, _response, next) => {
    identifyActor('operator', null);
    next();
  });
  for (const path of new Set(routes.map((route) => route.path))) {
    const same = routes.filter((route) => route.path === path);
    const mounted = router.route(path.replaceAll(/\{(\w+)\}/g, ':$1'));
    for (const route of same) {
      const method = route.method.toLowerCase() as 'get' | 'post' | 'patch' | 'delete';
      mounted[method](readJsonBody(route), handlerOf(route));
    }
    mounted.all(otherMethod([...new Set(same.map(({ method }) => method))].join(', ')));
  }
  router.use(() => {
    throw new ControlFailure(
      'not_found',
      'There is no such path. GET /sandbox/api/openapi.json lists all of them.',
    );
  });
  router.use(sendFailure(logger));
  return router;
}

function readJsonBody({ method, bodyLimit = DEFAULT_BODY_LIMIT }: ControlRoute): RequestHandler {
  if (method === 'GET') return (_request, _response, next) => next();
  return express.json({ type: () => true, limit: bodyLimit });
}

function handlerOf(route: ControlRoute): RequestHandler {
  const { respond, handle, query, body, parsesBody = false } = route;
  if (respond !== undefined) return (request, response) => respond(request, response);
  return async (request, response) => {
    const search = new URL(request.originalUrl, 'http://sandbox').searchParams;
    const result = await handle?.({
      params: request.params as Record<string, string>,
      query: query && parseInput(query, Object.fromEntries(search), 'query'),
      body: body && (parsesBody ? (request.body ?? {}) : parseInput(body, request.body ?? {})),
    });
    if (result === undefined) response.status(204).end();
    else response.json(result);
  };
}

function otherMethod(allowed: string): RequestHandler {
  return ({ method }, response) => {
    response.set('Allow', allowed);
    throw new ControlFailure('method_not_allowed', `${method} is not allowed here, only ${allowed}.`);
  };
}

export function sendFailure(logger: Logger): ErrorRequestHandler {
  return (error: unknown, _request, response, next) => {
    if (response.headersSent) return next(error);
    const failure = asFailure(error);
    if (failure.code === 'internal_error') logger.error({ error }, 'Call to the control API failed');
    const { code, message, fields, status } = failure;
    response.status(status).json({ error: { code, message, fields } });
  };
}

const OPERATOR_CODES = {
  already_exists: 'conflict',
  conflict: 'conflict',
  invalid_input: 'invalid_input',
  not_found: 'not_found',
  not_supported: 'method_not_allowed',
} as const;

function asFailure(error: unknown): ControlFailure {
  if (error instanceof ControlFailure) return error;
  if (error instanceof OperatorError) {
    return new ControlFailure(OPERATOR_CODES[error.code], error.message, error.fields);
  }
  const status = isError(error) && 'status' in error ? error.status : undefined;
  if (status === 413) return new ControlFailure('too_large', 'The body is too large.');
  // The parser's own messages can quote the body.
  if (typeof status === 'number' && status < 500) {
    return new ControlFailure('invalid_input', 'The body is not JSON in UTF-8, or the path is malformed.');
  }
  return new ControlFailure('internal_error', 'The sandbox failed to answer. Its log contains the error.');
}

/** The endpoints as an OpenAPI 3.1 document. */
export interface ControlDescription {
  readonly openapi: '3.1.0';
  /** Operations by path and method. */
  readonly paths: Readonly<Record<string, Readonly<Record<string, ControlOperation>>>>;
}

interface ControlOperation {
  readonly summary: string;
  readonly requestBody?: { readonly content: { readonly 'application/json': { readonly schema: object } } };
}

export function descriptionOf(routes: readonly ControlRoute[], basePath: string): ControlDescription {
  const paths: Record<string, Record<string, ControlOperation>> = {};
  for (const route of routes) {
    const path = `${basePath}${route.path}`;
    paths[path] = { ...paths[path], [route.method.toLowerCase()]: operationOf(route) };
  }
  const about = {
    info: { title: 'Control API of the sandbox', version: '1' },
    security: [{ token: [] }],
    components: { securitySchemes: { token: { type: 'http', scheme: 'bearer' } } },
  };
  return { openapi: '3.1.0', ...about, paths };
}

function operationOf({ path, summary, params = {}, query, body }: ControlRoute): ControlOperation {
  const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(
    ([, name = '']) => [name, params[name] ?? z.string()] as const,
  );
  const inQuery = query instanceof z.ZodObject ? Object.entries<z.ZodType>(query.shape) : [];
  const parameter = (place: 'path' | 'query', [name, schema]: readonly [string, z.ZodType]) => ({
    name,
    in: place,
    required: place === 'path' || !schema.safeParse(undefined).success,
    schema: jsonSchema(schema),
  });
  const described = {
    parameters: [
      ...inPath.map((each) => parameter('path', each)),
      ...inQuery.map((each) => parameter('query', each)),
    ],
    responses: { default: { description: 'JSON; a failure is `{ "error": { code, message, fields } }`.' } },
  };
  return {
    summary,
    ...described,
    ...(body && { requestBody: { content: { 'application/json': { schema: jsonSchema(body) } } } }),
  };
}

function jsonSchema(schema: z.ZodType): object {
  return z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' });
}
