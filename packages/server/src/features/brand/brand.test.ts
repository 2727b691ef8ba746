import { describe, expect, it } from 'vitest';
import { nameField } from '../fields/fields.js';
import { accentField, logoUrlField } from './brand.js';

describe('accent colour', () => {
  it('is returned in lower case', () => {
    expect(accentField.parse(' #B4541A ')).toBe('#b4541a');
  });

  it.each([
    '',
    'b4541a',
    '#b45',
    '#b4541aff',
    '#b4541g',
    'red',
    'rgb(1,2,3)',
    '#b4541a;}body{display:none',
    '#b4541a\n#ffffff',
    '#１２３４５６',
    'url(https://evil.example)',
  ])('%j is rejected', (accent) => {
    expect(accentField.safeParse(accent).error?.issues).toHaveLength(1);
  });
});

describe('logo address', () => {
  it.each([
    'https://shop.example/logo.png',
    'http://localhost:4401/logo.svg',
    'http://127.0.0.1/logo.svg',
    'data:image/png;base64,AAAA',
    `data:image/svg+xml,${'x'.repeat(16_000)}`,
  ])('%.60j is accepted', (logoUrl) => {
    expect(logoUrlField.parse(logoUrl)).toBe(logoUrl);
  });

  it.each([
    '',
    'logo.png',
    '//shop.example/logo.png',
    'http://shop.example/logo.png',
    'http://127.0.0.1.evil.example/logo.png',
    'ftp://shop.example/logo.png',
    'javascript:alert(1)',
    'data:text/html,<script>alert(1)</script>',
    'blob:https://shop.example/1',
    'https://shop.example/\u0000',
    'https://',
    `https://shop.example/${'x'.repeat(2048)}`,
    `data:image/png;base64,${'x'.repeat(16_384)}`,
  ])('%.60j is rejected', (logoUrl) => {
    expect(logoUrlField.safeParse(logoUrl).error?.issues).toHaveLength(1);
  });
});

describe('name', () => {
  it.each(['\u202eyekhctaL', 'Shop\u2066', '\u202dShop'])(
    '%j is rejected, because it forces a text direction',
    (name) => {
      expect(nameField.safeParse(name).error?.issues[0]?.message).toBe(
        'Enter a name without characters that force a text direction.',
      );
    },
  );

  it.each(['\uf8ff Support', 'Shop\u2028by Ember'])('%j is rejected', (name) => {
    expect(nameField.safeParse(name).success).toBe(false);
  });

  it.each(['مقهى', 'קפה', 'می\u200cخواهم', 'Café'])('%j is accepted', (name) => {
    expect(nameField.parse(name)).toBe(name);
  });
});
