import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import { fractionDigitsOf, priceInput } from '../../../domain/catalogue/price.js';

/** Locale of a visitor who states none that is known. */
export const DEFAULT_LOCALE = 'en-GB';

/** BCP 47 locale of numbers and prices for the visitor of the page that is being rendered. The texts are English. */
export const VisitorContext = createContext<{ readonly locale: string }>({ locale: DEFAULT_LOCALE });

/** Formats to keep. The locales come from visitors, so their number must be bounded. */
const KEPT_FORMATS = 100;

const formats = new Map<string, Intl.NumberFormat>();

/** Price in the visitor's locale: `€9.50`, `9,50 €`. */
export function Money(props: { minor: number; currency: string }) {
  const { locale } = useContext(VisitorContext);
  return (
    <span class="figures" dir="ltr">
      {formatMoney(props.minor, props.currency, locale)}
    </span>
  );
}

/** Whole number in the visitor's locale: `12,500`, `12.500`. */
export function Count(props: { value: number }) {
  const { locale } = useContext(VisitorContext);
  return (
    <span class="figures" dir="ltr">
      {formatOf(locale).format(props.value)}
    </span>
  );
}

/** Formats a price, without rounding, for a text that has no markup. `minor` is in the currency's minor unit. */
export function formatMoney(minor: number, currency: string, locale: string): string {
  return formatOf(locale, currency).format(priceInput(minor, currency));
}

function formatOf(locale: string, currency?: string): Intl.NumberFormat {
  const key = `${locale} ${currency}`;
  const kept = formats.get(key);
  if (kept !== undefined) return kept;
  if (formats.size >= KEPT_FORMATS) formats.clear();
  const format = new Intl.NumberFormat(locale, {
    // The texts around the number are English.
    numberingSystem: 'latn',
    ...(currency !== undefined && currencyOptions(currency)),
  });
  formats.set(key, format);
  return format;
}

function currencyOptions(currency: string) {
  const digits = fractionDigitsOf(currency);
  return {
    style: 'currency',
    currency,
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  } as const;
}
