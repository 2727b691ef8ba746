import { createHmac } from 'node:crypto';
import { runInNewContext } from 'node:vm';
import fc from 'fast-check';
import { afterEach, describe, expect, it } from 'vitest';
import { fuzzRuns } from '../../../../scripts/fuzz-runs.mjs';
import { type DirectoryEntry, type MembershipDirectory, memoryDirectory } from '../../src/index.js';
import { exampleEvent, type SignedWebhook, signWebhook } from '../../src/testing/index.js';
import type { WebhookOptions } from '../../src/webhooks/index.js';
import { type Endpoint, OLD_SECRET, SECRET, startEndpoint } from './endpoint.js';
import { sendRaw } from './send-raw.js';

const CLUB = 'c0ffee00-0000-4000-8000-0000000000c1';
const OTHER_CLUB = 'c0ffee00-0000-4000-8000-0000000000c2';
const GUIDE = 'c0ffee00-0000-4000-8000-0000000000b1';
const GUIDE_SECRET = 'f00d'.repeat(16);
const ONE = 'aaaaaaaa-0000-4000-8000-000000000001';
const TWO = 'aaaaaaaa-0000-4000-8000-000000000002';
const GOLD = 'bbbbbbbb-0000-4000-8000-000000000001';
const SILVER = 'bbbbbbbb-0000-4000-8000-000000000002';

const open: Endpoint[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((each) => each.close()));
});

interface Recording extends Endpoint {
  entry(membershipId: string): Promise<DirectoryEntry | undefined>;
}

/** An endpoint of two communities and a product, each with a secret. */
async function start({ directory = memoryDirectory(), ...options }: WebhookOptions = {}): Promise<Recording> {
  const endpoint = await startEndpoint({
    options: {
      communities: { [CLUB]: SECRET, [OTHER_CLUB]: OLD_SECRET },
      products: { [GUIDE]: GUIDE_SECRET },
      directory,
      ...options,
    },
  });
  open.push(endpoint);
  return {
    ...endpoint,
    entry: async (membershipId) => (await directory.find([membershipId])).get(membershipId),
  };
}

const ofClub = (pricingPlanId: string | null) => ({
  membershipId: ONE,
  communityId: CLUB,
  productId: null,
  pricingPlanId,
});

const change = (pricingPlanId: string | null, createdAt = '2026-03-01T12:00:00.000Z') => ({
  ...exampleEvent('membership.updated', { membership: { id: ONE }, communityId: CLUB, pricingPlanId }),
  createdAt,
});

const signed = (event: Parameters<typeof signWebhook>[0], secret = SECRET) => signWebhook(event, { secret });

/** Signs any body, with the headers of an event. */
function signedBody(body: string, secret = SECRET): SignedWebhook {
  const { headers } = signWebhook({ type: 'membership.updated', id: 'e-1' }, { secret });
  const signature = createHmac('sha256', secret).update(body).digest('hex');
  return { method: 'POST', body, headers: { ...headers, 'x-svc-signature': signature } };
}

/** A directory whose next calls of `record` run `before` first. */
function interfered(before: () => Promise<void> | void): MembershipDirectory {
  const directory = memoryDirectory();
  return {
    ...directory,
    async record(records) {
      await before();
      await directory.record(records);
    },
  };
}

