import type { Clock, RouteContext } from '@latchkey/server';
import {
  cancelSubscription,
  type Database,
  formOf,
  inTransaction,
  readForm,
  redirect,
  sameOriginGuard,
} from '@latchkey/server/extension';
import { type RequestHandler, Router } from 'express';
import { ControlFailure } from '../control/access/control-failure.js';
import type { SandboxControl } from '../control/control.js';
import { CLOCK_PRESETS } from '../control/timeline/presets.js';
import type { ClockMove } from '../control/timeline/timeline.js';

/** Time that is left to the membership. Longer than programs keep the memberships that they have read. */
const LEFT_MS = 5 * 60_000;

/** Parts of the sandbox that {@link endAccess} uses. */
interface EndAccessNeeds {
  readonly db: Database;
  readonly clock: Clock;
  readonly control: Pick<SandboxControl, 'clock' | 'data'>;
}

/**
 * Lets a membership end by time: cancels its renewal, brings its end forward to five minutes from now, and moves the clock
 * there. The sessions of its owner stay valid, so a site shows the end and not a signed-out visitor.
 *
 * @returns undefined if no such membership is running.
 */
async function endAccess(
  { db, clock, control }: EndAccessNeeds,
  membershipId: string,
): Promise<ClockMove | undefined> {
  const now = clock.now();
  const running = await inTransaction(db, async (transaction) => {
    const row = await transaction
      .selectFrom('memberships')
      .selectAll()
      .where('id', '=', membershipId)
      .executeTakeFirst();
    if (row === undefined || (row.valid_until !== null && row.valid_until <= now)) return undefined;
    await cancelSubscription(transaction, row, now);
    return row;
  });
  if (running === undefined) return undefined;
  const { id, user_id, product_type, community_id, product_id, valid_from, valid_until } = running;
  const endsAt = Math.min(now + LEFT_MS, valid_until ?? Number.POSITIVE_INFINITY);
  await control.data.grantMembership({
    id,
    userId: user_id,
    productType: product_type,
    ...(community_id !== null && { communityId: community_id }),
    ...(product_id !== null && { productId: product_id }),
    validFrom: Math.min(valid_from, now),
    validUntil: endsAt,
  });
  return await control.clock.moveTo(endsAt);
}

/** Steps of the buttons: label and milliseconds. */
export const CLOCK_STEPS: ReadonlyMap<string, { label: string; ms: number }> = new Map([
  ['1m', { label: '1 minute', ms: 60_000 }],
  ['1h', { label: '1 hour', ms: 3600_000 }],
  ['1d', { label: '1 day', ms: 24 * 3600_000 }],
  ['31d', { label: '31 days', ms: 31 * 24 * 3600_000 }],
]);

/** Newest move of the clock by a button, for the list of what happened. */
export interface LastMove {
  move?: ClockMove | undefined;
}

/** Route of the buttons that move the service's clock. */
export function clockRoutes(
  context: RouteContext,
  control: Pick<SandboxControl, 'clock' | 'data'>,
  last: LastMove,
): Router {
  const router = Router({ caseSensitive: true, strict: true });
  // The console has a page of the same path, which answers the other methods.
  router.post('/sandbox/clock', sameOriginGuard(context), readForm, moveClock(context, control, last));
  return router;
}

function moveClock(
  context: RouteContext,
  control: Pick<SandboxControl, 'clock' | 'data'>,
  last: LastMove,
): RequestHandler {
  const { db, clock } = context;
  const moveBy = (form: URLSearchParams): Promise<ClockMove | undefined> | undefined => {
    const step = CLOCK_STEPS.get(form.get('advance') ?? '');
    if (step !== undefined) return control.clock.advance(step.ms);
    const preset = CLOCK_PRESETS.find((name) => name === form.get('preset'));
    if (preset !== undefined) return control.clock.moveToPreset(preset);
    const membershipId = form.get('end');
    return membershipId === null ? undefined : endAccess({ db, clock, control }, membershipId);
  };
  return async (request, response) => {
    try {
      const move = await moveBy(formOf(request));
      if (move === undefined) return redirect(response, 303, '/sandbox');
      last.move = move;
      redirect(response, 303, '/sandbox?clock=moved');
    } catch (error) {
      // Nothing of this kind is ahead any more, or the clock would be too far ahead.
      if (!(error instanceof ControlFailure)) throw error;
      redirect(response, 303, '/sandbox?clock=refused');
    }
  };
}
