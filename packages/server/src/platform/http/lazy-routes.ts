import type { RequestHandler } from 'express';

/**
 * Routes whose code is loaded with the first request that gets to them: a server starts faster, and takes less memory,
 * when it loads what it answers with and nothing else.
 */
export function lazyRoutes(load: () => Promise<RequestHandler>): RequestHandler {
  let loading: Promise<RequestHandler> | undefined;
  return async (request, response, next) => {
    loading ??= load();
    const routes = await loading;
    return routes(request, response, next);
  };
}
