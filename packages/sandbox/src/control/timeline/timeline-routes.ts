import * as z from 'zod';
import { type ControlRoute, controlRoute } from '../access/control-route.js';
import { CLOCK_PRESETS } from './presets.js';
import type { Timeline } from './timeline.js';

const UNIT_MS = { s: 1_000, m: 60_000, h: 3600_000, d: 24 * 3600_000, w: 7 * 24 * 3600_000 } as const;

const duration = z
  .string()
  .regex(/^[1-9]\d{0,8}[smhdw]$/, 'Use a whole number and a unit: 30s, 5m, 1h, 31d, 2w.')
  .transform((text) => Number(text.slice(0, -1)) * UNIT_MS[text.slice(-1) as keyof typeof UNIT_MS]);

const move = z.union(
  [
    z.strictObject({ duration }),
    z.strictObject({ instant: z.iso.datetime({ offset: true }) }),
    z.strictObject({ preset: z.enum(CLOCK_PRESETS) }),
  ],
  `Send one of "duration" (31d), "instant" (ISO 8601) or "preset" (${CLOCK_PRESETS.join(', ')}).`,
);

/** Endpoints of the clock. */
export function timelineRoutes(timeline: Timeline): readonly ControlRoute[] {
  return [
    controlRoute({
      method: 'GET',
      path: '/clock',
      summary: 'Returns the time of the service, and the instants that the data offer.',
      handle: async () => ({ ...timeline.read(), presets: await timeline.presets() }),
    }),
    controlRoute({
      method: 'POST',
      path: '/clock',
      summary: 'Moves the clock forward, does all that is due in between in order, and lists it.',
      body: move,
      handle({ body }) {
        if ('duration' in body) return timeline.advance(body.duration);
        if ('instant' in body) return timeline.moveTo(body.instant);
        return timeline.moveToPreset(body.preset);
      },
    }),
  ];
}
