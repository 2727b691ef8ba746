import { describe, expect, it } from 'vitest';
import { imitates } from '../../src/domain/brand/imitation.js';

describe('name of an app', () => {
  it.each([
    'Latchkey',
    'LATCHKEY',
    ' latch key ',
    'L.a.t.c.h.k.e.y',
    'Lаtchkey', // Cyrillic а
    'Ⅼatchkey', // Roman numeral fifty
    'Ｌａｔｃｈｋｅｙ', // full-width
    'Látchkéy',
    'Latchk\u200bey', // zero-width space
    'Latch\u00adkey', // soft hyphen
    'Iatchkey', // capital i
    '1atchkey',
    'Latchkey Support',
    'The official Latchkey',
    'Lаtсhkеу Ассоunts', // several Cyrillic letters
  ])('%j looks like the service Latchkey', (name) => {
    expect(imitates(name, 'Latchkey')).toBe(true);
  });

  it.each(['Ember & Oak', 'Latch Café', 'Matches', 'Кофейня', '茶館', '', '🔑'])('%j does not', (name) => {
    expect(imitates(name, 'Latchkey')).toBe(false);
  });

  it('may contain a short name of a service, but not equal it', () => {
    expect(imitates('Coffee Club', 'Club')).toBe(false);
    expect(imitates('CLUB', 'Club')).toBe(true);
    expect(imitates('Сlub', 'Club')).toBe(true);
  });

  it('imitates no service whose name has no letters', () => {
    expect(imitates('Shop', '★')).toBe(false);
  });
});
