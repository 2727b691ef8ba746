import { fc, test } from '@fast-check/vitest';
import { describe, expect, it } from 'vitest';
import { fuzzRuns } from '../../../../../scripts/fuzz-runs.mjs';
import { type ClientSettings, clientObstacles, clientSettingsSchema } from './client.resource.js';
import { CLIENT, clientFormErrors, valuesOfClient } from './client-form.pages.js';
import { clientSnippets } from './client-snippet.js';

const ADDRESS = {
  baseUrl: 'https://members.example',
  clientId: `oac_${'a'.repeat(24)}`,
  serviceName: 'Latchkey',
};
const OWN_CALLBACK = `${ADDRESS.baseUrl}/widget/callback/${ADDRESS.clientId}`;

const FIELDS = [
  'name',
  'description',
  'logoUrl',
  'accent',
  'redirectUris',
  'widgetOrigins',
  'hostedCallback',
  'scopes',
];

const line = fc.oneof(
  fc.webUrl({ validSchemes: ['https', 'http'], withQueryParameters: true, withFragments: true }),
  fc.constantFrom(
    'http://localhost:3000',
    'https://shop.example',
    'https://shop.example/',
    OWN_CALLBACK,
    ' ',
  ),
  fc.string({ unit: 'grapheme' }),
);
const lines = fc.array(line, { maxLength: 5 }).map((all) => all.join('\r\n'));
const form = fc
  .record({
    name: fc.oneof(fc.constant('Shop'), fc.string({ unit: 'grapheme' })),
    description: fc.oneof(fc.constant('A\r\nB'), fc.string({ unit: 'binary' })),
    logoUrl: fc.oneof(fc.constant('https://shop.example/logo.png'), fc.string()),
    accentChoice: fc.constantFrom('standard', 'own', 'other', undefined),
    accent: fc.oneof(fc.constant('#B4541A'), fc.string()),
    redirectUris: lines,
    widgetOrigins: lines,
    scopes: fc.constantFrom('memberships.read', 'products.read', 'everything'),
    hostedCallback: fc.constantFrom('on', undefined),
  })
  .map(
    (typed) =>
      new URLSearchParams(
        Object.entries(typed).filter((entry): entry is [string, string] => entry[1] !== undefined),
      ),
  );

const settingsOf = (typed: URLSearchParams) => CLIENT.given(typed) as ClientSettings;

/** Returns what a browser sends for these values. */
function formOf({ hostedCallback, scopes, ...texts }: typeof CLIENT.empty): URLSearchParams {
  const fields = [...Object.entries(texts), ...scopes.map((scope) => ['scopes', scope])];
  return new URLSearchParams(hostedCallback ? [...fields, ['hostedCallback', 'on']] : fields);
}

