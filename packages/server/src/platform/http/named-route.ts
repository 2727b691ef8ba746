import type { Response } from 'express';

/** Names the route of a request for the log and the metrics. For routes that are no text, or whose paths name people. */
export function nameRoute(response: Response, template: string): void {
  response.locals.route = template;
}

/** Returns the name of the route, or undefined if it has none. */
export function namedRoute(response: Response): string | undefined {
  return response.locals.route as string | undefined;
}
