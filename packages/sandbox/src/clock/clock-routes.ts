import type { RouteContext } from '@latchkey/server';
import { formOf, methodNotAllowed, readForm, redirect, sameOriginGuard } from '@latchkey/server/extension';
import { type RequestHandler, Router } from 'express';

/** Steps of the buttons in milliseconds, and the notice that the home page shows afterwards. */
export const CLOCK_STEPS: ReadonlyMap<string, { ms: number; notice: string }> = new Map([
  ['1h', { ms: 3600_000, notice: 'The service’s clock went ahead by an hour.' }],
  ['31d', { ms: 31 * 24 * 3600_000, notice: 'The service’s clock went ahead by 31 days.' }],
]);

/** Moves the service's clock forward by milliseconds, and does all that is due in between. */
export type AdvanceClock = (ms: number) => Promise<unknown>;

/** Route that moves the service's clock. */
export function clockRoutes(context: RouteContext, advance: AdvanceClock): Router {
  const router = Router({ caseSensitive: true, strict: true });
  router
    .route('/sandbox/clock')
    .post(sameOriginGuard(context), readForm, advanceClock(advance))
    .all(methodNotAllowed('POST'));
  return router;
}

function advanceClock(advance: AdvanceClock): RequestHandler {
  return async (request, response) => {
    const name = formOf(request).get('advance') ?? '';
    const step = CLOCK_STEPS.get(name);
    if (step === undefined) return redirect(response, 303, '/sandbox');
    await advance(step.ms);
    redirect(response, 303, `/sandbox?${new URLSearchParams({ advanced: name })}`);
  };
}
