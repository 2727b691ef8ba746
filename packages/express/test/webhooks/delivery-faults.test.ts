import { createSandbox, type RunningSandbox, sandboxScenario } from '@latchkey/sandbox';
import { createManualClock } from '@latchkey/server';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Endpoint, startEndpoint } from './endpoint.js';

const { memberships, users, webhooks } = sandboxScenario;
const silent = { info: () => {}, warn: () => {}, error: () => {} };

let sandbox: RunningSandbox;
let endpoint: Endpoint;

beforeAll(async () => {
  const clock = createManualClock(Date.now());
  sandbox = await createSandbox({ clock, logger: silent, backgroundWork: false });
  await sandbox.runBackgroundWork();
});
beforeEach(async () => {
  sandbox.control.faults.clear();
  endpoint = await startEndpoint({ options: { secrets: [webhooks.community.secret] } });
  const key = { id: webhooks.community.id, ownerId: users.dana.id };
  await sandbox.operator.change('webhooks', key.id, { url: endpoint.url });
  return () => endpoint.close();
});
afterAll(() => sandbox.close());

/** Records an event about Ada's membership, sends what is due, and returns the event's id. */
async function emit(): Promise<string> {
  // Deliveries of one instant have no order.
  sandbox.clock.advance(1);
  const test = { type: 'membership.updated' as const, membershipId: memberships.adaCommunity.id };
  return (await sandbox.control.deliveries.sendTest(test)).id;
}

async function deliveryOf(eventId: string) {
  const { deliveries } = await sandbox.control.deliveries.findEvent(eventId);
  return await sandbox.control.deliveries.find(deliveries[0]?.id ?? '');
}

const handled = () => endpoint.events.map(({ id }) => id);

describe('the webhook handler under faults of deliveries', () => {
  it('handles a duplicate once, also when both copies arrive at once', {
    tags: ['webhook.deduplicate'],
  }, async () => {
    sandbox.control.faults.add({ effect: { kind: 'duplicate' }, times: 1 });
    const id = await emit();
    expect(handled()).toEqual([id]);
    const { attempts } = await deliveryOf(id);
    expect(attempts.filter(({ request }) => request !== null)).toHaveLength(2);
    await sandbox.control.deliveries.resend((await deliveryOf(id)).id);
    expect(handled()).toEqual([id]);
  });

  it('handles reordered and delayed events', async () => {
    sandbox.control.faults.add({ effect: { kind: 'reorder' }, times: 1 });
    const [first, second] = [await emit(), await emit()];
    expect(handled()).toEqual([second, first]);
    sandbox.control.faults.add({ effect: { kind: 'delay', ms: 60_000 }, times: 1 });
    const delayed = await emit();
    expect(handled()).toEqual([second, first]);
    sandbox.clock.advance(60_000);
    await sandbox.runBackgroundWork();
    expect(handled()).toEqual([second, first, delayed]);
  });

  it('handles a dropped event once it is sent again', async () => {
    sandbox.control.faults.add({ effect: { kind: 'drop' }, times: 1 });
    const id = await emit();
    expect(handled()).toEqual([]);
    const sent = await sandbox.control.deliveries.resend((await deliveryOf(id)).id);
    expect(sent.status).toBe('delivered');
    expect(handled()).toEqual([id]);
  });

  it('rejects a wrong signature, and handles the retry', { tags: ['webhook.signature-header'] }, async () => {
    sandbox.control.faults.add({ effect: { kind: 'wrong-signature' }, times: 1 });
    const id = await emit();
    expect(handled()).toEqual([]);
    const refused = await deliveryOf(id);
    expect(refused.status).toBe('pending');
    expect(refused.attempts[0]?.status).toBeGreaterThanOrEqual(400);
    sandbox.clock.advance(60_000);
    await sandbox.runBackgroundWork();
    expect(handled()).toEqual([id]);
  });
});
