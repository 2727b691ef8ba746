import { describe, expect, it } from 'vitest';
import { visitorLocale } from '../../src/web/ui/frame/send-page.js';

describe('visitorLocale', () => {
  it.each([
    ['de', 'de'],
    ['de-AT,de;q=0.9,en;q=0.8', 'de-AT'],
    ['en;q=0.5, fr-CH;q=0.9', 'fr-CH'],
    ['tlh, de;q=0.5', 'de'],
    ['de;q=0, fr;q=0.1', 'fr'],
    ['th-u-nu-thai', 'th'],
  ])('prefers the best locale that is known: %s', (header, expected) => {
    expect(visitorLocale(header)).toBe(expected);
  });

  it.each([undefined, '', '*', 'de_DE', '<script>', 'x'.repeat(100_000), 'a-,-b', 'de;q=2', 'toString'])(
    'returns en-GB for %s',
    (header) => {
      expect(visitorLocale(header)).toBe('en-GB');
    },
  );
});
