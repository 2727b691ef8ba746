import type { RouteContext } from '@latchkey/server';
import { formOf, methodNotAllowed, readForm, redirect, sameOriginGuard } from '@latchkey/server/extension';
import { type RequestHandler, Router } from 'express';
import type { SandboxClock } from './sandbox-clock.js';

/** Steps of the buttons in milliseconds, and the notice that the home page shows afterwards. */
export const CLOCK_STEPS: ReadonlyMap<string, { ms: number; notice: string }> = new Map([
  ['1h', { ms: 3600_000, notice: 'The service’s clock went ahead by an hour.' }],
  ['31d', { ms: 31 * 24 * 3600_000, notice: 'The service’s clock went ahead by 31 days.' }],
]);

/** Route that moves the service's clock. */
export function clockRoutes(context: RouteContext, clock: SandboxClock): Router {
  const router = Router({ caseSensitive: true, strict: true });
  router
    .route('/sandbox/clock')
    .post(sameOriginGuard(context), readForm, advanceClock(context, clock))
    .all(methodNotAllowed('POST'));
  return router;
}

function advanceClock({ runDueWork }: RouteContext, clock: SandboxClock): RequestHandler {
  return async (request, response) => {
    const name = formOf(request).get('advance') ?? '';
    const step = CLOCK_STEPS.get(name);
    if (step === undefined) return redirect(response, 303, '/sandbox');
    clock.advance(step.ms);
    // Renewals and expiries of the skipped time are visible on the page that follows.
    await runDueWork();
    redirect(response, 303, `/sandbox?${new URLSearchParams({ advanced: name })}`);
  };
}
