import { ENDPOINTS } from '@latchkey/contract';
import {
  DEFAULT_SERVICE_NAMES,
  isLoopback,
  parseScopeList,
  parseTimestamp,
  readWidgetState,
} from '@latchkey/contract/constants';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fuzzRuns } from '../../../../scripts/fuzz-runs.mjs';
import { accentField, logoUrlField } from '../../src/features/brand/brand.js';
import { imitates } from '../../src/features/brand/imitation.js';
import { mailboxOf } from '../../src/features/budgets/budgets.js';
import { clientSettingsSchema } from '../../src/features/clients/client.resource.js';
import { isVisibleText, nameField, stacksMarks } from '../../src/features/fields/fields.js';
import { plainName, quotableName } from '../../src/features/mail/mail-frame.js';
import { parsePrice } from '../../src/features/plans/price.js';
import { prettyJson } from '../../src/features/webhooks/delivery.pages.js';
import { checkEndpointUrl, mayDeliverTo } from '../../src/features/webhooks/endpoint/endpoint-address.js';
import { csvLines } from '../../src/platform/csv.js';
import { parseDatabaseUrl } from '../../src/platform/database/open-database.js';
import { browserNameOf } from '../../src/platform/http/browser-name.js';
import { clientNetwork, clientSite, truncatedNetwork } from '../../src/platform/http/client-network.js';
import { jsonContainsNul } from '../../src/platform/http/request-input.js';
import { parseWebOrigin } from '../../src/platform/http/web-origin.js';
import { LANGUAGES } from '../../src/platform/language/language.js';
import { negotiate } from '../../src/platform/language/negotiation.js';
import { createRedactor } from '../../src/platform/logging/redaction.js';
import { createSmtpMailer } from '../../src/platform/mail/smtp-mailer.js';
import { readContinuePath } from '../../src/web/kit/areas/continue-path.js';
import { formTargetOf } from '../../src/web/kit/frame/send-page.js';
import { instantInZone, isTimeZone } from '../../src/web/kit/parts/form.js';
import { monogramOf, safeLogoUrl } from '../../src/web/kit/parts/picture.js';

const BASE_URL = 'https://members.example';
const CLIENT_ID = `oac_${'a'.repeat(24)}`;
const OTHER_CALLBACK = `${BASE_URL}/widget/callback/oac_${'b'.repeat(24)}`;
const PASSWORD = 'hunter2-of-the-fuzzer';

/** Any text, and texts that are nearly addresses. */
const text = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.string({ unit: 'grapheme' }),
  fc.webUrl({ validSchemes: ['https', 'http'], withQueryParameters: true, withFragments: true }),
  fc.array(fc.nat(0xffff), { maxLength: 12 }).map((units) => String.fromCharCode(...units)),
);
const HOST_PARTS = [
  ...[
    'members.example',
    'MEMBERS.example',
    'members.example.',
    'members%2eexample',
    'localhost',
    '127.0.0.1',
    '127.1',
  ],
  ...[
    '0x7f.1',
    '2130706433',
    '[::1]',
    '[::ffff:127.0.0.1]',
    '[::ffff:7f00:1]',
    '169.254.169.254',
    '[fe80::1]',
  ],
  ...[
    '[64:ff9b::7f00:1]',
    '[2002:7f00:1::]',
    '0',
    'a;b',
    'a,b',
    "a'b",
    'a*b',
    '*',
    'ⓛocalhost',
    '１２７.0.0.1',
    'x.localhost',
  ],
  ...['[fd00::1]', '10.0.0.1', '192.168.1.1', '100.64.0.1', '168.63.129.16', 'metadata.google.internal'],
];
const address = fc
  .tuple(
    fc.constantFrom(
      'https://',
      'http://',
      'https:/',
      'https:',
      'HTTPS://',
      'https:\\\\',
      'javascript:',
      'data:image/',
      '//',
      '/',
    ),
    fc.constantFrom('', 'user@', 'user:pw@', 'members.example@'),
    fc.oneof(fc.constantFrom(...HOST_PARTS), fc.domain()),
    fc.constantFrom('', ':443', ':80', ':4400', ':'),
    fc.constantFrom(
      '',
      '/',
      '/widget/callback/x',
      '/..//evil.example',
      '/%0d%0aSet-Cookie:a',
      '?a=b',
      '#',
      '#x',
      ' ;x',
      '\n',
    ),
  )
  .map((parts) => parts.join(''));
