import { parsePrice, priceInput } from '../../../domain/catalogue/price.js';
import {
  type NewPricingPlan,
  planChangeSchema,
  pricingPlanSchema,
} from '../../../domain/catalogue/pricing-plan.js';
import type { PlanChange, PricingPlan } from '../../../domain/catalogue/pricing-plans.js';
import { type FormResult, linesOf, parseForm, UnreadableText, wholeNumberOf } from '../../ui/parts/form.js';
import type { PlanFields } from './new-plan-page.js';
import type { PlanChangeFields } from './plan-text-fields.js';

/** Initial values of the form of a new plan. */
export const EMPTY_PLAN: PlanFields = {
  name: '',
  price: '',
  currency: 'EUR',
  periodDays: '',
  renews: false,
  provider: 'card',
  description: '',
  benefits: '',
};

export function typedPlan(form: URLSearchParams): PlanFields {
  return {
    ...typedPlanChange(form),
    currency: form.get('currency') ?? '',
    periodDays: form.get('periodDays') ?? '',
    renews: form.get('renews') === 'on',
    provider: form.get('provider') ?? '',
  };
}

/** Returns the raw values of the form of an existing plan. */
export function typedPlanChange(form: URLSearchParams): PlanChangeFields {
  return {
    name: form.get('name') ?? '',
    price: form.get('price') ?? '',
    description: form.get('description') ?? '',
    benefits: form.get('benefits') ?? '',
  };
}

/** Returns the form values of an existing plan. */
export function fieldsOfPlan(plan: PricingPlan): PlanChangeFields {
  return {
    name: plan.name,
    price: priceInput(plan.priceMinor, plan.currency),
    description: plan.description ?? '',
    benefits: plan.benefits.join('\n'),
  };
}

export function readPlan(fields: PlanFields): FormResult<NewPricingPlan> {
  const priceMinor = priceOf(fields.price, fields.currency);
  const periodDays = wholeNumberOf(fields.periodDays);
  const values = { ...fields, priceMinor, periodDays, ...textsOf(fields) };
  return parseForm(pricingPlanSchema, values, { priceMinor: 'price' });
}

/** Validates the form of an existing plan. The currency cannot change. */
export function readPlanChange(fields: PlanChangeFields, currency: string): FormResult<PlanChange> {
  const values = { name: fields.name, priceMinor: priceOf(fields.price, currency), ...textsOf(fields) };
  return parseForm(planChangeSchema, values, { priceMinor: 'price' });
}

function textsOf({ description, benefits }: PlanChangeFields) {
  return { description: description.trim() === '' ? null : description, benefits: linesOf(benefits) };
}

/** Returns the price in the currency's minor unit. */
export function priceOf(text: string, currency: string): number | UnreadableText {
  const price = parsePrice(text, currency);
  return price.kind === 'parsed' ? price.minor : new UnreadableText(price.message);
}
