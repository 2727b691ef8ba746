import { afterEach, describe, expect, it } from 'vitest';
import { exampleEvent, signWebhook } from '../../src/testing/index.js';
import { LatchkeyOptionsError, type WebhookOptions, webhooks } from '../../src/webhooks/index.js';
import { DAY, HOUR, manualClock } from '../manual-clock.js';
import { type Endpoint, OLD_SECRET, SECRET, startEndpoint } from './endpoint.js';

const CLUB = 'c0ffee00-0000-4000-8000-0000000000c1';
const OTHER_CLUB = 'c0ffee00-0000-4000-8000-0000000000c2';
const GUIDE = 'c0ffee00-0000-4000-8000-0000000000b1';
const THIRD_SECRET = 'f00d'.repeat(16);

const open: Endpoint[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((each) => each.close()));
});

async function start(options: WebhookOptions): Promise<Endpoint> {
  const endpoint = await startEndpoint({ options });
  open.push(endpoint);
  return endpoint;
}

function problemsOf(options: object): string {
  try {
    webhooks({ other: () => {}, ...options });
  } catch (error) {
    if (error instanceof LatchkeyOptionsError) return error.message;
    throw error;
  }
  return '';
}

describe('secrets by community and product', () => {
  it.each([
    ['one community', { communities: { [CLUB]: SECRET } }],
    ['a community in capitals', { communities: { [CLUB.toUpperCase()]: SECRET } }],
    ['two secrets during a rotation', { communities: { [CLUB]: [SECRET, OLD_SECRET] } }],
    [
      'communities and products',
      { communities: { [CLUB]: SECRET, [OTHER_CLUB]: OLD_SECRET }, products: { [GUIDE]: THIRD_SECRET } },
    ],
  ])('can be of %s', (_what, options) => {
    expect(problemsOf(options)).toBe('');
  });

  it.each([
    ['none', { communities: {} }, 'communities: names no community'],
    ['none of products', { products: {} }, 'products: names no product'],
    ['a list', { communities: [SECRET] }, 'communities: must be an object'],
    ['a name instead of an id', { communities: { club: SECRET } }, 'communities.club: is not the id'],
    ['a missing secret', { communities: { [CLUB]: undefined } }, `communities.${CLUB}: is required`],
    ['no secret in a list', { communities: { [CLUB]: [] } }, `communities.${CLUB}: is an empty list`],
    [
      'a bad secret in a list',
      { products: { [GUIDE]: [SECRET, 'x'] } },
      `products.${GUIDE}.1: has 1 characters`,
    ],
    [
      'with `secret`',
      { secret: SECRET, communities: { [CLUB]: OLD_SECRET } },
      'secret: and communities are both set',
    ],
    [
      'with `secrets`',
      { secrets: [SECRET], products: { [GUIDE]: OLD_SECRET } },
      'secrets: and products are both set',
    ],
    [
      'one secret for two communities',
      { communities: { [CLUB]: SECRET, [OTHER_CLUB]: [OLD_SECRET, SECRET] } },
      `communities.${OTHER_CLUB}.1: is the secret of communities.${CLUB} too`,
    ],
    [
      'one secret for a community and a product',
      { communities: { [CLUB]: SECRET }, products: { [GUIDE]: SECRET } },
      `products.${GUIDE}: is the secret of communities.${CLUB} too`,
    ],
    [
      'one community twice',
      { communities: { [CLUB]: SECRET, [CLUB.toUpperCase()]: OLD_SECRET } },
      `communities.${CLUB.toUpperCase()}: is named twice`,
    ],
    [
      'readMembership without a directory',
      { communities: { [CLUB]: SECRET }, readMembership: () => undefined },
      'readMembership: has no effect without a directory',
    ],
    [
      'readMembership that is no function',
      { communities: { [CLUB]: SECRET }, readMembership: 'id' },
      'readMembership: must be a function',
    ],
    ['a secret that is none, for a directory', { secret: 5, directory: { record: () => {} } }, 'secret: '],
    [
      'a directory that is none',
      { communities: { [CLUB]: SECRET }, directory: new Map() },
      'directory: must be a membership directory',
    ],
  ])('are refused: %s', (_what, options, message) => {
    const problems = problemsOf(options);
    expect(problems).toContain(message);
    const reported = problems.split('\n').map((line) => line.split(':', 1)[0]);
    expect(new Set(reported).size).toBe(reported.length);
    for (const secret of [SECRET, OLD_SECRET]) expect(problems).not.toContain(secret);
  });

  it('say whose event it is', async () => {
    const endpoint = await start({
      communities: { [CLUB]: [SECRET, OLD_SECRET] },
      products: { [GUIDE.toUpperCase()]: THIRD_SECRET },
    });
    for (const secret of [SECRET, OLD_SECRET, THIRD_SECRET])
      expect((await endpoint.deliver(signWebhook({ type: 'garden.watered' }, { secret }))).status).toBe(200);
    expect(endpoint.contexts.map(({ source }) => source)).toEqual([
      { communityId: CLUB },
      { communityId: CLUB },
      { productId: GUIDE },
    ]);
  });

  it('of nobody verify nothing', async () => {
    const { deliver, events } = await start({ communities: { [CLUB]: SECRET } });
    expect((await deliver(signWebhook({ type: 'a' }, { secret: OLD_SECRET }))).status).toBe(401);
    expect(events).toEqual([]);
  });

  it('are not known for `secret` and `secrets`', async () => {
    const { deliver, contexts } = await start({ secrets: [SECRET] });
    await deliver(signWebhook({ type: 'a' }, { secret: SECRET }));
    expect(contexts[0]?.source).toBeUndefined();
  });
});

