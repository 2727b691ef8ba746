import { methodNotAllowed } from '@latchkey/server/extension';
import type { RequestHandler, Router } from 'express';

/** Adds a path that is only read. Other methods get 405. */
export function onGet<Params = Record<string, string>>(
  router: Router,
  path: string,
  ...handlers: RequestHandler<Params>[]
): void {
  router
    .route(path)
    .get(...(handlers as RequestHandler[]))
    .all(methodNotAllowed('GET'));
}

/** Adds a path that only forms are sent to. Other methods get 405. */
export function onPost<Params = Record<string, string>>(
  router: Router,
  path: string,
  ...handlers: RequestHandler<Params>[]
): void {
  router
    .route(path)
    .post(...(handlers as RequestHandler[]))
    .all(methodNotAllowed('POST'));
}
