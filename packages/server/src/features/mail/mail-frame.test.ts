import { fc, test } from '@fast-check/vitest';
import { describe, expect, it } from 'vitest';
import { fuzzRuns } from '../../../../../scripts/fuzz-runs.mjs';
import { plainName, quotableName } from './mail-frame.js';

describe('name that a stranger wrote', () => {
  it.for([
    'Ember & Oak',
    'Café “Zoë” №5',
    'Клуб чая',
    '茶の会',
    'نادي الشاي',
    'Class of 2026',
    'A. Smith & Sons',
    'Festival 2025–2026, 2 × 50 m',
    'Olio & Lillo 24/7',
  ])('is quoted as it is: %s', (name) => {
    expect(quotableName(name, 'Latchkey')).toBe(name);
  });

  it.for([
    'Log in at https://evil.example',
    'www.evil.example',
    'evil.example',
    'Ｅｖｉｌ．ｅｘａｍｐｌｅ',
    'ev\u200bil.ex\u200bample',
    'help@evil.example',
    'Call +1 (800) 555-0199',
    'Call ８００ ５５５ ０１９９',
    'Your code 660107',
    'Call 0800\u2011555\u20110199', // hyphens that don't break
    'Call 0800–555–0199',
    'Call 0800·555·0199',
    'Call 0800_555_0199',
    'Call 0800 ☎ 555 ☎ 0199',
    'Call 08\u200b00 55\u200b5 01\u200b99',
    'Call O8OO 555 OI99', // letters for digits
    'Call ⓪⑧⓪⓪ ⑤⑤⑤ ⓪①⑨⑨',
    'Call 0️⃣8️⃣0️⃣0️⃣ 5️⃣5️⃣5️⃣',
    'Call ❽⓿⓿ ❺❺❺ ⓿❶❾❾',
    'Call ٠٨٠٠ ٥٥٥ ٠١٩٩',
    'Call 555-0199',
    '=?utf-8?Q?Call_=30800_555_0199?=',
    '=?utf-8?B?ZXZpbC50ZXN0L3g=?=',
    'evil。example',
    'P\u0430ypal',
    'Αpple',
    'Latchkey',
    'Ｌａｔｃｈｋｅｙ Support',
    'LATCH\u200bKEY',
    'L4tchkey',
    '\u202e\u2066',
    '\u200d',
    '',
  ])('is not quoted: %s', (name) => {
    expect(quotableName(name, 'Latchkey')).toBeUndefined();
  });

  it('is one line without direction overrides and stacked marks, and at most 40 characters', () => {
    expect(quotableName('Tea\r\nBcc: all\u202eClub', 'Latchkey')).toBe('Tea Bcc: all Club');
    expect(quotableName(`Te${'\u0301'.repeat(50)}a`, 'Latchkey')).toBe('Te\u0301\u0301a');
    expect(quotableName('🍵'.repeat(60), 'Latchkey')).toBe(`${'🍵'.repeat(39)}…`);
  });
});

describe('any name', () => {
  test.prop([fc.string({ unit: 'binary', maxLength: 300 })], fuzzRuns(100))(
    'becomes one short line that a subject can contain',
    (name) => {
      const plain = plainName(name);
      expect([...plain].length).toBeLessThanOrEqual(40);
      expect(plain).not.toMatch(/(?![\u200c\u200d])\p{C}|[\p{Zl}\p{Zp}]/u);
      expect(plain.trim()).toBe(plain);
    },
  );
});
