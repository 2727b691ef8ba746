import { fractionDigitsOf, isCurrency } from '../../../domain/catalogue/currency.js';
import { parsePrice } from '../../../domain/catalogue/price.js';
import { type NewPricingPlan, periodDaysField } from '../../../domain/catalogue/pricing-plan.js';
import type { PlanChange } from '../../../domain/catalogue/pricing-plans.js';
import { FormErrors, type FormResult, formResult } from '../../ui/form-errors.js';
import type { PlanFields } from './seller-plans-page.js';

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
  const list = new FormErrors();
  const name = list.takeName(fields.name);
  const currency = readCurrency(list, fields.currency);
  const priceMinor = readPrice(list, fields.price, currency);
  const periodDays = readPeriod(list, fields.periodDays);
  if (fields.renews && fields.periodDays.trim() === '') {
    const message = 'Enter a number of days. A plan with lifetime access cannot renew.';
    list.errors.push({ field: 'periodDays', message });
  }
  const provider = list.take(asProvider(fields.provider), 'card' as const, {
    field: 'provider',
    message: 'Choose a payment method.',
  });
  return formResult({ name, priceMinor, currency, periodDays, renews: fields.renews, provider }, list.errors);
}

/** Validates the form of an existing plan. The currency cannot change. */
export function readPlanChange(
  fields: { name: string; price: string },
  currency: string,
): FormResult<PlanChange> {
  const list = new FormErrors();
  const name = list.takeName(fields.name);
  const priceMinor = readPrice(list, fields.price, currency);
  return formResult({ name, priceMinor }, list.errors);
}

/** Validates a currency. Returns `EUR` and adds an error if it is invalid. */
export function readCurrency(list: FormErrors, text: string): string {
  const currency = isCurrency(text) ? text : undefined;
  return list.take(currency, 'EUR', { field: 'currency', message: 'Choose a currency from the list.' });
}

/** Validates a price in the currency's major unit. Returns 0 and adds an error if it is invalid. */
export function readPrice(list: FormErrors, text: string, currency: string): number {
  const digits = fractionDigitsOf(currency);
  const message =
    digits === 0
      ? `Enter a price such as 900. ${currency} has no decimals.`
      : `Enter a price such as ${'9.50'.padEnd(digits + 2, '0')}, with at most ${digits} decimals for ${currency}.`;
  return list.take(parsePrice(text, currency), 0, { field: 'price', message });
}

function readPeriod(list: FormErrors, text: string): number | null {
  if (text.trim() === '') return null;
  const days = /^\d{1,6}$/.test(text.trim()) ? Number(text) : 0;
  const read = periodDaysField.safeParse(days);
  return list.take(read.data, null, { field: 'periodDays', message: read.error?.issues[0]?.message ?? '' });
}

function asProvider(text: string): 'card' | 'crypto' | undefined {
  return text === 'card' || text === 'crypto' ? text : undefined;
}