describe('form of an app', () => {
  test.prop([form], fuzzRuns(100))(
    'is accepted, or has a complete error sentence for each invalid field',
    (typed) => {
      for (const { field, message } of clientFormErrors(settingsOf(typed), ADDRESS)) {
        expect(FIELDS).toContain(field);
        expect(message).toMatch(/\.$/);
      }
    },
  );

  test.prop([form], fuzzRuns(100))(
    'reproduces the stored settings: saving without a change keeps them',
    (typed) => {
      const settings = settingsOf(typed);
      fc.pre(clientFormErrors(settings, ADDRESS).length === 0);
      const stored = clientSettingsSchema(ADDRESS).parse(settings);
      const client = {
        ...stored,
        clientId: ADDRESS.clientId,
        ownerId: 'o',
        type: 'public' as const,
        secretHash: null,
        verifiedAt: null,
      };
      const again = settingsOf(formOf(valuesOfClient(client, ADDRESS.baseUrl)));
      expect(clientFormErrors(again, ADDRESS)).toEqual([]);
      const saved = clientSettingsSchema(ADDRESS).parse(again);
      // The hosted callback is a separate switch and may move to the end.
      expect({ ...saved, redirectUris: [...saved.redirectUris].sort() }).toEqual({
        ...stored,
        redirectUris: [...stored.redirectUris].sort(),
      });
    },
  );

  it.each([
    ['HTTPS://Shop.Example:443', 'https://shop.example'],
    ['https://m\u00fcnchen.example', 'https://xn--mnchen-3ya.example'],
    ['https://shop.example:8443/', 'https://shop.example:8443'],
    ['http://LOCALHOST:3000', 'http://localhost:3000'],
  ])('stores the origin %s as browsers send it', (typed, stored) => {
    const settings = { name: 'Shop', redirectUris: [], widgetOrigins: [typed], scopes: [] };
    expect(clientSettingsSchema(ADDRESS).parse(settings).widgetOrigins).toEqual([stored]);
  });

  it.each([
    ['widgetOrigins', 'https://*.shop.example', /Wildcards/],
    ['widgetOrigins', '*', /Wildcards/],
    ['widgetOrigins', 'https://ada@shop.example', /Enter an origin/],
    ['widgetOrigins', 'https://shop.example/path', /Enter an origin/],
    ['widgetOrigins', 'https://shop.example?q', /Enter an origin/],
    ['redirectUris', 'https://*.shop.example/cb', /Wildcards/],
    ['redirectUris', 'https://m\u00fcnchen.example/cb', /https:\/\/xn--mnchen-3ya\.example\/cb/],
    ['redirectUris', 'HTTPS://Shop.Example/Cb', /as browsers send it: https:\/\/shop\.example\/Cb$/],
    ['redirectUris', 'https:/shop.example/cb', /as browsers send it: https:\/\/shop\.example\/cb$/],
    ['redirectUris', 'http://127.1:3000/cb', /as browsers send it: http:\/\/127\.0\.0\.1:3000\/cb$/],
    ['redirectUris', 'http://[0:0::1]:3000/cb', /as browsers send it: http:\/\/\[::1\]:3000\/cb$/],
    ['redirectUris', 'https://ada@shop.example/cb', /Start with an origin/],
    ['redirectUris', 'http://Shop.Example/cb', /Use https/],
  ])('rejects %s %s and says why', (field, typed, message) => {
    const settings = { name: 'Shop', redirectUris: [], widgetOrigins: [], scopes: [], [field]: [typed] };
    const parsed = clientSettingsSchema(ADDRESS).safeParse(settings);
    expect(parsed.error?.issues.map((issue) => issue.message).join()).toMatch(message);
  });

  it('quotes an invalid entry, truncated if it is long', () => {
    const typed = new URLSearchParams({
      name: 'x',
      scopes: 'memberships.read',
      redirectUris: 'x'.repeat(3000),
    });
    const [error] = clientFormErrors(settingsOf(typed), ADDRESS);
    expect(error?.message).toMatch(/^“x{80}…”: /);
  });

  it('names few of many invalid entries, so that a form of 100 kB does not become a page of megabytes', () => {
    const typed = new URLSearchParams({ name: 'x', redirectUris: 'y\n'.repeat(40) });
    for (let n = 0; n < 11_000; n += 1) typed.append('scopes', `x${n}`);
    const errors = clientFormErrors(settingsOf(typed), ADDRESS);
    expect(errors.length).toBeLessThanOrEqual(20);
    expect(new Set(errors.map(({ field }) => field))).toEqual(new Set(['scopes', 'redirectUris']));
  });

  it('has an accent for the choice of an own colour only', () => {
    const accentFor = (typed: Record<string, string>) => settingsOf(new URLSearchParams(typed)).accent;
    expect(accentFor({ accentChoice: 'own', accent: '#b4541a' })).toBe('#b4541a');
    expect(accentFor({ accentChoice: 'standard', accent: '#b4541a' })).toBeUndefined();
    expect(accentFor({ accent: '#b4541a' })).toBeUndefined();
  });

  it('rejects a name that looks like the name of the service', () => {
    const typed = new URLSearchParams({ name: 'Lаtchkey Support', scopes: 'memberships.read' });
    expect(clientFormErrors(settingsOf(typed), ADDRESS)).toEqual([
      {
        field: 'name',
        message: 'Enter a name that does not contain “Latchkey”, the name of this service.',
      },
    ]);
  });

  it('rejects the callback of another client under any name of this service', () => {
    const other = `/widget/callback/oac_${'b'.repeat(24)}`;
    const errorsFor = (baseUrl: string, redirectUris: string) => {
      const typed = new URLSearchParams({ name: 'x', scopes: 'memberships.read', redirectUris });
      return clientFormErrors(settingsOf(typed), { ...ADDRESS, baseUrl });
    };
    const local = 'http://127.0.0.1:4400';
    for (const origin of [local, 'http://localhost:4400', 'http://[::1]:4400']) {
      expect(errorsFor(local, `${origin}${other}`)[0]?.message, origin).toContain(
        "On the service's own origin",
      );
    }
    expect(errorsFor(local, `http://localhost:4401${other}`)).toEqual([]);
    expect(errorsFor('https://members.example', `https://members.example:443${other}`)).not.toEqual([]);
    expect(errorsFor('https://members.example', `https://shop.example${other}`)).toEqual([]);
  });

  it('limits each list and text', () => {
    const errorsFor = (typed: Record<string, string>) =>
      clientFormErrors(
        settingsOf(new URLSearchParams({ name: 'x', scopes: 'memberships.read', ...typed })),
        ADDRESS,
      ).map(({ field }) => field);
    const many = (count: number) =>
      Array.from({ length: count }, (_, n) => `https://a${n}.example`).join('\n');
    expect(errorsFor({ redirectUris: many(50), widgetOrigins: many(50) })).toEqual([]);
    expect(errorsFor({ redirectUris: many(51) })).toEqual(['redirectUris']);
    expect(errorsFor({ widgetOrigins: many(51) })).toEqual(['widgetOrigins']);
    expect(errorsFor({ logoUrl: `https://a.example/${'x'.repeat(2048)}` })).toEqual(['logoUrl']);
    expect(errorsFor({ logoUrl: `data:image/png;base64,${'x'.repeat(10_000)}` })).toEqual([]);
    expect(errorsFor({ logoUrl: `data:image/png;base64,${'x'.repeat(20_000)}` })).toEqual(['logoUrl']);
    expect(errorsFor({ description: 'Bell \u0007' })).toEqual(['description']);
  });
});

