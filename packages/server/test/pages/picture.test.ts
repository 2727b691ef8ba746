import { describe, expect, it } from 'vitest';
import { monogramOf, safeLogoUrl } from '../../src/web/kit/parts/picture.js';

describe('client logo', () => {
  it.each([
    'https://shop.example/logo.png',
    'http://localhost:4401/logo.png',
    'data:image/png;base64,AAAA',
    'data:image/svg+xml,%3Csvg/%3E',
  ])('is accepted from %s', (logoUrl) => {
    expect(safeLogoUrl(logoUrl)).toBe(logoUrl);
  });

  it.each([
    'javascript:alert(1)',
    ' JavaScript:alert(1)',
    'data:text/html,<script>alert(1)</script>',
    'data:image/svg+xmlx,',
    'blob:https://shop.example/1',
    'file:///etc/passwd',
    '/logo.png',
    '//shop.example/logo.png',
    '',
    null,
    undefined,
  ])('is rejected from %s', (logoUrl) => {
    expect(safeLogoUrl(logoUrl)).toBeUndefined();
  });
});

describe('monogram', () => {
  it.each([
    ['Ember & Oak', 'EO'],
    ['ada@example.com', 'A'],
    ['the great old mill', 'TM'],
    ['émile zola', 'ÉZ'],
    ['"quoted" name', 'QN'],
    ['& !', '·'],
    ['', '·'],
  ])('of %j is %s', (name, letters) => {
    expect(monogramOf(name).letters).toBe(letters);
  });

  it('always has the same of six tints for the same name', () => {
    const tints = ['Ada', 'Ben', 'Cleo', 'Dana', 'x'.repeat(500), '🦊'].map((name) => monogramOf(name).tint);
    for (const tint of tints) expect([0, 1, 2, 3, 4, 5]).toContain(tint);
    expect(monogramOf('Ada').tint).toBe(tints[0]);
  });
});
