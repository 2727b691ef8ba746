import { CURRENCIES, parsePrice } from '../../../domain/catalogue/price.js';
import { UnreadableText } from '../../ui/parts/form.js';

const NAMES = new Intl.DisplayNames('en', { type: 'currency' });

/** Options of a currency field, with code and name. */
export const CURRENCY_OPTIONS: readonly { value: string; label: string }[] = CURRENCIES.map((code) => {
  const name = NAMES.of(code) ?? code;
  return { value: code, label: name === code ? code : `${code}, ${name}` };
});

/** Returns the price in the currency's minor unit. */
export function priceOf(text: string, currency: string): number | UnreadableText {
  const price = parsePrice(text, currency);
  return price.kind === 'parsed' ? price.minor : new UnreadableText(price.message);
}
