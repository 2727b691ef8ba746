import { describe, expect, it } from 'vitest';
import { type AccountPageProps, accountPage } from '../../src/web/account/account-page.js';
import { formOf, parsePage, textOf } from './page-document.js';
import { AFTERNOON, PUBLIC_CLIENT_ID } from './page-fixtures.js';

const membership = (changes: Partial<AccountPageProps['memberships'][number]>) => ({
  id: `id of ${changes.name}`,
  name: 'Club',
  productType: 'community',
  validFrom: AFTERNOON,
  validUntil: null,
  isRenewing: false,
  ...changes,
});

const page = (more: Partial<AccountPageProps> = {}) =>
  parsePage(
    accountPage({
      frame: {
        user: { email: 'ada@example.com', name: 'Ada Member' },
        account: '5eed0000-0000-4000-8000-00000000000a',
      },
      memberships: [
        membership({ name: 'Coffee Club', productType: 'community' }),
        membership({ name: 'Brewing', productType: 'digital_product', validUntil: AFTERNOON + 1 }),
      ],
      upcoming: [],
      expired: [],
      invitations: [],
      roles: { rows: [], next: undefined },
      apps: {
        rows: [
          { clientId: PUBLIC_CLIENT_ID, name: 'Shop', scopes: ['memberships.read'], grantedAt: AFTERNOON },
        ],
        next: undefined,
      },
      isFirst: { memberships: true, roles: true, apps: true },
      ...more,
    }),
  );

describe('account page', () => {
  it('lists memberships with their kind and their end in plain English', () => {
    const $ = page();
    const rows = $('section[aria-labelledby="memberships"] li');
    expect(rows.eq(0).text()).toContain('Community, since 12 June 2026');
    expect(rows.eq(0).text()).toContain('Lifetime');
    expect(rows.eq(1).text()).toContain('Digital product, since 12 June 2026');
    expect(rows.eq(1).text()).toContain('Until 12 June 2026');
  });

  it('lists expired and future memberships apart from active ones', () => {
    const $ = page({
      upcoming: [membership({ name: 'Next year' })],
      expired: [membership({ name: 'Last year', validUntil: AFTERNOON })],
    });
    expect(textOf($, 'section[aria-labelledby="memberships"]')).not.toMatch(/Next year|Last year/);
    expect(textOf($, 'section[aria-labelledby="upcoming"]')).toContain('Community, from 12 June 2026');
    expect(textOf($, 'section[aria-labelledby="expired"]')).toContain('Ended on 12 June 2026');
  });

  it('shows when a membership renews, and links to its cancellation', () => {
    const $ = page({ memberships: [membership({ name: 'Club', validUntil: AFTERNOON, isRenewing: true })] });
    expect(textOf($, 'section[aria-labelledby="memberships"] .tag')).toBe('Renews on 12 June 2026');
    const link = $('a[href="/account/memberships/id of Club/cancel"]');
    expect(link.text()).toBe('Cancel the subscription of Club');
  });

  it('has machine-readable dates with milliseconds and Z', () => {
    expect(page()('time').first().attr('datetime')).toBe('2026-06-12T14:05:00.000Z');
  });

  it('revokes an app’s access by its client id and the user of the page, with a button that names the app', () => {
    const $ = page();
    expect(formOf($, '/account/apps/revoke').hidden).toEqual([
      ['account', '5eed0000-0000-4000-8000-00000000000a'],
      ['clientId', PUBLIC_CLIENT_ID],
    ]);
    expect(textOf($, 'form[action="/account/apps/revoke"] button')).toBe('Remove the access of Shop');
  });

  it('shows the known details of each app', () => {
    expect(textOf(page(), 'section[aria-labelledby="apps"] .muted')).toBe(
      'Knows who you are, sees your active memberships. Allowed on 12 June 2026',
    );
  });

  it('has a text for an empty list', () => {
    const $ = page({ memberships: [], apps: { rows: [], next: undefined } });
    expect(textOf($, '.empty')).toContain('You have no active membership.');
    expect(textOf($, '.empty')).toContain('No app has access to your account.');
  });

  it('announces the last change', () => {
    expect(textOf(page({ notice: 'Shop no longer has access.' }), '[role="status"]')).toBe(
      'Shop no longer has access.',
    );
  });

  it('shows the signed-in user, a sign-out button and links to the other areas', () => {
    const $ = page();
    expect(textOf($, '.signed-in-person')).toContain('Signed in as Ada Member');
    expect(formOf($, '/sign-out').method).toBe('post');
    const areas = $('nav[aria-label="Areas"] a').toArray();
    expect(areas.map((link) => $(link).attr('href'))).toEqual(['/account', '/developer', '/seller']);
    expect(textOf($, 'nav[aria-label="Areas"] [aria-current]')).toBe('Account');
  });
});
