import { describe, expect, it } from 'vitest';
import { accountPage } from '../../src/features/account/account.pages.js';
import { formOf, parsePage, textOf } from './page-document.js';
import { AFTERNOON, PUBLIC_CLIENT_ID } from './page-fixtures.js';

type AccountPageProps = Parameters<typeof accountPage>[0];

const membership = (changes: Partial<AccountPageProps['active'][number]>) => ({
  id: `id of ${changes.name}`,
  name: 'Club',
  productType: 'community' as const,
  planName: null,
  validFrom: AFTERNOON,
  validUntil: null,
  planChangesAt: null,
  renewsAt: null,
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
      active: [
        membership({ name: 'Coffee Club', productType: 'community' }),
        membership({ name: 'Brewing', productType: 'digital_product', validUntil: AFTERNOON + 1 }),
      ],
      upcoming: [],
      expired: [],
      later: [],
      next: undefined,
      invitations: [],
      roles: { rows: [], next: undefined, isFirst: true },
      apps: {
        rows: [
          {
            clientId: PUBLIC_CLIENT_ID,
            name: 'Shop',
            logoUrl: null,
            scopes: ['memberships.read'],
            grantedAt: AFTERNOON,
          },
        ],
        next: undefined,
        isFirst: true,
      },
      isFirst: true,
      ...more,
    }),
  );

describe('account page', () => {
  it('lists memberships with their kind, their plan and their end in plain English', () => {
    const $ = page({
      active: [
        membership({ name: 'Coffee Club', planName: 'Monthly' }),
        membership({ name: 'Brewing', productType: 'digital_product', validUntil: AFTERNOON + 1 }),
      ],
    });
    const cells = (row: number) =>
      $('#memberships tbody tr')
        .eq(row)
        .children()
        .toArray()
        .map((cell) => $(cell).text().trim());
    expect(cells(0)).toEqual([
      'Coffee ClubCommunity',
      'Monthly',
      '12 Jun 2026',
      'Lifetime',
      'Leave Coffee Club',
    ]);
    expect(cells(1)).toEqual([
      'BrewingDigital product',
      'No plan',
      '12 Jun 2026',
      'Ends on 12 Jun 2026',
      'Leave Brewing',
    ]);
  });

  it('shows the end of the running plan, and what comes after it in a list of its own', () => {
    const DAY = 24 * 3600_000;
    const $ = page({
      active: [
        membership({ name: 'Club', planName: 'Pro', validUntil: null, planChangesAt: AFTERNOON + 30 * DAY }),
      ],
      later: [{ id: 'next', name: 'Club', planName: null, startsAt: AFTERNOON + 30 * DAY, endsAt: null }],
    });
    expect(textOf($, '#memberships tbody')).toContain('Ends on 12 Jul 2026');
    expect(textOf($, '#memberships tbody')).not.toContain('Lifetime');
    expect(textOf($, '#later tbody')).toMatch(/Club\s*No plan\s*12 Jul 2026\s*Never/);
    expect(page()('#later')).toHaveLength(0);
  });

  it('has no column for plans if no membership has one', () => {
    expect(textOf(page(), '#memberships thead')).not.toContain('Plan');
  });

  it('lists expired and future memberships apart from active ones', () => {
    const $ = page({
      upcoming: [membership({ name: 'Next year' })],
      expired: [membership({ name: 'Last year', validUntil: AFTERNOON })],
    });
    expect(textOf($, '#memberships')).not.toMatch(/Next year|Last year/);
    expect(textOf($, '#upcoming')).toContain('Starts');
    expect(textOf($, '#upcoming')).toContain('12 Jun 2026');
    expect(textOf($, '#expired thead')).toContain('Ended');
    expect(textOf($, '#expired')).toContain('12 Jun 2026');
  });

  it('shows when a membership renews, and links to its cancellation', () => {
    const $ = page({ active: [membership({ name: 'Club', validUntil: AFTERNOON, isRenewing: true })] });
    expect(textOf($, '#memberships')).toContain('Renews on 12 Jun 2026');
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
    const row = textOf(page(), '#apps tbody tr');
    expect(row).toContain('Knows who you are, sees your active memberships');
    expect(row).toContain('12 Jun 2026');
  });

  it('has a text for an empty list', () => {
    const $ = page({ active: [], apps: { rows: [], next: undefined, isFirst: true } });
    expect(textOf($, '#memberships .empty-title')).toBe('This account has no active membership.');
    expect(textOf($, '#apps .empty-title')).toBe('No app has access to your account.');
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
