import * as z from 'zod';
import { defineResource } from '../fields/define-resource.js';
import { NAME, textField } from '../fields/fields.js';
import { CURRENCY, priceMinorField } from './price.js';

/** Maximum period of a plan, in days. */
const PERIOD_MAX_DAYS = 36_500;

const PERIOD_MESSAGE = `Enter whole days from 1 to ${PERIOD_MAX_DAYS}, or nothing for lifetime access.`;

/** Days of access per payment; null for lifetime access. */
const periodDaysField = z
  .int(PERIOD_MESSAGE)
  .min(1, PERIOD_MESSAGE)
  .max(PERIOD_MAX_DAYS, PERIOD_MESSAGE)
  .nullable();

const DESCRIPTION_MAX_LENGTH = 200;

/** A card on the community's page shows all benefits. */
const BENEFITS_MAX = 8;
const BENEFIT_MAX_LENGTH = 80;

/** A pricing plan: what members of a community pay, and what they get for it. */
export const planResource = defineResource({
  fields: {
    name: { ...NAME, hintWhenNew: 'Buyers see it, for example “Monthly”.' },
    priceMinor: {
      schema: priceMinorField,
      isMoney: true,
      label: 'Price',
      hint: 'For example 9.50 or 9,50.',
      hintOfChange: 'Applies to new sales. Existing subscribers keep their current price.',
    },
    currency: { ...CURRENCY, isFixed: true },
    periodDays: {
      schema: periodDaysField,
      initial: null,
      isFixed: true,
      label: 'Days of access per payment',
      hint: 'Leave blank for lifetime access.',
    },
    renews: {
      schema: z.boolean(),
      initial: false,
      isFixed: true,
      label: 'Renews automatically',
      hint: 'A subscription pays for each period until the member cancels it.',
    },
    provider: {
      schema: z.enum(['card', 'crypto'], 'Choose card or crypto.'),
      initial: 'card',
      isFixed: true,
      label: 'Payment',
      choices: { card: 'By card', crypto: 'In crypto' },
    },
    description: {
      schema: textField('description', DESCRIPTION_MAX_LENGTH).nullable(),
      initial: null,
      label: 'Description',
      hint: `One sentence for the plan’s card, at most ${DESCRIPTION_MAX_LENGTH} characters.`,
      maxLength: DESCRIPTION_MAX_LENGTH,
    },
    benefits: {
      schema: z
        .array(textField('benefit', BENEFIT_MAX_LENGTH), 'Enter a list of benefits.')
        .max(BENEFITS_MAX, `Enter at most ${BENEFITS_MAX} benefits.`)
        .readonly(),
      initial: [],
      label: 'Benefits',
      hint: `What members get: one on each line, at most ${BENEFITS_MAX} lines of ${BENEFIT_MAX_LENGTH} characters.`,
    },
  },
  rule: (plan) =>
    plan.refine(({ renews, periodDays }) => !renews || periodDays !== null, {
      path: ['periodDays'],
      error: 'Enter a number of days: lifetime access never renews.',
      // Reported beside the errors of other fields.
      when: ({ value }) => typeof value === 'object' && value !== null,
    }),
});

/** Settings of a new pricing plan. */
export type NewPricingPlan = z.output<typeof planResource.create>;