const anyAddress = fc.oneof({ weight: 3, arbitrary: address }, text);

describe('any text as an address', () => {
  it('to continue at stays on the service', () => {
    const path = fc
      .tuple(fc.constantFrom('', '/', '//', '/\\', '/.//', '/a/../', '/%2e%2e//', '/\t/'), anyAddress)
      .map((parts) => parts.join(''));
    fc.assert(
      fc.property(path, (wanted) => {
        const target = readContinuePath(wanted);
        expect(new URL(target, BASE_URL).origin).toBe(BASE_URL);
        expect(target).toMatch(/^\/(?![/\\])[^\p{Cc}\\]*$/u);
      }),
      fuzzRuns(1_500),
    );
  });

  it('to continue at is short enough for a Location header', () => {
    expect(readContinuePath(`/${'a'.repeat(16_000)}`)).toHaveLength(16_001);
    expect(readContinuePath(`/${'a'.repeat(17_000)}`)).toBe('/account');
  });

  it('that a client may register for codes is safe in a Location header and in a policy, and belongs to no other client', () => {
    const schema = clientSettingsSchema({ baseUrl: BASE_URL, clientId: CLIENT_ID });
    const uri = fc.oneof({ weight: 6, arbitrary: anyAddress }, fc.constant(OTHER_CALLBACK));
    fc.assert(
      fc.property(uri, (redirectUri) => {
        const parsed = schema.safeParse({
          name: 'Shop',
          scopes: [],
          redirectUris: [redirectUri],
          widgetOrigins: [],
        });
        if (!parsed.success) return;
        const url = new URL(redirectUri);
        expect(url.protocol === 'https:' || isLoopback(url)).toBe(true);
        expect(redirectUri).toMatch(/^[\x21-\x7e]+$/);
        expect(redirectUri).not.toMatch(/[#\\"<>]/);
        expect([url.username, url.password]).toEqual(['', '']);
        expect(formTargetOf(redirectUri)).not.toMatch(/[;,'"\s*]/);
        expect(url.origin).not.toBe(BASE_URL);
      }),
      fuzzRuns(3_000),
    );
  });

  it('that a webhook may have is https, without credentials, and no private address', () => {
    const policy = { allowLoopback: false };
    fc.assert(
      fc.property(anyAddress, (wanted) => {
        const checked = checkEndpointUrl(wanted, policy);
        if (checked.kind === 'invalid') return;
        const url = new URL(checked.url);
        expect(url.protocol).toBe('https:');
        expect([url.username, url.password, url.hash]).toEqual(['', '', '']);
        expect(isLoopback(url)).toBe(false);
        const host = url.hostname.replace(/^\[(.*)\]$/, '$1');
        if (/^[\d.]+$|:/.test(host)) expect(mayDeliverTo(host, policy)).toBe(true);
      }),
      fuzzRuns(3_000),
    );
  });

  it('of a logo is loaded as an image from the web, or not at all', () => {
    fc.assert(
      fc.property(
        fc.oneof(anyAddress, fc.constant('data:text/html,x'), fc.constant('data:image/svg+xml,x')),
        (logoUrl) => {
          const safe = safeLogoUrl(logoUrl);
          if (safe !== undefined) expect(safe).toMatch(/^(?:https?:\/\/|data:image\/)/i);
          if (logoUrlField.safeParse(logoUrl).success) expect(logoUrl.length).toBeLessThanOrEqual(16_384);
        },
      ),
      fuzzRuns(1_500),
    );
  });

  it('of a client is counted as one network, and stored without the device', () => {
    const ip = fc.oneof(
      fc.ipV4(),
      fc.ipV6(),
      text,
      fc.constantFrom('::ffff:1.2.3.4', 'fe80::1%eth0', '1.2.3.4:5', '::'),
    );
    fc.assert(
      fc.property(ip, (given) => {
        expect(clientNetwork(given)).toMatch(/^(?:[\d.]+|[\da-f:]+::\/64|unknown)$/);
        expect(clientSite(given) ?? '').toMatch(/^(?:[\da-f:]+::\/48)?$/);
        expect(truncatedNetwork(given) ?? '').toMatch(/^(?:[\d.]+\.0\/24|[\da-f:]*::\/48)?$/);
      }),
      fuzzRuns(1_000),
    );
  });
});

describe('any text as a setting', () => {
  it.each([
    ['the database', (url: string) => parseDatabaseUrl(url)],
    ['the mail server', (smtpUrl: string) => createSmtpMailer({ smtpUrl, from: 'codes@members.example' })],
  ])('of %s is read, or rejected without its password', (_name, read) => {
    const prefix = fc.constantFrom(
      '',
      'postgres://',
      'postgres:',
      'smtp://',
      'smtps:/',
      'sqlite',
      'mysql://',
      'redis://:',
    );
    const url = fc
      .tuple(
        prefix,
        fc.constantFrom('', 'user:', ':', 'user%zz:'),
        fc.constantFrom('', '@', '@host', '@host:5432/x', '@[::1', ':5432/x'),
        text,
      )
      .map(([scheme, user, host, more]) => `${scheme}${user}${PASSWORD}${host}${more}`);
    fc.assert(
      fc.property(url, (setting) => {
        try {
          read(setting);
        } catch (error) {
          expect(error).toBeInstanceOf(Error);
          expect(String(error)).not.toContain(PASSWORD);
        }
      }),
      fuzzRuns(1_500),
    );
  });
});

describe('any text of a visitor', () => {
  it('as preferred languages gives a locale that formats numbers and dates', () => {
    const tag = fc.stringMatching(/^[a-zA-Z*-]{1,12}(?:;q=[0-9.]{0,4})?$/);
    const header = fc.oneof(
      text,
      fc
        .array(fc.oneof(tag, fc.constantFrom('de-DE', 'ar-EG-u-nu-arab', 'x-y')), { maxLength: 6 })
        .map((tags) => tags.join(',')),
    );
    fc.assert(
      fc.property(header, (languages) => {
        const { language, locale } = negotiate({ chosen: languages, header: languages });
        expect(Object.keys(LANGUAGES)).toContain(language);
        expect(locale.length).toBeLessThan(512);
        expect(locale).not.toMatch(/-u-/);
        expect(new Intl.NumberFormat(locale).format(1)).not.toBe('');
      }),
      fuzzRuns(1_000),
    );
  });

  it('as a time zone is known to the platform, or rejected', () => {
    const zone = fc.oneof(
      text,
      fc.constantFrom('UTC', 'Europe/Berlin', 'EST5EDT', '+01:00', '-00:01', 'Etc/GMT-14', 'utc'),
    );
    fc.assert(
      fc.property(
        zone,
        fc.date({ noInvalidDate: true, min: new Date(0), max: new Date('9000-01-01') }),
        (name, local) => {
          if (!isTimeZone(name)) return;
          expect(Math.abs(instantInZone(local.getTime(), name) - local.getTime())).toBeLessThan(
            2 * 86_400_000,
          );
        },
      ),
      fuzzRuns(300),
    );
  });

  it('in an export is no formula of a spreadsheet, and its cells stay separate', () => {
    const cells = fc.array(
      fc.oneof(text, fc.constantFrom('=1+1', '+1', '-1', '@SUM(A1)', '\t=1', '"=1"', '"', ',')),
      { minLength: 1, maxLength: 3 },
    );
    fc.assert(
      fc.property(cells, (row) => {
        const line = csvLines([row]);
        const read = cellsOf(line);
        expect(read).toHaveLength(row.length);
        for (const cell of read) expect(cell).not.toMatch(/^[=+\-@\t\r\n]/);
      }),
      fuzzRuns(1_500),
    );
  });
});

describe('any long text', () => {
  const PARSERS: readonly (readonly [name: string, parse: (long: string) => unknown])[] = [
    ['redactText', createRedactor(DEFAULT_SERVICE_NAMES.apiKeyPrefix).text],
    ['negotiate', (long) => negotiate({ chosen: long, header: long })],
    ['readContinuePath', readContinuePath],
    ['the body of buy-plan', (long) => ENDPOINTS.buyPlan.request.body.safeParse(everyField(long))],
    [
      'the body of provision-external',
      (long) => ENDPOINTS.provisionExternal.request.body.safeParse(everyField(long)),
    ],
    ['the body of a drop signup', (long) => ENDPOINTS.dropSignup.request.body.safeParse(everyField(long))],
    ['parseTimestamp', parseTimestamp],
    ['parseScopeList', parseScopeList],
    ['readWidgetState', readWidgetState],
    ['parsePrice', (long) => parsePrice(long, 'EUR')],
    ['nameField', (long) => nameField.safeParse(long)],
    ['accentField', (long) => accentField.safeParse(long)],
    ['logoUrlField', (long) => logoUrlField.safeParse(long)],
    ['stacksMarks', stacksMarks],
    ['isVisibleText', isVisibleText],
    ['plainName', plainName],
    ['quotableName', (long) => quotableName(long, 'Latchkey')],
    ['imitates', (long) => imitates(long, 'Latchkey')],
    ['mailboxOf', mailboxOf],
    ['browserNameOf', browserNameOf],
    ['clientNetwork', clientNetwork],
    ['parseWebOrigin', parseWebOrigin],
    ['checkEndpointUrl', (long) => checkEndpointUrl(long, { allowLoopback: false })],
    ['csvLines', (long) => csvLines([[long]])],
    ['jsonContainsNul', (long) => jsonContainsNul(Buffer.from(`${long}\\u0000`))],
    ['prettyJson', prettyJson],
    ['prettyJson of a string', (long) => prettyJson(JSON.stringify(long))],
    ['isTimeZone', isTimeZone],
    ['monogramOf', monogramOf],
    ['parseDatabaseUrl', (long) => orError(() => parseDatabaseUrl(`postgres://${long}`))],
  ];
  const UNITS = [
    ...[
      'a',
      'A',
      '0',
      '1',
      ' ',
      '\t',
      '\n',
      '-',
      '.',
      ',',
      ':',
      ';',
      '/',
      '//',
      '\\',
      '\\\\',
      '"',
      "'",
      '(',
      '[',
      '{',
      '<',
      '%',
      '%2',
    ],
    ...[
      '=',
      '+',
      '@',
      'a@',
      'a.',
      '.a',
      'a-',
      '-a',
      '1.',
      ',000',
      '1,000',
      '://',
      'Bearer ',
      'code=',
      'svc_',
      ':// ',
      '{"a":',
      '[[',
      '😀',
    ],
    ...[
      '\u0301',
      'a\u0301',
      '\u200d',
      '\u202e',
      '\u00a0',
      '\ufeff',
      'é',
      'Chrome/',
      'Mozilla/5.0 (',
      'en-',
      'a;q=1,',
      'xn--',
      '+1',
      '()',
    ],
  ];
  /** Length of the texts. A parser whose time grows with the square of it needs many seconds. */
  const LENGTH = 50_000;
  const LIMIT_MS = 1_500;

  it.each(PARSERS)('is parsed by %s in bounded time', (_name, parse) => {
    for (const unit of UNITS) {
      for (const [start, end] of [
        ['', ''],
        ['a@', '!'],
        ['https://', '\0'],
      ]) {
        const long = `${start}${unit.repeat(LENGTH / unit.length)}${end}`;
        const started = performance.now();
        parse(long);
        expect(performance.now() - started, JSON.stringify(long.slice(0, 20))).toBeLessThan(LIMIT_MS);
      }
    }
  });
});

/** Reads a line of CSV (RFC 4180) character by character. */
function cellsOf(line: string): string[] {
  const cells = [''];
  let isQuoted = false;
  for (let at = 0; at < line.length - 2; at += 1) {
    const isQuote = line[at] === '"';
    if (isQuote && isQuoted && line[at + 1] === '"') at += 1;
    else if (isQuote) {
      isQuoted = !isQuoted;
      continue;
    } else if (line[at] === ',' && !isQuoted) {
      cells.push('');
      continue;
    }
    cells.push(`${cells.pop()}${line[at]}`);
  }
  return cells;
}

/** Returns a body in which every text of the API-key endpoints is the same. */
function everyField(text: string): Record<string, string> {
  const names = [
    'communityId',
    'pricingPlanId',
    'externalId',
    'externalOrderId',
    'email',
    'phoneNumber',
    'utmSource',
  ];
  return Object.fromEntries(
    [...names, 'successUrl', 'cancelUrl', 'validFrom', 'validUntil'].map((name) => [name, text]),
  );
}

function orError(parse: () => unknown): unknown {
  try {
    return parse();
  } catch (error) {
    return error;
  }
}