describe('problem that prevents sign-ins', () => {
  const ready = {
    redirectUris: [OWN_CALLBACK],
    widgetOrigins: ['https://shop.example'],
    hostedCallback: true,
  };

  it.each([
    ['nothing', ready, undefined],
    ['a missing redirect URI', { ...ready, redirectUris: [], hostedCallback: false }, /no redirect URI/],
    ['a hosted callback that rejects every page', { ...ready, widgetOrigins: [] }, /refuses every page/],
    ['web origins without the hosted callback', { ...ready, hostedCallback: false }, /no effect/],
    ['nothing, without the widget', { ...ready, hostedCallback: false, widgetOrigins: [] }, undefined],
  ])('is reported: %s', (_what, client, expected) => {
    const obstacles = clientObstacles(client);
    expect(obstacles).toHaveLength(expected === undefined ? 0 : 1);
    if (expected !== undefined) expect(obstacles[0]).toMatch(expected);
  });
});

describe('integration code on an app’s page', () => {
  const client = {
    clientId: ADDRESS.clientId,
    type: 'public' as const,
    redirectUris: [OWN_CALLBACK],
    scopes: ['memberships.read'] as const,
    hostedCallback: true,
  };
  const texts = (changes: object) =>
    clientSnippets({ ...client, ...changes }, { baseUrl: ADDRESS.baseUrl }).map(({ text }) => text);

  it('requests more than memberships only when the app may', () => {
    expect(texts({})[0]).not.toContain('scope=');
    expect(texts({ scopes: ['memberships.read', 'products.read'] })[0]).toContain(
      `<latchkey-login client-id="${ADDRESS.clientId}" scope="memberships.read products.read">`,
    );
  });

  it('is empty for a public app without the hosted callback, which the widget needs', () => {
    expect(texts({ hostedCallback: false })).toEqual([]);
  });

  it('is the Express kit for a confidential app, with the widget in back-end mode if a web origin is registered', () => {
    const own = { type: 'confidential', redirectUris: ['http://localhost:4402/auth/callback', OWN_CALLBACK] };
    const [express, pages] = texts(own);
    expect(express).toContain("appUrl: 'http://localhost:4402'");
    expect(express).toContain('app.listen(4402);');
    expect(pages).toContain('backend="/auth"');
    expect(texts({ ...own, hostedCallback: false })).toHaveLength(1);
    expect(texts({ type: 'confidential', redirectUris: [] })[0]).toContain('Register {appUrl}/auth/callback');
  });
});
