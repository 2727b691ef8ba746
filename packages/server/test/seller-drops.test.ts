import { PATHS } from '@latchkey/contract/constants';
import { sandboxScenario } from '@latchkey/sandbox';
import { describe, expect } from 'vitest';
import { callWithKey } from './api-key-requests.js';
import { textOf } from './pages/page-document.js';
import {
  COMMUNITY,
  emptyIn,
  errorsIn,
  factsIn,
  fieldIn,
  noticeIn,
  sellerOf,
  statusIn,
  tableIn,
} from './seller-area.js';
import { it, type ServiceUnderTest } from './service-under-test.js';

const { community, dropSlot } = sandboxScenario;
const DROPS = `${COMMUNITY}/drops`;
const DROP = `${DROPS}/${dropSlot.id}`;
const FIELDS = {
  name: 'Summer',
  slots: '2',
  startsAt: '2026-06-12',
  'startsAt-time': '14:05',
  endsAt: '2026-06-12',
  'endsAt-time': '15:00',
};

async function signUp(service: ServiceUnderTest, email: string, phoneNumber?: string) {
  const json = { communityId: community.id, email, phoneNumber };
  const { status, body } = await callWithKey(service, { path: PATHS.dropSignup, json });
  return { status, slot: (body as { data?: { dropSlotInfo?: object } }).data?.dropSlotInfo };
}

describe('drop', () => {
  it('is the one that the API signs up for once created, with times in UTC', {
    tags: [
      'drop-signup.next-drop',
      'drop-signup.slot-starts-at',
      'drop-signup.slot-ends-at',
      'drop-signup.slot-slots',
    ],
  }, async ({ service }) => {
    const dana = await sellerOf(service);
    const $ = await dana.submit(DROPS, FIELDS);
    expect(noticeIn($)).toBe('Drop created.');
    expect([statusIn($), factsIn($)]).toEqual([
      'Running',
      expect.objectContaining({ Ends: '12 Jun 2026, 15:00 UTC, in 55 minutes', Signups: '0 of 2' }),
    ]);
    expect([fieldIn($, 'startsAt'), fieldIn($, 'startsAt-time')]).toEqual(['2026-06-12', '14:05']);
    expect(await signUp(service, 'grace@example.com')).toMatchObject({
      status: 201,
      slot: {
        slots: 2,
        availableSlots: 1,
        startsAt: '2026-06-12T14:05:00.000Z',
        endsAt: '2026-06-12T15:00:00.000Z',
        isCurrentlyActive: true,
      },
    });
  });

  it('is listed as running, upcoming or over by the clock', async ({ service }) => {
    const dana = await sellerOf(service);
    await dana.submit(DROPS, FIELDS);
    await dana.submit(DROPS, { name: 'Open', slots: '', startsAt: '2026-01-01', endsAt: '' });
    expect(tableIn(await dana.page(DROPS), 'Drops')).toEqual([
      'Spring harvest | Upcoming | 19 Jun 2026, 14:05 UTC | Never | 0 of 100',
      'Summer | Running | 12 Jun 2026, 14:05 UTC | 12 Jun 2026, 15:00 UTC | 0 of 2',
      'Open | Running | 1 Jan 2026, 00:00 UTC | Never | 0',
    ]);
    expect(factsIn(await dana.page(DROP)).Starts).toBe('19 Jun 2026, 14:05 UTC, in 7 days');
    service.clock.advance(55 * 60_000);
    expect(tableIn(await dana.page(DROPS), 'Drops')[1]).toMatch(/^Summer \| Ended /);
  });

  it('is not created from an invalid form, which shows each error and keeps the typed text', async ({
    service,
  }) => {
    const dana = await sellerOf(service);
    const typed = { name: '', slots: '-1', startsAt: '2026-02-30', endsAt: 'soon' };
    const $ = await dana.refused(DROPS, typed);
    expect(errorsIn($)).toEqual([
      '#name Enter a name.',
      '#slots Enter a whole number from 0 to 1000000000, or nothing for unlimited slots.',
      '#startsAt Enter a date that exists, such as 2026-07-01.',
      '#endsAt Enter a date that exists, such as 2026-07-01.',
    ]);
    expect(fieldIn($, 'slots')).toBe('-1');
    for (const [changes, error] of [
      [{ startsAt: '' }, '#startsAt Enter a date too, or clear the time.'],
      [{ 'endsAt-time': '14:05' }, '#endsAt Enter an end after the start.'],
      [{ slots: '1.5' }, expect.stringContaining('#slots ')],
      [{ slots: '1000000001' }, expect.stringContaining('#slots ')],
    ] as const) {
      expect(errorsIn(await dana.refused(DROPS, { ...FIELDS, ...changes }))).toEqual([error]);
    }
    expect(tableIn(await dana.page(DROPS), 'Drops')).toHaveLength(1);
  });

  it('never gets fewer slots than are reserved', async ({ service }) => {
    const dana = await sellerOf(service);
    for (const email of ['grace@example.com', 'hopper@example.com']) await signUp(service, email);
    const fields = { name: 'Spring', slots: '1', startsAt: '', endsAt: '' };
    const $ = await dana.refused(DROP, fields);
    expect(errorsIn($)).toEqual(['#slots 2 slots are already taken. Enter at least 2.']);
    expect(fieldIn($, 'slots')).toBe('1');
    const full = await dana.submit(DROP, { ...fields, slots: '2' });
    expect([statusIn(full), factsIn(full).Signups]).toEqual(['Upcoming', '2 of 2, all taken']);
    expect((await signUp(service, 'ida@example.com')).status).toBe(409);
    expect(factsIn(await dana.submit(DROP, { ...fields, slots: '' })).Signups).toBe('2, no limit');
  });

  it('keeps room for concurrent signups while its slots are reduced', async ({ service }) => {
    const dana = await sellerOf(service);
    const people = Array.from({ length: 12 }, (_, index) => `person${index}@example.com`);
    const cut = { name: 'Spring', slots: '5', startsAt: '', endsAt: '' };
    const [change, ...signups] = await Promise.all([
      dana.post(DROP, cut),
      ...people.map((email) => signUp(service, email)),
    ]);
    const taken = signups.filter(({ status }) => status === 201).length;
    const { Signups } = factsIn(await dana.page(DROP));
    expect(Signups?.replace(', all taken', '')).toBe(`${taken} of ${change.status === 303 ? 5 : 100}`);
    if (change.status === 303) expect(taken).toBeLessThanOrEqual(5);
    else expect(taken).toBe(12);
  });

  it('is ended while it runs, and cancelled before', async ({ service }) => {
    const dana = await sellerOf(service);
    const running = await dana.post(DROPS, FIELDS);
    const path = (running.headers.get('location') ?? '').replace(/\?.*/, '');
    service.clock.advance(60_000);
    const $ = await dana.submit(`${path}/end`);
    expect(noticeIn($)).toContain('Drop ended.');
    expect([statusIn($), factsIn($).Signups]).toEqual(['Ended', '0 of 2']);
    expect(statusIn(await dana.submit(`${DROP}/end`))).toBe('Cancelled');
    expect(tableIn(await dana.page(DROPS), 'Drops').map((row) => row.split(' | ')[1])).toEqual([
      'Cancelled',
      'Ended',
    ]);
    expect((await signUp(service, 'grace@example.com')).status).toBe(404);
    // Ending it again does not move its end.
    service.clock.advance(60_000);
    expect(fieldIn(await dana.submit(`${path}/end`), 'endsAt-time')).toBe('14:06');
  });
});

