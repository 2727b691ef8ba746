import * as z from 'zod';
import { adminOperation } from './admin-operation.js';
import { communityId, newId } from './ids.js';
import { name } from './names.js';

const newPricingPlan = z.object({
  communityId,
  name,
  priceMinor: z.int().min(0).meta({
    placeholder: 'number',
    description: 'Price in the currency’s minor unit: 900 is 9.00.',
  }),
  currency: z
    .string()
    .regex(/^[A-Z]{3}$/, 'must be three capital letters such as EUR')
    .exactOptional()
    .meta({ placeholder: 'code', defaultText: 'EUR', description: 'ISO 4217 currency code.' }),
  periodDays: z.int().min(1).max(36_500).exactOptional().meta({
    placeholder: 'days',
    defaultText: 'lifetime',
    description: 'Days of access for one payment.',
  }),
  renews: z
    .boolean()
    .exactOptional()
    .meta({ description: 'Renew by a subscription at the payment provider; needs --period-days.' }),
  provider: z
    .enum(['card', 'crypto'])
    .exactOptional()
    .meta({ placeholder: 'name', defaultText: 'card', description: 'Payment page: card or crypto.' }),
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
