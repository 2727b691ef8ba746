import type { Request, Response } from 'express';
import { CONTROL_ROUTES, type ControlHandlers, type RouteStatement } from '../routes/routes.js';

/** The validated input of a call. */
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

/** Joins the declared endpoints with their handlers. */
export function routesOf(handlers: ControlHandlers): ControlRoute[] {
  return Object.entries(CONTROL_ROUTES).map(([call, statement]) =>
    controlRoute(call, {
      ...(statement as RouteStatement),
      handle: handlers[call as keyof ControlHandlers] as NonNullable<ControlRoute['handle']>,
    }),
  );
}