describe('signup list', () => {
  it('shows email address and phone number, page by page', async ({ service }) => {
    const dana = await sellerOf(service);
    for (let person = 100; person < 153; person += 1) {
      expect((await signUp(service, `p${person}@example.com`, '+44 20 7946 0018')).status).toBe(201);
    }
    const $ = await dana.page(DROP);
    expect(tableIn($, 'Signups')).toHaveLength(50);
    expect(tableIn($, 'Signups')[0]).toBe('p100@example.com | +442079460018 | 12 Jun 2026, 14:05 UTC');
    const next = $('nav[aria-label="Pages"] a').attr('href') ?? '';
    const second = await dana.page(next);
    expect(tableIn(second, 'Signups').map((row) => row.split(' ')[0])).toEqual([
      'p150@example.com',
      'p151@example.com',
      'p152@example.com',
    ]);
    expect(textOf(second, 'nav[aria-label="Pages"]')).toBe('Back to the beginning');
    for (const after of ['', 'no%20address']) {
      expect(tableIn(await dana.page(`${DROP}?after=${after}`), 'Signups')).toHaveLength(50);
    }
  });

  it('is exported as CSV with all signups and without spreadsheet formulas', async ({ service }) => {
    const dana = await sellerOf(service);
    await signUp(service, 'grace@example.com', '+442079460018');
    await signUp(service, '=1+cmd|calc@example.com');
    const response = await dana.get(`${DROP}/signups.csv`);
    expect(response.headers.get('content-type')).toBe('text/csv; charset=utf-8');
    expect(response.headers.get('content-disposition')).toBe(
      `attachment; filename="signups-${dropSlot.id}.csv"`,
    );
    expect(response.headers.get('cache-control')).toBe('no-store');
    expect(await response.text()).toBe(
      [
        'email,phone_number,signed_up_at',
        "'=1+cmd|calc@example.com,,2026-06-12T14:05:00.000Z",
        "grace@example.com,'+442079460018,2026-06-12T14:05:00.000Z",
        '',
      ].join('\r\n'),
    );
  });

  it('may be empty', async ({ service }) => {
    const dana = await sellerOf(service);
    expect(emptyIn(await dana.page(DROP))).toBe('No signups yet');
    expect(await (await dana.get(`${DROP}/signups.csv`)).text()).toBe('email,phone_number,signed_up_at\r\n');
  });
});