describe('a verified event', () => {
  it.each([
    [
      'membership.created',
      exampleEvent('membership.created', { membership: { id: ONE }, communityId: CLUB, pricingPlanId: GOLD }),
      GOLD,
    ],
    ['membership.updated', change(null), null],
    [
      'payment.success',
      exampleEvent('payment.success', { membershipId: ONE, communityId: CLUB, pricingPlanId: GOLD }),
      GOLD,
    ],
    ['a type that is newer', { type: 'membership.renamed', data: { membershipId: ONE } }, null],
  ])('of type %s records its membership', async (_type, event, plan) => {
    const { deliver, entry, log } = await start();
    expect((await deliver(signed(event))).status).toBe(200);
    expect(await entry(ONE)).toEqual(ofClub(plan));
    expect(log).toEqual([]);
  });

  it('of a product records its product', async () => {
    const { deliver, entry } = await start();
    const event = exampleEvent('digital.product.purchase', {
      product: { id: GUIDE },
      membership: { id: ONE },
    });
    expect((await deliver(signed(event, GUIDE_SECRET))).status).toBe(200);
    expect(await entry(ONE)).toEqual({ ...ofClub(null), communityId: null, productId: GUIDE });
  });

  it('is recorded without a handler, and if it was handled before', async () => {
    const directory = memoryDirectory();
    const { deliver, entry, events } = await start({ directory });
    const delivery = signed(change(GOLD));
    await deliver(delivery);
    await directory.remove(ONE);
    expect((await deliver(delivery)).status).toBe(200);
    expect(events).toHaveLength(1);
    expect(await entry(ONE)).toEqual(ofClub(GOLD));
    const silent = await start({ directory, on: {}, other: undefined });
    await directory.remove(ONE);
    await silent.deliver(delivery);
    expect(await entry(ONE)).toEqual(ofClub(GOLD));
  });

  it('is recorded before its handler runs', async () => {
    const directory = memoryDirectory();
    const seen: unknown[] = [];
    const { deliver } = await start({
      directory,
      other: async () => seen.push((await directory.find([ONE])).get(ONE)),
    });
    await deliver(signed(change(GOLD)));
    expect(seen).toEqual([ofClub(GOLD)]);
  });

  it('is recorded in whatever envelope it comes', async () => {
    const { deliver, entry, events, log } = await start();
    const body = { event: 'membership_created', membership: { id: ONE, plan_id: GOLD } };
    expect((await deliver(signedBody(JSON.stringify(body)))).status).toBe(200);
    expect(events).toMatchObject([{ type: 'membership.updated', id: 'e-1', body }]);
    expect(await entry(ONE)).toEqual(ofClub(GOLD));
    expect(log).toEqual([]);
  });

  it('is recorded although the headers contradict its body, so that a misread body locks nobody out', async () => {
    const { deliver, entry, events } = await start();
    expect((await deliver(signed(change(GOLD)), { 'x-svc-event-id': 'e-new' })).status).toBe(400);
    expect(events).toEqual([]);
    expect(await entry(ONE)).toEqual(ofClub(GOLD));
  });

  it('without a membership, or without a body, is handled and records nothing', async () => {
    const { deliver, events, log } = await start();
    for (const [index, body] of [{ paid: 900 }, [], 'paid', undefined].entries()) {
      const event = { type: 'payment.failed', id: `evt-${index}`, body };
      expect((await deliver(signed(event))).status).toBe(200);
    }
    expect(events).toHaveLength(4);
    expect(log).toEqual([]);
  });

  it('of a failed payment grants no plan, whatever its header says', async () => {
    const { deliver, entry } = await start();
    const event = { type: 'payment.failed', id: 'e-1', data: { membershipId: ONE, pricingPlanId: GOLD } };
    const changed = { 'x-svc-event-type': 'membership.updated' };
    expect((await deliver(signed(event), changed)).status).toBe(400);
    expect(await entry(ONE)).toEqual(ofClub(null));
  });
});

