import * as z from 'zod';
import { phrase, t } from '../../platform/language/language.js';
import { defineResource } from '../fields/define-resource.js';
import { END_BEFORE_START, endsAfterStart, instantField, NAME } from '../fields/fields.js';

const SLOTS_MAX = 1_000_000_000;

const SLOTS_MESSAGE = {
  error: () =>
    t('Enter a whole number from 0 to {max}, or nothing for unlimited slots.', { max: `${SLOTS_MAX}` }),
};

export const dropResource = defineResource({
  fields: {
    name: NAME,
    /** Null for unlimited slots. */
    slots: {
      schema: z.int(SLOTS_MESSAGE).min(0, SLOTS_MESSAGE).max(SLOTS_MAX, SLOTS_MESSAGE).nullable(),
      initial: null,
      label: phrase('Slots'),
      hint: phrase('Maximum number of signups. Leave blank for no limit.'),
    },
    startsAt: {
      schema: instantField,
      isInstant: true,
      label: phrase('Starts'),
      hintWhenNew: phrase('Leave blank to start now.'),
      hintOfChange: phrase('Leave blank to keep the current start.'),
    },
    /** First instant after the drop; null if it never ends. */
    endsAt: {
      schema: instantField.nullable(),
      initial: null,
      isInstant: true,
      label: phrase('Ends'),
      hint: phrase('Leave blank for no end. Without a time, it ends as the day begins.'),
    },
  },
  rule: (drop) =>
    drop.refine(({ startsAt, endsAt }) => endsAfterStart(startsAt, endsAt), {
      path: ['endsAt'],
      error: END_BEFORE_START,
      // Reported beside the errors of other fields.
      when: ({ value }) => hasInstants(value),
    }),
});

export const dropSchema = dropResource.create;

export type DropSettings = z.output<typeof dropSchema>;

/** State of a drop. A drop that was ended before its start is cancelled. */
export type DropState = 'upcoming' | 'running' | 'ended' | 'cancelled';

/** Returns the state of a drop. It runs from `startsAt` on, until just before `endsAt`. */
export function dropState(
  { startsAt, endsAt }: Pick<DropSettings, 'startsAt' | 'endsAt'>,
  now: number,
): DropState {
  if (endsAt !== null && endsAt <= now) return endsAt <= startsAt ? 'cancelled' : 'ended';
  return startsAt <= now ? 'running' : 'upcoming';
}

function hasInstants(value: unknown): boolean {
  const { startsAt, endsAt } = (value ?? {}) as Record<string, unknown>;
  return typeof startsAt === 'number' && (endsAt === null || typeof endsAt === 'number');
}
