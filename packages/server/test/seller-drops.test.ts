import { PATHS } from '@latchkey/contract/constants';
import { sandboxScenario } from '@latchkey/sandbox';
import { describe, expect } from 'vitest';
import { callWithKey } from './api-key-requests.js';
import { textOf } from './pages/page-document.js';
import { COMMUNITY, errorsIn, fieldIn, noticeIn, rowsIn, sellerOf } from './seller-area.js';
import { it, type ServiceUnderTest } from './service-under-test.js';

const { community, dropSlot } = sandboxScenario;
const DROPS = `${COMMUNITY}/drops`;
const DROP = `${DROPS}/${dropSlot.id}`;
const FIELDS = { name: 'Summer', slots: '2', startsAt: '2026-06-12T14:05', endsAt: '2026-06-12T15:00' };

async function signUp(service: ServiceUnderTest, email: string, phoneNumber?: string) {
  const json = { communityId: community.id, email, phoneNumber };
  const { status, body } = await callWithKey(service, { path: PATHS.dropSignup, json });
  return { status, slot: (body as { data?: { dropSlotInfo?: object } }).data?.dropSlotInfo };
}

describe('drop', () => {
  it('is the one that the API signs up for once created, with times in UTC [drop-signup.next-drop] [drop-signup.slot-starts-at] [drop-signup.slot-ends-at] [drop-signup.slot-slots]', async ({
    service,
  }) => {
    const dana = await sellerOf(service);
    const $ = await dana.submit(DROPS, FIELDS);
    expect(noticeIn($)).toBe('Drop created.');
    expect(textOf($, '.lead')).toBe('Running, 0 of 2 slots taken.');
    expect(fieldIn($, 'startsAt')).toBe('2026-06-12T14:05');
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
    await dana.submit(DROPS, { name: 'Open', slots: '', startsAt: '2026-01-01T00:00', endsAt: '' });
    const $ = await dana.page(DROPS);
    expect(rowsIn($, 'running')).toEqual([
      'Open | 1 January 2026, 00:00 UTC | 0 signed up, no limit | Running',
      'Summer | 12 June 2026, 14:05 UTC to 12 June 2026, 15:00 UTC | 0 of 2 slots taken | Running',
    ]);
    expect(rowsIn($, 'upcoming')).toEqual([
      'Spring harvest | 19 June 2026, 14:05 UTC | 0 of 100 slots taken | Upcoming',
    ]);
    service.clock.advance(55 * 60_000);
    expect(rowsIn(await dana.page(DROPS), 'ended')).toEqual([expect.stringMatching(/^Summer .* Ended$/)]);
  });

  it('is not created from an invalid form, which shows each error and keeps the typed text', async ({
    service,
  }) => {
    const dana = await sellerOf(service);
    const typed = { name: '', slots: '-1', startsAt: '2026-02-30T10:00', endsAt: 'soon' };
    const $ = await dana.refused(DROPS, typed);
    expect(errorsIn($)).toEqual([
      '#name Enter a name.',
      '#slots Enter a whole number from 0 to 1000000000, or nothing for unlimited slots.',
      '#startsAt Enter a day and a time that exist, such as 2026-07-01T18:00.',
      '#endsAt Enter a day and a time that exist, such as 2026-07-01T18:00.',
    ]);
    expect(['slots', 'startsAt', 'endsAt'].map((name) => fieldIn($, name))).toEqual([
      '-1',
      '2026-02-30T10:00',
      'soon',
    ]);
    for (const [changes, error] of [
      [{ startsAt: '' }, '#startsAt Enter a day and a time.'],
      [{ endsAt: FIELDS.startsAt }, '#endsAt Enter an end after the start.'],
      [{ slots: '1.5' }, expect.stringContaining('#slots ')],
      [{ slots: '1000000001' }, expect.stringContaining('#slots ')],
    ] as const) {
      expect(errorsIn(await dana.refused(DROPS, { ...FIELDS, ...changes }))).toEqual([error]);
    }
    expect((await dana.page(DROPS))('.row')).toHaveLength(1);
  });

  it('never gets fewer slots than are reserved', async ({ service }) => {
    const dana = await sellerOf(service);
    for (const email of ['grace@example.com', 'hopper@example.com']) await signUp(service, email);
    const fields = { name: 'Spring', slots: '1', startsAt: '2026-06-19T14:05', endsAt: '' };
    const $ = await dana.refused(DROP, fields);
    expect(errorsIn($)).toEqual(['#slots 2 slots are already taken. Enter at least 2.']);
    expect(fieldIn($, 'slots')).toBe('1');
    const full = await dana.submit(DROP, { ...fields, slots: '2' });
    expect(textOf(full, '.lead')).toBe('Upcoming, 2 of 2 slots taken.');
    expect((await signUp(service, 'ida@example.com')).status).toBe(409);
    expect(textOf(await dana.submit(DROP, { ...fields, slots: '' }), '.lead')).toBe(
      'Upcoming, 2 signed up, no limit.',
    );
  });

  it('keeps room for concurrent signups while its slots are reduced', async ({ service }) => {
    const dana = await sellerOf(service);
    const people = Array.from({ length: 12 }, (_, index) => `person${index}@example.com`);
    const cut = { name: 'Spring', slots: '5', startsAt: '2026-06-19T14:05', endsAt: '' };
    const [change, ...signups] = await Promise.all([
      dana.post(DROP, cut),
      ...people.map((email) => signUp(service, email)),
    ]);
    const taken = signups.filter(({ status }) => status === 201).length;
    const lead = textOf(await dana.page(DROP), '.lead');
    expect(lead).toBe(`Upcoming, ${taken} of ${change.status === 303 ? 5 : 100} slots taken.`);
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
    expect(textOf($, '.lead')).toBe('Ended, 0 of 2 slots taken.');
    expect(textOf(await dana.submit(`${DROP}/end`), '.lead')).toBe('Cancelled, 0 of 100 slots taken.');
    expect(rowsIn(await dana.page(DROPS), 'ended')).toHaveLength(2);
    expect((await signUp(service, 'grace@example.com')).status).toBe(404);
    // Ending it again does not move its end.
    service.clock.advance(60_000);
    expect(fieldIn(await dana.submit(`${path}/end`), 'endsAt')).toBe('2026-06-12T14:06');
  });
});

describe('signup list', () => {
  it('shows email address and phone number, page by page', async ({ service }) => {
    const dana = await sellerOf(service);
    for (let person = 100; person < 153; person += 1) {
      expect((await signUp(service, `p${person}@example.com`, '+44 20 7946 0018')).status).toBe(201);
    }
    const $ = await dana.page(DROP);
    expect(rowsIn($, 'signups')).toHaveLength(50);
    expect(rowsIn($, 'signups')[0]).toBe('p100@example.com | +442079460018 | 12 June 2026, 14:05 UTC');
    const next = $('nav[aria-label="Pages"] a').attr('href') ?? '';
    const second = await dana.page(next);
    expect(rowsIn(second, 'signups').map((row) => row.split(' ')[0])).toEqual([
      'p150@example.com',
      'p151@example.com',
      'p152@example.com',
    ]);
    expect(textOf(second, 'nav[aria-label="Pages"]')).toBe('Back to the beginning');
    for (const after of ['', 'no%20address']) {
      expect(rowsIn(await dana.page(`${DROP}?after=${after}`), 'signups')).toHaveLength(50);
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
    expect(textOf(await dana.page(DROP), '.empty')).toBe('There are no signups yet.');
    expect(await (await dana.get(`${DROP}/signups.csv`)).text()).toBe('email,phone_number,signed_up_at\r\n');
  });
});
