import { sandboxScenario } from '@latchkey/sandbox';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { startLatchkey } from '../running-latchkey.js';
import { type ControlSandbox, startControlSandbox } from './control-sandbox.js';

const { users, community, plans, products } = sandboxScenario;

interface ShownEvent {
  id: string;
  type: string;
  deliveries: { id: string; status: string }[];
}

let sandbox: ControlSandbox;
beforeEach(async () => {
  sandbox = await startControlSandbox();
});
afterEach(() => sandbox.close());

/** Waits until the newest event is delivered, and returns it. */
async function delivered(): Promise<ShownEvent> {
  return await vi.waitFor(async () => {
    const event = await sandbox.json<ShownEvent>('events', '--limit', '1');
    expect(event.deliveries[0]?.status).toBe('delivered');
    return event;
  }, 20_000);
}

/** Causes a `membership.created` by a real grant. */
const grantToBen = () =>
  sandbox.json('trigger', 'membership.created', '--user', users.ben.email, '--community', community.id);

describe('latchkey events', () => {
  it('lists the events with their deliveries, the oldest first', async () => {
    await grantToBen();
    const { id, deliveries } = await delivered();
    const { code, out } = await sandbox.run('events');
    expect(code).toBe(0);
    const lines = out.split('\n').slice(-2);
    expect(lines[0]).toMatch(new RegExp(`^\\S+Z +membership\\.created +${id}$`));
    expect(lines[1]).toMatch(new RegExp(`^ {2}delivered +${deliveries[0]?.id} +1 sent +http://`));
  });

  it('prints pages and filters', async () => {
    const { err } = await sandbox.run('events', '--limit', '2');
    const after = /add --after (\S+)/.exec(err)?.[1] ?? '';
    const older = await sandbox.run('events', '--after', after, '--json');
    expect(older.code).toBe(0);
    expect(older.out).not.toContain(after);
    expect((await sandbox.run('events', '--type', 'payment.failed')).err).toContain('No such events.');
    expect((await sandbox.run('events', '--search', 'CLEO@', '--json')).out).toContain(users.cleo.id);
    expect((await sandbox.run('events', '--follow', '--after', after)).code).toBe(2);
  });

  it('--follow prints an event and the change of its delivery, and ends at Ctrl-C', async ({
    onTestFinished,
  }) => {
    await vi.waitFor(async () => {
      const { out } = await sandbox.run('events');
      expect(out).not.toContain('pending');
    }, 20_000);
    const followed = startLatchkey(['events', '--follow', '--limit', '1', '--json'], sandbox.env);
    onTestFinished(() => void followed.process.kill('SIGKILL'));
    const shown = () =>
      followed
        .out()
        .split('\n')
        .slice(0, -1)
        .map((line) => JSON.parse(line) as ShownEvent);
    await vi.waitFor(() => expect(shown()).toHaveLength(1), 20_000);
    const created = await sandbox.json<ShownEvent>(
      ...(['trigger', 'membership.created', '--user', users.ben.email, '--community', community.id] as const),
    );
    await vi.waitFor(
      () => expect(shown().at(-1)).toMatchObject({ id: created.id, deliveries: [{ status: 'delivered' }] }),
      20_000,
    );
    followed.process.kill('SIGINT');
    expect(await followed.ended).toBe(0);
  });
});

describe('latchkey resend', () => {
  it('sends a delivery again and prints the attempts', async () => {
    await grantToBen();
    const { deliveries } = await delivered();
    const { code, out } = await sandbox.run('resend', deliveries[0]?.id ?? '');
    expect(code).toBe(0);
    expect(out).toMatch(/status +delivered\n/);
    expect(out.match(/^\S+Z +2\d\d +\d+ ms/gm)).toHaveLength(2);
  });

  it('fails with 1 if the endpoint does not accept it, or it does not exist', async () => {
    await grantToBen();
    const { deliveries } = await delivered();
    sandbox.receiver.mode = 'fail';
    const failed = await sandbox.run('resend', deliveries[0]?.id ?? '', '--json');
    expect(failed.code).toBe(1);
    expect(failed.err).toContain('The endpoint did not accept the delivery.');
    expect((JSON.parse(failed.out) as { attempts: object[] }).attempts).toHaveLength(2);
    const unknown = await sandbox.run('resend', products.brewGuide.id);
    expect(unknown.code).toBe(1);
    expect(unknown.err).toContain('There is no delivery with the id');
    expect((await sandbox.run('resend', 'latest')).code).toBe(2);
  });
});

