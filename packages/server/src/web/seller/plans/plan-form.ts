import * as z from 'zod';
import { parsePrice } from '../../../domain/catalogue/price.js';
import { type NewPricingPlan, pricingPlanSchema } from '../../../domain/catalogue/pricing-plan.js';
import type { PlanChange } from '../../../domain/catalogue/pricing-plans.js';
import { type FormResult, parseForm, UnreadableText, wholeNumberOf } from '../../ui/parts/form.js';
import type { PlanFields } from './seller-plans-page.js';

const PLAN_CHANGE = z.object({
  name: pricingPlanSchema.shape.name,
  priceMinor: pricingPlanSchema.shape.priceMinor,
});

/** Initial values of the form of a new plan. */
export const EMPTY_PLAN: PlanFields = {
  name: '',
  price: '',
  currency: 'EUR',
  periodDays: '',
  renews: false,
  provider: 'card',
};

/** Returns the raw values of the form. */
export function typedPlan(form: URLSearchParams): PlanFields {
  return {
    name: form.get('name') ?? '',
    price: form.get('price') ?? '',
    currency: form.get('currency') ?? '',
    periodDays: form.get('periodDays') ?? '',
    renews: form.get('renews') === 'on',
    provider: form.get('provider') ?? '',
  };
}

/** Validates the form of a new plan. */
export function readPlan(fields: PlanFields): FormResult<NewPricingPlan> {
  const priceMinor = priceOf(fields.price, fields.currency);
  const periodDays = wholeNumberOf(fields.periodDays);
  return parseForm(pricingPlanSchema, { ...fields, priceMinor, periodDays }, { priceMinor: 'price' });
}

/** Validates the form of an existing plan. The currency cannot change. */
export function readPlanChange(
  { name, price }: { name: string; price: string },
  currency: string,
): FormResult<PlanChange> {
  const values = { name, priceMinor: priceOf(price, currency) };
  return parseForm(PLAN_CHANGE, values, { priceMinor: 'price' });
}

/** Returns the price in the currency's minor unit. */
export function priceOf(text: string, currency: string): number | UnreadableText {
  const price = parsePrice(text, currency);
  return price.kind === 'parsed' ? price.minor : new UnreadableText(price.message);
}
