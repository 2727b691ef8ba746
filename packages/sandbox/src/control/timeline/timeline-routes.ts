import * as z from 'zod';
import { type ControlRoute, controlRoute } from '../access/control-route.js';
import { CLOCK_PRESETS } from './presets.js';
import type { Timeline } from './timeline.js';

const UNIT_MS = { s: 1_000, m: 60_000, h: 3600_000, d: 24 * 3600_000, w: 7 * 24 * 3600_000 } as const;

/** Milliseconds, or calendar months. */
const duration = z
  .string()
  .regex(/^[1-9]\d{0,8}(?:[smhdw]|mo)$/, 'Use a whole number and a unit: 30s, 5m, 1h, 31d, 2w, 1mo.')
  .transform((text): { months: number } | { ms: number } => {
    const count = Number.parseInt(text, 10);
    const unit = text.replace(/^\d+/, '');
    return unit === 'mo' ? { months: count } : { ms: count * UNIT_MS[unit as keyof typeof UNIT_MS] };
  });

const move = z.union(
  [
    z.strictObject({ duration }),
    z.strictObject({ instant: z.iso.datetime({ offset: true }) }),
    z.strictObject({ preset: z.enum(CLOCK_PRESETS) }),
    z.strictObject({ membershipId: z.uuid(), to: z.enum(['end', 'renewal']) }),
  ],
  `Send one of "duration" (31d, 1mo), "instant" (ISO 8601), "preset" (${CLOCK_PRESETS.join(', ')}), or "membershipId" with "to" (end, renewal).`,
);

/** Endpoints of the clock. */
export function timelineRoutes(timeline: Timeline): readonly ControlRoute[] {
  return [
    controlRoute({
      method: 'GET',
      path: '/clock',
      summary:
        'Returns the time of the service, the instants that the data offer, and what the last move did.',
      handle: async () => ({
        ...timeline.read(),
        presets: await timeline.presets(),
        lastMove: timeline.lastMove() ?? null,
      }),
    }),
    controlRoute({
      method: 'POST',
      path: '/clock',
      summary: 'Moves the clock forward, does all that is due in between in order, and lists it.',
      body: move,
      handle({ body }) {
        if ('duration' in body) {
          const { duration: by } = body;
          return 'months' in by ? timeline.advanceMonths(by.months) : timeline.advance(by.ms);
        }
        if ('membershipId' in body) return timeline.moveToMembership(body);
        if ('instant' in body) return timeline.moveTo(body.instant);
        return timeline.moveToPreset(body.preset);
      },
    }),
  ];
}
