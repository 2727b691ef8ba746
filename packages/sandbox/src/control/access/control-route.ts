import type { Request, Response } from 'express';
import type * as z from 'zod';
import { CONTROL_ROUTES, type ControlHandlers, type RouteStatement } from '../routes/routes.js';

/** Checked input of a call. */
export interface ControlCall<Query, Body> {
  /** Parameters of the path, percent-decoded. */
  readonly params: Readonly<Record<string, string>>;
  readonly query: Query;
  readonly body: Body;
}

/** Endpoint of the control API with its work. Its documentation is made from the same object. */
export interface ControlRoute extends Omit<RouteStatement, 'isDestructive'> {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  /** Path below `/sandbox/api`, with parameters as `{name}`. */
  readonly path: string;
  /** True if the handler gets the body as it is, and parses it. `body` describes it. */
  readonly parsesBody?: boolean;
  /** Returns the body of the response. `undefined` gives 204. */
  handle?(call: ControlCall<unknown, unknown>): unknown;
  /** Sends the response itself, in place of `handle`. */
  respond?(request: Request, response: Response): void;
}

interface TypedRoute<Query extends z.ZodType, Body extends z.ZodType>
  extends Pick<ControlRoute, 'summary' | 'parsesBody' | 'bodyLimit'> {
  readonly query?: Query;
  readonly body?: Body;
  handle(call: ControlCall<z.output<Query>, z.output<Body>>): unknown;
}

/**
 * Describes an endpoint whose handler gets the parsed query and body.
 *
 * @param call method and path: `GET /faults/{id}`.
 */
export function controlRoute<Query extends z.ZodType, Body extends z.ZodType>(
  call: `${ControlRoute['method']} ${string}`,
  route: TypedRoute<Query, Body>,
): ControlRoute {
  const [method, path] = call.split(' ');
  return { method, path, ...route } as ControlRoute;
}

/** Joins the stated endpoints with their work. */
export function routesOf(handlers: ControlHandlers): ControlRoute[] {
  return Object.entries(CONTROL_ROUTES).map(([call, statement]) =>
    controlRoute(call as `GET ${string}`, {
      ...(statement as RouteStatement),
      handle: handlers[call as keyof ControlHandlers] as NonNullable<ControlRoute['handle']>,
    }),
  );
}