describe('events out of order', () => {
  const times = [1, 2, 3].map((day) => `2026-03-0${day}T12:00:00.000Z`);

  it('leave the plan of the newest, in any order and any number of times', async () => {
    const events = [
      change(SILVER, times[0]),
      change(GOLD, times[1]),
      // A single payment beside a subscription: the membership keeps its plan.
      {
        ...exampleEvent('payment.success', { membershipId: ONE, communityId: CLUB, pricingPlanId: SILVER }),
        createdAt: times[1] ?? '',
      },
      {
        type: 'payment.failed',
        createdAt: times[2] ?? '',
        data: { membershipId: ONE, pricingPlanId: SILVER },
      },
    ].map((event) => signed(event));
    const everyEvent = fc
      .array(fc.constantFrom(...events), { maxLength: 6 })
      .chain((more) => fc.shuffledSubarray([...events, ...more], { minLength: events.length + more.length }));
    await fc.assert(
      fc.asyncProperty(everyEvent, async (order) => {
        const { deliver: tell, entry } = await start({ other: undefined });
        for (const event of order) await tell(event);
        expect(await entry(ONE)).toEqual(ofClub(GOLD));
      }),
      fuzzRuns(30),
    );
  });

  it('without a time count when they arrive', async () => {
    let now = Date.parse('2026-03-01T12:00:00Z');
    const { deliver, entry } = await start({ directory: memoryDirectory({ clock: { now: () => now } }) });
    const body = (plan: string) =>
      signedBody(JSON.stringify({ type: 'membership.updated', membership_id: ONE, plan_id: plan }));
    for (const plan of [SILVER, GOLD]) {
      now += 1000;
      await deliver(body(plan));
    }
    expect(await entry(ONE)).toEqual(ofClub(GOLD));
  });
});

describe('a hostile sender', () => {
  it('without the secret records nothing', async () => {
    const { deliver, entry } = await start();
    expect((await deliver(signed(change(GOLD), 'ab'.repeat(32)))).status).toBe(401);
    expect((await deliver(signed(change(GOLD)), { 'x-svc-signature': undefined })).status).toBe(401);
    expect(await entry(ONE)).toBeUndefined();
  });

  it('with one secret never records for another community or product', async () => {
    const { deliver, entry, events, log } = await start();
    const targets = [
      change(GOLD),
      { type: 'membership.updated', data: { membershipId: ONE, communityId: CLUB } },
      { type: 'membership.updated', communityId: CLUB, data: { membershipId: ONE } },
      exampleEvent('digital.product.purchase', { product: { id: GUIDE }, membership: { id: ONE } }),
    ];
    for (const event of targets) expect((await deliver(signed(event, OLD_SECRET))).status).toBe(500);
    expect(await entry(ONE)).toBeUndefined();
    expect(events).toEqual([]);
    expect(log[0]).toMatchObject({ level: 'error', details: { code: 'source_mismatch' } });
    expect(JSON.stringify(log)).not.toContain(OLD_SECRET);
    // Without a named community, the secret alone decides.
    await deliver(signed({ type: 'membership.updated', data: { membershipId: ONE } }, OLD_SECRET));
    expect(await entry(ONE)).toMatchObject({ communityId: OTHER_CLUB });
  });

  it('cannot move a membership that is recorded, or change its plan', async () => {
    const { deliver, entry, log, events } = await start();
    await deliver(signed(change(GOLD)));
    const event = {
      type: 'membership.updated',
      createdAt: '2027-01-01T00:00:00.000Z',
      data: { membershipId: ONE, pricingPlanId: SILVER },
    };
    expect((await deliver(signed(event, OLD_SECRET))).status).toBe(503);
    expect(await entry(ONE)).toEqual(ofClub(GOLD));
    expect(events).toHaveLength(1);
    expect(log.at(-1)?.details).toMatchObject({ membershipId: ONE, source: `community ${OTHER_CLUB}` });
    expect(String(log.at(-1)?.details?.error)).toContain(CLUB);
  });

  it('who replays a delivery changes nothing, under its id or another', async () => {
    const { deliver, entry, events } = await start();
    const old = signed(change(SILVER, '2026-03-01T12:00:00.000Z'));
    await deliver(old);
    await deliver(signed(change(GOLD, '2026-03-02T12:00:00.000Z')));
    expect((await deliver(old)).status).toBe(200);
    expect((await deliver(old, { 'x-svc-event-id': 'e-new' })).status).toBe(400);
    expect(await entry(ONE)).toEqual(ofClub(GOLD));
    expect(events).toHaveLength(2);
  });

  it('who replays a body without an event id runs the handler again, and changes no newer plan', async () => {
    const { deliver, entry, events } = await start();
    const plan = (pricing: string, day: number) => ({
      created_at: `2026-03-0${day}T12:00:00.000Z`,
      membership: { id: ONE, plan_id: pricing },
    });
    const type = 'membership.updated';
    const old = signed({ type, id: 'e-1', body: plan(SILVER, 1) });
    await deliver(old);
    await deliver(signed({ type, id: 'e-2', body: plan(GOLD, 2) }));
    expect((await deliver(old)).status).toBe(200);
    expect(events.map(({ id }) => id)).toEqual(['e-1', 'e-2']);
    expect((await deliver(old, { 'x-svc-event-id': 'e-new' })).status).toBe(200);
    expect(events.map(({ id }) => id)).toEqual(['e-1', 'e-2', 'e-new']);
    expect(await entry(ONE)).toEqual(ofClub(GOLD));
  });

  it('who is a buyer names no membership by free text', async () => {
    const { deliver, entry } = await start();
    const text = {
      membershipId: TWO,
      membership: { id: TWO },
      data: { membershipId: TWO },
      communityId: OTHER_CLUB,
    };
    const event = exampleEvent('payment.success', {
      membershipId: ONE,
      communityId: CLUB,
      externalId: JSON.stringify(text),
      utmSource: `"membershipId":"${TWO}"`,
    });
    const body = {
      ...event,
      metadata: text,
      data: { ...event.data, metadata: text, user: { ...event.data.user, ...text } },
    };
    expect((await deliver(signed(body))).status).toBe(200);
    expect(await entry(ONE)).toMatchObject({ communityId: CLUB });
    expect(await entry(TWO)).toBeUndefined();
  });

  it('who sends two memberships in one body records neither, and the log says it', async () => {
    const { deliver, entry, events, log } = await start();
    const event = {
      type: 'membership.updated',
      id: 'e-1',
      data: { membershipId: TWO, membership: { id: ONE } },
    };
    await deliver(signed({ ...event, type: 'membership.renamed' }));
    expect(events).toHaveLength(1);
    for (const id of [ONE, TWO]) expect(await entry(id)).toBeUndefined();
    expect(log).toMatchObject([{ level: 'error', details: { membershipIds: [TWO, ONE] } }]);
  });

  it('with a huge or deep body records nothing and does not stop the endpoint', async () => {
    const { url, deliver, entry } = await start();
    const huge = signed({ ...change(GOLD), data: { membershipId: ONE, note: 'a'.repeat(300_000) } });
    expect((await deliver(huge)).status).toBe(413);
    const deep = `{"data":${'['.repeat(120_000)}${']'.repeat(120_000)}}`;
    expect((await deliver(signedBody(deep))).status).toBe(200);
    const places = `{"data":${'{"data":'.repeat(20_000)}{"membershipId":"${ONE}"}${'}'.repeat(20_000)}}`;
    expect((await deliver(signedBody(places))).status).toBe(200);
    expect(await entry(ONE)).toBeUndefined();
    const { headers, body } = signed(change(GOLD));
    expect(
      await sendRaw(url, { ...headers, 'transfer-encoding': 'chunked' }, [body.slice(0, 40), body.slice(40)]),
    ).toBe(200);
    expect(await entry(ONE)).toEqual(ofClub(GOLD));
  });
});

