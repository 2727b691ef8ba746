import fc from 'fast-check';

/** Texts with a meaning to a parser of dates, numbers, addresses, languages or markup. */
const MEANINGFUL = [
  ...['', ' ', '0', '-1', '1e308', '1e-7', '9'.repeat(40), '0x10', 'NaN', '1,2,3', '1.2.3', '٣', '½', '１'],
  ...[
    '2026-02-30',
    '+275760-09-13',
    '9999-12-31T23:59',
    '0000-01-01',
    '2026-13-01',
    '24:00',
    '-000001-01-01',
  ],
  ...['UTC', 'Etc/GMT+14', 'Europe/Berlin', '../../etc/passwd', 'PST8PDT', '+25:99'],
  ...['a@b.c', `${'a'.repeat(300)}@b.example`, 'a@b@c.example', '"a b"@example.com', 'a@exämple.com'],
  ...[
    'https://',
    'javascript:alert(1)',
    'data:image/svg+xml,<svg onload=alert(1)>',
    '//evil.example',
    'http://[::1',
  ],
  ...[
    '__proto__',
    'constructor',
    'toString',
    'hasOwnProperty',
    'true',
    'null',
    '[object Object]',
    '{}',
    '[]',
  ],
  ...[
    '\u202e\u2066',
    '\u0301'.repeat(200),
    '\ufeff',
    '\ud800',
    '\udfff',
    '\u2028',
    '\r\nSet-Cookie: a=b',
    '\0',
    '%00',
  ],
  ...["' OR 1=1 --", '"; DROP TABLE users; --', '%', '_', '\\', '{{7*7}}', '#{7*7}'],
];

/** Texts of all kinds, some of which contain markup. */
export function oddPageText(markup: string): fc.Arbitrary<string> {
  const units = fc.array(fc.nat(0xffff), { maxLength: 12 }).map((codes) => String.fromCharCode(...codes));
  const long = fc
    .tuple(fc.constantFrom('a', ' ', '\n', '😀', '1', '%', '-', 'a.', '()', '\u0301'), fc.nat(9_000))
    .map(([unit, times]) => unit.repeat(times));
  return fc.oneof(
    { weight: 3, arbitrary: fc.constantFrom(...MEANINGFUL) },
    { weight: 2, arbitrary: units },
    long,
    fc.constantFrom(
      markup,
      `">${markup}`,
      `'${markup}`,
      `https://a.example/${markup}`,
      `a${markup}@b.example`,
    ),
    fc.uuid(),
    fc.double().map(String),
    fc.date({ noInvalidDate: true }).map((date) => date.toISOString().slice(0, 16)),
  );
}

/** Query of any form, encoded or not. */
export function oddQueryText(markup: string): fc.Arbitrary<string> {
  const names = [
    'q',
    'status',
    'after',
    'before',
    'continue',
    'to',
    'text',
    'clock',
    'client_id',
    'notice',
    '__proto__',
  ];
  const pair = fc
    .tuple(fc.constantFrom(...names), oddPageText(markup), fc.boolean())
    .map(
      ([name, text, isEncoded]) =>
        `${name}=${isEncoded ? encodeURIComponent(wellFormed(text)) : plain(text)}`,
    );
  return fc.array(pair, { maxLength: 3 }).map((pairs) => pairs.join('&').slice(0, 12_000));
}

/** Headers that a page reads, with unexpected values. Mostly none. */
export const oddPageHeaders: fc.Arbitrary<Record<string, string>> = fc.oneof(
  { weight: 6, arbitrary: fc.constant({}) },
  fc.constantFrom<Record<string, string>>(
    { 'accept-language': `${'en-'.repeat(170)}x` },
    { 'accept-language': 'x-a, i-klingon;q=1, *;q=0.1, zh-Hant-TW-x-y' },
    { 'accept-language': 'de;q=9;q=1,,;,-,en--GB' },
    { 'accept-language': Array(170).fill('aa').join(',') },
    { 'user-agent': `${'('.repeat(4_000)}Chrome/` },
    { 'user-agent': 'Mozilla/5.0 '.repeat(500) },
    { referer: 'http://[::1' },
    { referer: `http://127.0.0.1//evil.example/${'a'.repeat(4_000)}` },
    { accept: `${'text/html;q=0.1,'.repeat(500)}*/*` },
    { traceparent: '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01' },
    { 'x-forwarded-for': '::ffff:999.1.1.1, %, fe80::1%eth0' },
    { 'if-none-match': `"${'a'.repeat(4_000)}"` },
    { range: `bytes=${'0-1,'.repeat(900)}` },
  ),
  fc
    .stringMatching(/^[\x20-\x7e]{0,200}$/)
    .chain((value) =>
      fc
        .constantFrom('accept-language', 'user-agent', 'referer', 'accept')
        .map((name) => ({ [name]: value.trim() })),
    ),
);

/** Replaces halves of surrogate pairs, which `encodeURIComponent` rejects. */
function wellFormed(text: string): string {
  return Buffer.from(text).toString();
}

/** Keeps characters that a request line may contain. */
function plain(text: string): string {
  return text.replaceAll(/[^\x21-\x7e]|[#<>"]/g, '%');
}
