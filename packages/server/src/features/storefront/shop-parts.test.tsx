import { render } from 'preact-render-to-string';
import { describe, expect, it } from 'vitest';
import { parsePage } from '../../../test/pages/page-document.js';
import { speak } from '../../platform/language/language.js';
import { maskEmail } from '../checkout/buyer-access.js';
import { PriceText, RenewalText, RhythmText } from './shop-parts.pages.js';

describe('masked email address', () => {
  it.each([
    ['dana@example.com', 'd•••@example.com'],
    ['abc@sub.example.com', 'a•••@sub.example.com'],
    ['ab@example.com', '•••@example.com'],
    ['a@example.com', '•••@example.com'],
  ])('of %s is %s', (email, masked) => {
    expect(maskEmail(email)).toBe(masked);
  });
});

describe('terms of an offer', () => {
  const month = { amountMinor: 900, currency: 'EUR', periodDays: 30, renews: true };

  it.each([
    [month, '€9.00', 'every 30 days', '€9.00 every 30 days until you cancel'],
    [{ ...month, periodDays: 1 }, '€9.00', 'every day', '€9.00 every day until you cancel'],
    [{ ...month, renews: false }, '€9.00', 'for 30 days', 'Ends automatically, no renewal'],
    [{ ...month, periodDays: 1, renews: false }, '€9.00', 'for 1 day', 'Ends automatically, no renewal'],
    [{ ...month, periodDays: null, renews: false }, '€9.00', 'once', 'One payment, no renewal'],
    [{ ...month, amountMinor: 0 }, 'Free', 'every 30 days', 'Free every 30 days until you cancel'],
    [{ ...month, periodDays: 3_650 }, '€9.00', 'every 3,650 days', '€9.00 every 3,650 days until you cancel'],
  ])('%j are described in plain words', (terms, price, rhythm, renewal) => {
    expect([
      shown(<PriceText {...terms} />),
      shown(<RhythmText {...terms} />),
      shown(<RenewalText {...terms} />),
    ]).toEqual([price, rhythm, renewal]);
  });

  it.each([
    ['de', 'de', '1.234,50 € alle 3.650 Tage, bis Sie kündigen'],
    ['fr', 'fr', '1 234,50 € tous les 3 650 jours jusqu’à ce que vous résiliiez'],
    ['ja', 'ja', '解約するまで 3,650 日ごとに €1,234.50'],
    ['en', 'en-US', '€1,234.50 every 3,650 days until you cancel'],
  ])('have the words of the language %s and the numbers of %s', (language, locale, expected) => {
    const terms = { ...month, amountMinor: 123_450, periodDays: 3_650 };
    expect(shown(<RenewalText {...terms} />, locale, language)).toBe(expected);
  });

  it('have no decimals in a currency without them', () => {
    expect(shown(<PriceText amountMinor={1_200} currency="JPY" />, 'ja')).toBe('￥1,200');
  });
});

/** Returns the content of an element in a locale, with plain spaces. */
function shown(element: preact.JSX.Element, locale = 'en-GB', language = 'en'): string {
  const html = speak(language, () => render(element), locale);
  return parsePage(html).text().replace(/\s/g, ' ');
}