describe('a directory that fails', () => {
  it('gets the event again, before any handler', async () => {
    let fails = true;
    const directory = interfered(() => {
      if (fails) throw new Error('The disk is full.');
    });
    const { deliver, entry, events, log } = await start({ directory });
    const delivery = signed(change(GOLD));
    const response = await deliver(delivery);
    expect([response.status, response.headers.get('retry-after')]).toEqual([503, '5']);
    expect(events).toEqual([]);
    expect(log).toMatchObject([
      { level: 'error', details: { membershipId: ONE, source: `community ${CLUB}` } },
    ]);
    expect(String(log[0]?.details?.error)).toContain('The disk is full.');
    fails = false;
    expect((await deliver(delivery)).status).toBe(200);
    expect(events).toHaveLength(1);
    expect(await entry(ONE)).toEqual(ofClub(GOLD));
  });

  it('after it has stored the record gets it again, which changes nothing', async () => {
    const directory = memoryDirectory();
    let failures = 1;
    const { deliver, entry, events } = await start({
      directory: {
        ...directory,
        async record(records) {
          await directory.record(records);
          failures -= 1;
          if (failures >= 0) throw new Error('The connection broke.');
        },
      },
    });
    const delivery = signed(change(GOLD));
    expect((await deliver(delivery)).status).toBe(503);
    expect((await deliver(delivery)).status).toBe(200);
    expect(events).toHaveLength(1);
    expect(await entry(ONE)).toEqual(ofClub(GOLD));
  });

  it('by never responding gets the event again', async () => {
    const { deliver, events, log } = await start({
      directory: interfered(() => new Promise(() => {})),
      timeoutMs: 100,
    });
    expect((await deliver(signed(change(GOLD)))).status).toBe(503);
    expect(events).toEqual([]);
    expect(String(log[0]?.details?.error)).toContain('did not respond in time');
  });
});

