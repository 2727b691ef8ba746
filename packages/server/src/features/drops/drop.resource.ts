import * as z from 'zod';
import { phrase, t } from '../../platform/language/language.js';
import { defineRecords } from '../fields/define-records.js';
import { defineResource } from '../fields/define-resource.js';
import {
  EMAIL,
  END_BEFORE_START,
  endsAfterStart,
  idOf,
  instantField,
  NAME,
  NEW_ID,
} from '../fields/fields.js';

const SLOTS_MAX = 1_000_000_000;

const SLOTS_MESSAGE = {
  error: () =>
    t('Enter a whole number from 0 to {max}, or nothing for unlimited slots.', { max: `${SLOTS_MAX}` }),
};

export const dropResource = defineResource({
  fields: {
    name: NAME,
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
  rule: {
    holds: ({ startsAt, endsAt }) =>
      ![typeof startsAt, typeof (endsAt ?? 0)].every((type) => type === 'number') ||
      endsAfterStart(startsAt, endsAt),
    path: 'endsAt',
    error: END_BEFORE_START,
  },
});

export type DropSettings = z.output<typeof dropResource.create>;

export const dropRecords = defineRecords({
  one: 'drop',
  table: 'drop_slots',
  columns: ['id', 'community_id', 'name', 'slots', 'slots_used', 'starts_at', 'ends_at', 'created_at'],
  searched: ['id', 'name'],
  owners: ['communityId'],
  fields: { id: NEW_ID, communityId: idOf('Community'), ...dropResource.stated },
  rule: dropResource.rule,
  create: 'Creates a drop of a community.',
  change: 'Changes a drop. It cannot have fewer slots than are taken.',
  end: {
    summary: 'Ends a drop now. One that has not started is cancelled.',
    button: 'End drop',
    isFinal: true,
  },
});

/** Signups for drops. These records can be created, but not changed or ended. */
export const signupRecords = defineRecords({
  one: 'signup',
  table: 'drop_signups',
  columns: ['id', 'drop_slot_id', 'email', 'phone_number', 'created_at'],
  searched: ['id', 'email', 'phone_number'],
  owners: ['dropSlotId'],
  fields: {
    communityId: idOf('Community'),
    email: EMAIL,
    phoneNumber: {
      schema: z.string().regex(/^\+[1-9]\d{6,14}$/, 'Enter a number such as +4915112345678.'),
      about: 'Such as +4915112345678.',
      isOptional: true,
      isFixed: true,
    },
  },
  create: 'Signs an address up for the next drop of a community, as the endpoint of the API does.',
});

export type DropState = 'upcoming' | 'running' | 'ended' | 'cancelled';

export function dropState(
  { startsAt, endsAt }: Pick<DropSettings, 'startsAt' | 'endsAt'>,
  now: number,
): DropState {
  if (endsAt !== null && endsAt <= now) return endsAt <= startsAt ? 'cancelled' : 'ended';
  return startsAt <= now ? 'running' : 'upcoming';
}
