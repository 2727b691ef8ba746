import { PAYMENT_KINDS, pricingPlanSchema } from '@latchkey/server/schemas';
import { adminOperation } from './admin-operation.js';
import { communityId, newId } from './ids.js';
import { name } from './names.js';

const { priceMinor, currency, periodDays, renews, provider, description, benefits } = pricingPlanSchema.shape;

// The extension keeps the schema's rule that only plans with a period renew.
const newPricingPlan = pricingPlanSchema.safeExtend({
  name,
  priceMinor: priceMinor.meta({
    placeholder: 'number',
    description: 'Price in the currency’s minor unit: 900 is 9.00 EUR.',
  }),
  currency: currency.meta({ placeholder: 'code', description: 'ISO 4217 currency code.' }),
  periodDays: periodDays.meta({
    placeholder: 'days',
    defaultText: 'lifetime',
    description: 'Days of access for one payment.',
  }),
  renews: renews.meta({
    description: 'Renew by a subscription at the payment provider; needs --period-days.',
  }),
  provider: provider.meta({
    placeholder: 'name',
    description: `Payment page: ${PAYMENT_KINDS.join(' or ')}.`,
  }),
  description: description.meta({
    placeholder: 'text',
    defaultText: 'none',
    description: 'Sentence on the plan’s card, at most 200 characters.',
  }),
  benefits: benefits.meta({
    flag: 'benefit',
    placeholder: 'text',
    defaultText: 'none',
    description: 'What members get, in at most 80 characters; at most 8 times.',
  }),
  communityId,
  id: newId,
});

export const createPricingPlan = adminOperation({
  name: 'create-pricing-plan',
  summary: 'Creates a pricing plan of a community.',
  values: newPricingPlan,
  example:
    '--community-id 5eed0000-0000-4000-8000-000000000001 --name Monthly --price-minor 900 --period-days 30 --renews',
  run: async (operator, plan) => ({
    message: `Created the pricing plan ${plan.name}.`,
    facts: await operator.createPricingPlan(plan),
  }),
});