describe('readMembership', () => {
  it('replaces the reader, and gets the verified body with its source', async () => {
    const heard: unknown[] = [];
    const { deliver, entry } = await start({
      readMembership: (delivery) => {
        heard.push(delivery);
        return { membershipId: ONE, pricingPlanId: GOLD, observedAt: Date.parse('2026-03-01T12:00:00Z') };
      },
    });
    const body = { kind: 'joined', who: { ref: ONE }, communityId: OTHER_CLUB };
    await deliver(signedBody(JSON.stringify(body)));
    expect(heard).toEqual([{ type: 'membership.updated', body, source: { communityId: CLUB } }]);
    expect(await entry(ONE)).toEqual(ofClub(GOLD));
  });

  it('is not called for an unverified delivery', async () => {
    const heard: unknown[] = [];
    const { deliver } = await start({ readMembership: (delivery) => void heard.push(delivery) });
    await deliver(signed(change(GOLD), 'ab'.repeat(32)));
    expect(heard).toEqual([]);
  });

  it('that returns undefined, or no id, records nothing', async () => {
    for (const readMembership of [() => undefined, () => ({ pricingPlanId: GOLD })]) {
      const { deliver, entry, log } = await start({ readMembership });
      expect((await deliver(signed(change(GOLD)))).status).toBe(200);
      expect(await entry(ONE)).toBeUndefined();
      expect(log).toEqual([]);
    }
  });

  it.each([
    [
      'throws',
      () => {
        throw new Error('no such field');
      },
      'no such field',
    ],
    ['returns a promise', async () => ({ membershipId: ONE }), 'must return { membershipId'],
    ['returns a promise that fails', () => Promise.reject(new Error('no')), 'must return { membershipId'],
    [
      'returns a promise of another realm',
      () => runInNewContext('Promise.resolve({})'),
      'must return { membershipId',
    ],
    ['returns a list', () => [{ membershipId: ONE }], 'must return { membershipId'],
    ['returns text', () => ONE, 'must return { membershipId'],
    ['returns a number as the id', () => ({ membershipId: 7 }), 'must return { membershipId'],
    ['returns null', () => null, 'must return { membershipId'],
  ])('that %s is logged, and the event is delivered again', async (_what, readMembership, message) => {
    // Not a reader by its type, as in JavaScript.
    const { deliver, events, entry, log } = await start({ readMembership: readMembership as never });
    expect((await deliver(signed(change(GOLD)))).status).toBe(500);
    expect([events, await entry(ONE)]).toEqual([[], undefined]);
    expect(log).toMatchObject([{ level: 'error', details: { code: 'membership_unreadable' } }]);
    expect(log[0]?.message).toContain(message);
  });

  it('is named by the log for an event whose membership the default reader does not find', async () => {
    const { deliver, log } = await start();
    await deliver(signed({ type: 'membership.created', data: { ref: ONE } }));
    expect(log[0]).toMatchObject({ level: 'warn', details: { eventType: 'membership.created' } });
    expect(log[0]?.message).toContain('readMembership');
    const quiet = await start();
    await quiet.deliver(signed({ type: 'garden.watered' }));
    expect(quiet.log).toEqual([]);
  });
});
