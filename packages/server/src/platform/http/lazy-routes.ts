import type { RequestHandler } from 'express';

/**
 * Creates routes whose code is loaded with the first request. The server then starts faster and uses less memory. After a
 * failed load the next request loads them again.
 */
export function lazyRoutes(load: () => Promise<RequestHandler>): RequestHandler {
  let loading: Promise<RequestHandler> | undefined;
  return async (request, response, next) => {
    loading ??= load();
    const routes = await loading.catch((error: unknown) => {
      loading = undefined;
      throw error;
    });
    return routes(request, response, next);
  };
}
