import * as z from 'zod';
import { phrase, t } from '../../platform/language/language.js';
import { defineRecords } from '../fields/define-records.js';
import { defineResource } from '../fields/define-resource.js';
import { FLAG, idOf, NAME, NEW_ID, textField } from '../fields/fields.js';
import { CURRENCY, priceMinorField } from './price.js';

const PERIOD_MAX_DAYS = 36_500;

const PERIOD_MESSAGE = {
  error: () =>
    t('Enter whole days from 1 to {max}, or nothing for lifetime access.', { max: `${PERIOD_MAX_DAYS}` }),
};

const periodDaysField = z
  .int(PERIOD_MESSAGE)
  .min(1, PERIOD_MESSAGE)
  .max(PERIOD_MAX_DAYS, PERIOD_MESSAGE)
  .nullable();

const DESCRIPTION_MAX_LENGTH = 200;

/** A card on the community's page shows all benefits. */
const BENEFITS_MAX = 8;
const BENEFIT_MAX_LENGTH = 80;

export const planResource = defineResource({
  fields: {
    name: { ...NAME, hintWhenNew: phrase('Buyers see it, for example “Monthly”.') },
    priceMinor: {
      schema: priceMinorField,
      isMoney: true,
      label: phrase('Price'),
      hint: phrase('For example 9.50 or 9,50.'),
      hintOfChange: phrase('Applies to new sales. Existing subscribers keep their current price.'),
    },
    currency: { ...CURRENCY, isFixed: true },
    periodDays: {
      schema: periodDaysField,
      initial: null,
      isFixed: true,
      label: phrase('Days of access per payment'),
      hint: phrase('Leave blank for lifetime access.'),
    },
    renews: {
      schema: z.boolean(),
      initial: false,
      isFixed: true,
      label: phrase('Renews automatically'),
      hint: phrase('A subscription pays for each period until the member cancels it.'),
    },
    provider: {
      schema: z.enum(['card', 'crypto'], phrase('Choose card or crypto.')),
      initial: 'card',
      isFixed: true,
      label: phrase('Payment'),
      choices: { card: phrase('By card'), crypto: phrase('In crypto') },
    },
    description: {
      schema: textField(phrase('description'), DESCRIPTION_MAX_LENGTH).nullable(),
      initial: null,
      label: phrase('Description'),
      hint: phrase('One sentence for the plan’s card, at most 200 characters.'),
      maxLength: DESCRIPTION_MAX_LENGTH,
    },
    benefits: {
      schema: z
        .array(textField(phrase('benefit'), BENEFIT_MAX_LENGTH), phrase('Enter a list of benefits.'))
        .max(BENEFITS_MAX, phrase('Enter at most 8 benefits.'))
        .readonly(),
      initial: [],
      rows: 5,
      label: phrase('Benefits'),
      hint: phrase('What members get: one on each line, at most 8 lines of 80 characters.'),
    },
  },
  rule: {
    holds: ({ renews, periodDays }) => !renews || periodDays !== null,
    path: 'periodDays',
    error: phrase('Enter a number of days: lifetime access never renews.'),
  },
});

export type NewPricingPlan = z.output<typeof planResource.create>;

export const planRecords = defineRecords({
  one: 'plan',
  table: 'pricing_plans',
  columns: [
    ...['id', 'community_id', ...planResource.fields.map(({ column }) => column)],
    ...['created_at', 'archived_at'],
  ],
  searched: ['id', 'name', 'currency', 'provider'],
  owners: ['communityId'],
  fields: {
    ...planResource.stated,
    id: NEW_ID,
    communityId: idOf('Community'),
    archived: { ...FLAG, label: 'Archived: it can no longer be bought' },
  },
  rule: planResource.rule,
  create: 'Creates a plan of a community.',
  change: 'Changes name, price and texts for later sales, and whether the plan is sold.',
  end: {
    summary: 'Archives a plan: it can no longer be bought, and members keep access.',
    button: 'Archive plan',
  },
});
