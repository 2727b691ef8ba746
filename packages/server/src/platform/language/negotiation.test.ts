import { describe, expect, it } from 'vitest';
import { isTranslated, speak, t } from './language.js';
import { negotiate } from './negotiation.js';

describe('the language of a page', () => {
  it.each([
    ['de', 'de', 'de'],
    ['de-AT,de;q=0.9,en;q=0.8', 'de', 'de-AT'],
    ['en;q=0.5, fr-CH;q=0.9', 'fr', 'fr-CH'],
    ['tlh, de;q=0.5', 'de', 'de'],
    ['de;q=0, fr;q=0.1', 'fr', 'fr'],
    ['nl, pt-BR', 'pt', 'pt-BR'],
    ['AR-eg-u-nu-thai', 'ar', 'ar-EG'],
    ['en-US', 'en', 'en-US'],
  ])(
    'is the best one of Accept-Language that is translated, with the region of its numbers: %s',
    (header, language, locale) => {
      expect(negotiate({ header })).toEqual({ language, locale });
    },
  );

  it.each([
    undefined,
    '',
    '*',
    'th-u-nu-thai',
    'nl',
    '<script>',
    'x'.repeat(100_000),
    'a-,-b',
    'de;q=2',
    'toString',
    '__proto__',
    'en',
  ])('is English for %s', (header) => {
    expect(negotiate({ header })).toEqual({ language: 'en', locale: 'en-GB' });
  });

  it('is what the visitor chose, else what the site asks for, else what the browser prefers', () => {
    const header = 'fr-CH';
    const parameters = new URLSearchParams({ ui_locales: 'nl de-AT en' });
    expect(negotiate({ chosen: 'ja', parameters, header }).language).toBe('ja');
    expect(negotiate({ chosen: 'tlh', parameters, header }).language).toBe('de');
    expect(negotiate({ chosen: '', parameters, header })).toEqual({ language: 'de', locale: 'de' });
    expect(negotiate({ header })).toEqual({ language: 'fr', locale: 'fr-CH' });
  });

  it('is what the authorization request asks for that a sign-in continues to', () => {
    const authorize = `/oauth/authorize?${new URLSearchParams({ state: 'a&ui_locales=fr', ui_locales: 'ar' })}`;
    const chooser = `/sign-in?${new URLSearchParams({ continue: authorize, choose: '1' })}`;
    for (const path of [authorize, chooser])
      expect(negotiate({ parameters: new URLSearchParams({ continue: path }) }).language).toBe('ar');
  });

  it.each(['constructor', '<b>', 'x'.repeat(600), '', 'de_DE'.repeat(200)])(
    'ignores ui_locales %s',
    (ui_locales) => {
      expect(negotiate({ parameters: new URLSearchParams({ ui_locales }), header: 'es' }).language).toBe(
        'es',
      );
    },
  );
});

describe('a text without a translation', () => {
  it.each(['constructor', '__proto__', 'toString'])(
    'stays as it is, also where objects have a property: %s',
    (text) => {
      expect(speak('de', () => t(text))).toBe(text);
      expect(speak('de', () => isTranslated(text))).toBe(false);
    },
  );
});
