import { MEMBERSHIP_PRODUCT_TYPES } from '@latchkey/contract/constants';
import * as z from 'zod';
import { phrase } from '../../platform/language/language.js';
import { defineRecords } from '../fields/define-records.js';
import { ACTION, END_BEFORE_START, endsAfterStart, idOf, instantField, NEW_ID } from '../fields/fields.js';

/** The time in which a membership gives access, in milliseconds since the epoch. */
export const WINDOW = {
  validFrom: {
    schema: instantField,
    isInstant: true,
    isOptional: true,
    isFixed: true,
    label: phrase('Starts'),
    about: 'First instant of access, by default now.',
  },
  validUntil: {
    schema: instantField.nullable(),
    isInstant: true,
    isOptional: true,
    label: phrase('Ends'),
    about: 'First instant without access. None for lifetime.',
  },
} as const;

export const accessWindowSchema = z
  .object({ validFrom: WINDOW.validFrom.schema, validUntil: WINDOW.validUntil.schema })
  .refine(({ validFrom, validUntil }) => endsAfterStart(validFrom, validUntil), {
    path: ['validUntil'],
    error: END_BEFORE_START,
  });

export type AccessWindow = z.output<typeof accessWindowSchema>;

export const membershipRecords = defineRecords({
  one: 'membership',
  table: 'memberships',
  columns: [
    ...['id', 'user_id', 'product_type', 'community_id', 'product_id', 'valid_from', 'valid_until'],
    ...['pricing_plan_id', 'external_order_id', 'subscription_id', 'subscription_cancelled_at'],
    ...['renews_at', 'plan_changes_at'],
  ],
  order: ['valid_from', 'id'],
  searched: ['id', 'user_id', 'product_type', 'external_order_id'],
  owners: ['userId', 'communityId', 'productId', 'pricingPlanId'],
  fields: {
    id: NEW_ID,
    userId: idOf('User'),
    productType: {
      schema: z.enum(MEMBERSHIP_PRODUCT_TYPES, 'Choose a type from the list.'),
      initial: 'community',
      isFixed: true,
      label: 'Type',
    },
    communityId: { ...idOf('Community'), isOptional: true },
    productId: { ...idOf('Product'), isOptional: true },
    ...WINDOW,
    cancelSubscription: { ...ACTION, label: 'Cancel the subscription', about: 'The paid time stays.' },
  },
  rule: {
    holds: ({ communityId, productId }) => communityId === undefined || productId === undefined,
    path: 'productId',
    error: 'A membership is for a community or for a product. Enter communityId or productId, not both.',
  },
  create: 'Grants a membership of a community or product. An existing one gets the new period.',
  change: 'Changes the end of a membership, or cancels its renewal, with the rules of the seller area.',
  end: { summary: 'Ends a membership and its renewal now.', button: 'End membership', isFinal: true },
});