describe('latchkey trigger', () => {
  it('membership.created grants a membership, whose event it prints', async () => {
    const args = [
      '--user',
      users.ben.email.toUpperCase(),
      '--product',
      products.brewGuide.id,
      '--until',
      '2030-01-31',
    ];
    const { code, out } = await sandbox.run('trigger', 'membership.created', ...args);
    expect(code).toBe(0);
    expect(out).toMatch(
      /^Recorded membership\.created \S+ of the membership \S+\.\n {2}delivery \S+ to http:/,
    );
    const { records: memberships } = await sandbox.operator.list('memberships');
    expect(memberships).toContainEqual(
      expect.objectContaining({
        userId: users.ben.id,
        productId: products.brewGuide.id,
        productType: 'digital_product',
        validUntil: '2030-01-31T00:00:00.000Z',
      }),
    );
  });

  it('payment events buy at a checkout that is paid or declined', async () => {
    const buyer = ['--user', users.ben.email];
    const plan = ['--plan', plans.monthly.id];
    const failed = await sandbox.json(
      'trigger',
      'payment.failed',
      ...buyer,
      ...plan,
      '--method',
      'card-9995',
    );
    expect(failed).toMatchObject({
      body: { data: { reason: 'insufficient_funds', user: { sub: users.ben.id } } },
    });
    const paid = await sandbox.json(
      'trigger',
      'payment.success',
      ...buyer,
      ...plan,
      '--external-id',
      'order-7',
    );
    expect(paid).toMatchObject({ body: { data: { amount: 900, externalId: 'order-7' } } });
    const product = ['--product', products.brewGuide.id];
    expect(await sandbox.json('trigger', 'digital.product.purchase', ...buyer, ...product)).toMatchObject({
      body: { data: { product: { id: products.brewGuide.id } } },
    });
    const mine = (await sandbox.operator.list('memberships')).records.filter(
      ({ userId }) => userId === users.ben.id,
    );
    expect(mine).toHaveLength(2);
  });

  it('membership.updated ends or extends a membership', async () => {
    const { records: memberships } = await sandbox.operator.list('memberships');
    const mine = memberships.find(({ userId, productId }) => userId === users.ada.id && productId !== null);
    const id = String(mine?.id);
    const extended = await sandbox.json<{ body: { data: object } }>(
      ...['trigger', 'membership.updated', '--membership', id, '--until', '2031-05-01T12:00:00Z'],
    );
    expect(extended).toMatchObject({
      type: 'membership.updated',
      body: {
        data: {
          membership: {
            id,
            isActive: true,
            validFrom: mine?.validFrom,
            validUntil: '2031-05-01T12:00:00.000Z',
          },
        },
      },
    });
    const ended = await sandbox.json(
      ...[
        'trigger',
        'membership.updated',
        '--user',
        users.ada.id,
        '--product',
        String(mine?.productId),
        '--end',
      ],
    );
    expect(ended).toMatchObject({ body: { data: { membership: { id, isActive: false } } } });
  });

  it.for([
    [['payment.success', '--user', users.ben.email], 'Choose the --plan to buy. The plans are '],
    [['payment.failed', '--user', users.ben.email, '--plan', community.id], 'The sandbox has no plan'],
    [
      ['payment.failed', '--user', users.ben.email, '--plan', plans.monthly.id, '--method', 'card-4242'],
      'method: A payment with card-4242 is not declined. Choose another one of card-4242, ',
    ],
    [
      ['payment.failed', '--user', users.ben.email, '--plan', plans.monthly.id, '--method', 'cash'],
      'method: Choose one of card-4242, ',
    ],
    [
      ['membership.created', '--user', users.ada.email, '--community', community.id],
      'ada@example.com has this membership already',
    ],
    [['membership.created', '--user', 'nobody@example.com'], 'The sandbox has no user "nobody@example.com".'],
    [['membership.created', '--user', users.ben.email], 'Add --community or --product. The communities are '],
    [['membership.updated', '--user', users.ada.email, '--end'], 'ada@example.com has several memberships.'],
    [['membership.updated', '--user', users.ben.email, '--end'], 'ben@example.com has no such membership.'],
    [
      ['membership.updated', '--user', users.cleo.email, '--end'],
      'recorded no membership.updated. It has this state already.',
    ],
  ] as const)('fails with 1 for %j', async ([args, text]) => {
    const { code, out, err } = await sandbox.run('trigger', ...args);
    expect({ code, out }).toEqual({ code: 1, out: '' });
    expect(err).toContain(text);
  });

  it.for([
    [[], '<event> is required'],
    [['payment.success', '--plan', community.id], 'Name the --user who buys'],
    [
      ['payment.success', '--user', 'x', '--until', '2030-01-01'],
      '--until does not belong to payment.success. Remove it.',
    ],
    [
      ['payment.failed', '--user', 'x', '--product', community.id],
      '--product does not belong to payment.failed. Remove it.',
    ],
    [['digital.product.purchase', '--user', 'x'], 'digital.product.purchase needs the --product'],
    [
      ['membership.created', '--user', 'x', '--utm-source', 'y'],
      '--utm-source does not belong to membership.created. Remove it.',
    ],
    [['membership.deleted'], '<event>: must be membership.created, '],
    [['membership.created'], 'Name the --user'],
    [
      ['membership.created', '--user', 'x', '--end'],
      '--end does not belong to membership.created. Remove it.',
    ],
    [['membership.updated', '--user', 'x'], 'needs a change: either --until with another expiry, or --end.'],
    [
      ['membership.updated', '--user', 'x', '--membership', community.id, '--end'],
      '--membership names the membership already.',
    ],
    [
      ['membership.created', '--user', 'x', '--community', community.id, '--product', products.brewGuide.id],
      'not to both',
    ],
  ] as const)('exits with 2 for %j', async ([args, text]) => {
    const { code, out, err } = await sandbox.run('trigger', ...args);
    expect({ code, out }).toEqual({ code: 2, out: '' });
    expect(err).toContain(text);
  });
});
