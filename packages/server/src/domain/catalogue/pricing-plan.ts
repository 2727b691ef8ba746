import * as z from 'zod';
import { nameField, textField } from '../fields/fields.js';
import { currencyField, priceMinorField } from './price.js';

/** Maximum period of a plan, in days. */
const PERIOD_MAX_DAYS = 36_500;

const PERIOD_MESSAGE = `Enter whole days from 1 to ${PERIOD_MAX_DAYS}, or nothing for lifetime access.`;

/** Payment methods of a plan. */
export const PAYMENT_KINDS = ['card', 'crypto'] as const;

/** Days of access per payment; null for lifetime access. */
export const periodDaysField = z
  .int(PERIOD_MESSAGE)
  .min(1, PERIOD_MESSAGE)
  .max(PERIOD_MAX_DAYS, PERIOD_MESSAGE)
  .nullable();

/** Sentence about a plan; null for none. */
const planDescriptionField = textField('description', 200).nullable();

/** Maximum number of benefits of a plan. A card on the community's page shows all of them. */
const BENEFITS_MAX = 8;

/** Benefits of a plan, one short line each, in the order of its card. */
const benefitsField = z
  .array(textField('benefit', 80), 'Enter a list of benefits.')
  .max(BENEFITS_MAX, `Enter at most ${BENEFITS_MAX} benefits.`)
  .readonly();

/** Settings of a new pricing plan. */
export const pricingPlanSchema = z
  .object({
    name: nameField,
    priceMinor: priceMinorField,
    currency: currencyField.default('EUR'),
    periodDays: periodDaysField.default(null),
    renews: z.boolean().default(false),
    provider: z.enum(PAYMENT_KINDS, 'Choose card or crypto.').default('card'),
    description: planDescriptionField.default(null),
    benefits: benefitsField.default([]),
  })
  .refine(({ renews, periodDays }) => !renews || periodDays !== null, {
    path: ['periodDays'],
    error: 'Enter a number of days: lifetime access never renews.',
    // Reported beside the errors of other fields.
    when: ({ value }) => typeof value === 'object' && value !== null,
  });

/** Settings that a plan on sale can change. */
export const planChangeSchema = z.object({
  name: nameField,
  priceMinor: priceMinorField,
  description: planDescriptionField,
  benefits: benefitsField,
});

/** Settings of a new pricing plan. */
export type NewPricingPlan = z.output<typeof pricingPlanSchema>;
