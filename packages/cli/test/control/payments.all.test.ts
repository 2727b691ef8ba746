import { sandboxScenario } from '@latchkey/sandbox';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { type ControlSandbox, startControlSandbox } from './control-sandbox.js';

const { users, plans } = sandboxScenario;

interface ShownPayment {
  id: string;
  state: string;
  refundedMinor: number;
  dispute: string | null;
  webhooks: { id: string; kind: string; attempts: number }[];
}

let sandbox: ControlSandbox;
beforeEach(async () => {
  sandbox = await startControlSandbox();
});
afterEach(() => sandbox.close());

it('a payment is listed, refunded, disputed, and its webhook is sent by hand', async () => {
  await sandbox.json('payments', 'provider', '--webhooks', 'withhold');
  await sandbox.json('trigger', 'payment.success', '--user', users.ben.email, '--plan', plans.monthly.id);
  const [bought] = (await sandbox.json<{ payments: ShownPayment[] }>('payments')).payments;
  const id = bought?.id ?? '';
  expect(bought).toMatchObject({ state: 'paid', webhooks: [] });
  const refunded = await sandbox.json<ShownPayment>('payments', 'refund', id, '--amount-minor', '100');
  expect(refunded).toMatchObject({ refundedMinor: 100 });
  const event = refunded.webhooks[0]?.id ?? '';
  const sent = await sandbox.json<ShownPayment>('payments', 'webhook', id, event);
  expect(sent.webhooks[0]).toMatchObject({ id: event, kind: 'refunded', attempts: 1 });
  expect(await sandbox.json('payments', 'dispute', id, 'open')).toMatchObject({ dispute: 'open' });
  const { code, out } = await sandbox.run('payments', 'show', id);
  expect(code).toBe(0);
  expect(out).toContain(`${id}: `);
  expect(out).toContain('9.00 EUR, dispute open');
  expect((await sandbox.run('payments', 'refund', id)).code).toBe(1);
  expect((await sandbox.run('payments', 'answer', id, 'approve')).code).toBe(1);
  expect((await sandbox.run('payments', '--state', 'open')).out).toContain('No such payments.');
  await sandbox.json('clock', 'next', 'next-renewal');
  expect((await sandbox.run('payments')).out).toMatch(/paid +9\.00 EUR +- +0\n/);
});