const community = (communityId: string) => exampleEvent('membership.created', { communityId });
const purchase = (id: string) => exampleEvent('digital.product.purchase', { product: { id } });

describe('an event that contradicts its secret', () => {
  it.each([
    ['a membership of another community', SECRET, community(OTHER_CLUB)],
    ['a payment for another community', SECRET, exampleEvent('payment.success', { communityId: OTHER_CLUB })],
    ['a product, with the secret of a community', SECRET, purchase(GUIDE)],
    ['another product', THIRD_SECRET, purchase(CLUB)],
    ['a community, with the secret of a product', THIRD_SECRET, community(CLUB)],
  ])(
    'is not handled and is delivered again while its secret is in doubt: %s',
    async (_what, secret, event) => {
      const { deliver, events, log } = await start({
        communities: { [CLUB]: SECRET, [OTHER_CLUB]: OLD_SECRET },
        products: { [GUIDE]: THIRD_SECRET },
      });
      expect((await deliver(signWebhook(event, { secret }))).status).toBe(500);
      expect(events).toEqual([]);
      expect(log).toMatchObject([{ level: 'error', details: { code: 'source_mismatch' } }]);
      expect(log[0]?.message).toContain(secret === SECRET ? CLUB : GUIDE);
    },
  );

  it.each([
    ['a product, with the secret of a community', SECRET, community(CLUB), purchase(GUIDE)],
    ['a product that is not configured', SECRET, community(CLUB), purchase(OTHER_CLUB)],
    [
      'another community',
      SECRET,
      exampleEvent('payment.failed', { communityId: CLUB }),
      community(OTHER_CLUB),
    ],
    ['a community, with the secret of a product', THIRD_SECRET, purchase(GUIDE), community(CLUB)],
  ])(
    'is dropped with 200 and a warning once its secret has signed an event of its own source: %s',
    { tags: ['webhook.filter-yourself'] },
    async (_what, secret, own, other) => {
      const { deliver, events, log } = await start({
        communities: { [CLUB]: SECRET, [OTHER_CLUB]: OLD_SECRET },
        products: { [GUIDE]: THIRD_SECRET },
      });
      expect((await deliver(signWebhook(own, { secret }))).status).toBe(200);
      expect((await deliver(signWebhook(other, { secret }))).status).toBe(200);
      expect(events).toHaveLength(1);
      expect(log).toMatchObject([{ level: 'warn', details: { source: expect.any(String) } }]);
      expect(log[0]?.message).toContain('explain source_ignored');
    },
  );

  it('is still handled when its own webhook delivers it, with the same event id', async () => {
    const { deliver, events } = await start({
      communities: { [CLUB]: SECRET },
      products: { [GUIDE]: THIRD_SECRET },
    });
    await deliver(signWebhook(community(CLUB), { secret: SECRET }));
    const event = purchase(GUIDE);
    const atCommunity = signWebhook(event, { secret: SECRET });
    expect((await deliver(atCommunity)).status).toBe(200);
    const atProduct = signWebhook(event, { secret: THIRD_SECRET });
    const id = { 'x-svc-event-id': atCommunity.headers['x-svc-event-id'] };
    expect((await deliver(atProduct, id)).status).toBe(200);
    expect(events.map(({ type }) => type)).toEqual(['membership.created', 'digital.product.purchase']);
  });

  it('is delivered again for an hour at most if its secret has signed nothing of its own', async () => {
    const clock = manualClock();
    const { deliver, events, log } = await start({ communities: { [CLUB]: SECRET }, clock });
    const send = async () => (await deliver(signWebhook(purchase(GUIDE), { secret: SECRET }))).status;
    expect(await send()).toBe(500);
    clock.advance(HOUR - 1);
    expect(await send()).toBe(500);
    clock.advance(1);
    expect(await send()).toBe(200);
    clock.advance(DAY);
    expect(await send()).toBe(200);
    expect(events).toEqual([]);
    expect(log.map(({ level }) => level)).toEqual(['error', 'error', 'warn', 'warn']);
  });

  it('is handled if its body names nothing: every webhook receives every type', {
    tags: ['webhook.filter-yourself'],
  }, async () => {
    const { deliver, events } = await start({ communities: { [CLUB]: SECRET } });
    const event = { type: 'digital.product.purchase', data: { reference: 'receipt-7' } };
    expect((await deliver(signWebhook(event, { secret: SECRET }))).status).toBe(200);
    expect(events).toHaveLength(1);
  });

  it('is handled if its secret fits', async () => {
    const { deliver, events } = await start({
      communities: { [CLUB]: SECRET, [OTHER_CLUB]: OLD_SECRET },
      products: { [GUIDE]: THIRD_SECRET },
    });
    for (const [event, secret] of [
      [community(CLUB), SECRET],
      [community(OTHER_CLUB), OLD_SECRET],
      [purchase(GUIDE), THIRD_SECRET],
      [
        exampleEvent('membership.created', {
          communityId: null,
          productId: GUIDE,
          membership: { productType: 'digital_product' },
        }),
        THIRD_SECRET,
      ],
    ] as const) {
      expect((await deliver(signWebhook(event, { secret }))).status).toBe(200);
    }
    expect(events).toHaveLength(4);
  });
});
