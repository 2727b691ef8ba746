import { emailField, uuidField } from '@latchkey/contract';
import { describe, expect, it } from 'vitest';
import { webUrlField } from '../src/shapes/request-fields.js';
import { accepts } from './schema-checks.js';

describe('an email address', () => {
  it('is trimmed and lower-cased', { tags: ['buy-plan.email-normalised'] }, () => {
    expect(emailField.parse('  Ada.Lovelace+Shop@Example.COM \n')).toBe('ada.lovelace+shop@example.com');
  });

  const domain = `${'d'.repeat(63)}.${'e'.repeat(63)}.${'f'.repeat(58)}.com`;

  it('has at most 254 characters', () => {
    const longest = `${'a'.repeat(254 - domain.length - 1)}@${domain}`;
    expect(longest).toHaveLength(254);
    expect(accepts(emailField, longest)).toBe(true);
    expect(accepts(emailField, `a${longest}`)).toBe(false);
  });

  it('has at most 64 characters before the @', () => {
    expect(accepts(emailField, `${'a'.repeat(64)}@example.com`)).toBe(true);
    expect(accepts(emailField, `${'a'.repeat(65)}@example.com`)).toBe(false);
  });

  it.each([
    '',
    'ada',
    'ada@',
    '@example.com',
    'ada@example',
    'ada@@example.com',
    'ada@exa mple.com',
    'ada@-example.com',
    'ada@example..com',
    'ada@example.com\nbcc: eve@example.com',
    'Ada <ada@example.com>',
    'ada@example.com,eve@example.com',
  ])('must not be %j', { tags: ['provision.email-format'] }, (text) => {
    expect(accepts(emailField, text)).toBe(false);
  });

  it.each([
    ['ann@m\u00fcnchen.example', 'ann@xn--mnchen-3ya.example'],
    [' ANN@M\u00dcNCHEN.Example ', 'ann@xn--mnchen-3ya.example'],
    ['ann@mu\u0308nchen.example', 'ann@xn--mnchen-3ya.example'],
    ['ann@mail.\u4f8b\u3048.\u30c6\u30b9\u30c8', 'ann@mail.xn--r8jz45g.xn--zckzah'],
    ['ann@xn--mnchen-3ya.example', 'ann@xn--mnchen-3ya.example'],
    ['ann\uff20shop.example', 'ann@shop.example'],
    ['ann@shop\u3002example', 'ann@shop.example'],
    ['ann\uff20mail\uff0eshop\uff61example', 'ann@mail.shop.example'],
  ])('has the ASCII form of its domain: %s', (typed, stored) => {
    expect(emailField.parse(typed)).toBe(stored);
  });

  it.each([
    '\u00e4nn@example.com',
    'ann@m\u00fcnchen',
    'ann@m\u00fcn/evil.example',
    'ann@m\u00fcn chen.example',
    'ann@\ud83d.example',
  ])('with %j is rejected', (text) => {
    expect(accepts(emailField, text)).toBe(false);
  });

  it('is rejected if only lower-casing makes it ASCII: the Kelvin sign is not a k', () => {
    expect('\u212A'.toLowerCase()).toBe('k');
    expect(accepts(emailField, 'ada@ban\u212A.example')).toBe(false);
  });
});

describe('a uuid', () => {
  it('is case-insensitive and returned in lower case', { tags: ['general.uuid-format'] }, () => {
    expect(uuidField.parse('0190A3E4-7B1C-7D2E-8F3A-4B5C6D7E8F90')).toBe(
      '0190a3e4-7b1c-7d2e-8f3a-4b5c6d7e8f90',
    );
  });

  it.each([
    '',
    '0190a3e4-7b1c-7d2e-8f3a-4b5c6d7e8f9',
    '0190a3e4-7b1c-7d2e-8f3a-4b5c6d7e8f900',
    '0190a3e47b1c7d2e8f3a4b5c6d7e8f90',
    '{0190a3e4-7b1c-7d2e-8f3a-4b5c6d7e8f90}',
    '0190a3e4-7b1c-7d2e-8f3a-4b5c6d7e8f9g',
    '0190a3e4-7b1c-7d2e-8f3a-4b5c6d7e8f90\n',
  ])('must not be %j', { tags: ['provision.malformed-uuid'] }, (text) => {
    expect(accepts(uuidField, text)).toBe(false);
  });
});

describe('a web URL', () => {
  it.each(['https://shop.example/thanks?order=1#top', 'http://localhost:3000/done', 'http://127.0.0.1/'])(
    'can be %s',
    { tags: ['buy-plan.success-url'] },
    (url) => {
      expect(webUrlField.parse(url)).toBe(url);
    },
  );

  it.each([
    '',
    'thanks',
    '/thanks',
    '//shop.example',
    'http:shop.example',
    'javascript:alert(1)',
    'ftp://shop.example',
    'https://shop.example/日本',
    'https://shop.example/\u0000',
    'https://shop.example/\ud800',
  ])('must not be %j', { tags: ['buy-plan.success-url'] }, (url) => {
    expect(accepts(webUrlField, url)).toBe(false);
  });

  it('has at most 2048 characters', () => {
    const base = 'https://shop.example/';
    expect(accepts(webUrlField, base.padEnd(2048, 'x'))).toBe(true);
    expect(accepts(webUrlField, base.padEnd(2049, 'x'))).toBe(false);
  });
});
