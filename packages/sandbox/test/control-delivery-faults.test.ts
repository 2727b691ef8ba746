import { describe, expect } from 'vitest';
import { type DeliveryEntry, type EventEntry, type Fault, sandboxScenario } from '../src/index.js';
import { callControl } from './control-caller.js';
import { it, type SandboxUnderTest } from './sandbox-under-test.js';

const { memberships, webhooks } = sandboxScenario;

/** Records an event about Ada's membership and sends what is due. Returns its delivery. */
async function deliver(service: SandboxUnderTest, type = 'membership.updated'): Promise<string> {
  // Deliveries of one instant have no order.
  service.server.clock.advance(1);
  const { body } = await callControl<EventEntry>(service, 'POST /events', {
    type,
    membershipId: memberships.adaCommunity.id,
  });
  return body.deliveries[0]?.id ?? '';
}

async function read(service: SandboxUnderTest, id: string): Promise<DeliveryEntry> {
  return (await callControl<DeliveryEntry>(service, `GET /deliveries/${id}`)).body;
}

const addFault = async (service: SandboxUnderTest, fault: object) =>
  (await callControl<Fault>(service, 'POST /faults', fault)).body;

/** Event ids at the receiver, oldest first, without those of the sample data. */
function arrivals({ server }: SandboxUnderTest, seeded: number) {
  return server.receiver.list().toReversed().slice(seeded);
}

describe('faults of webhook deliveries', () => {
  it('send two copies at once, which count as one attempt', async ({ service }) => {
    await service.server.runBackgroundWork();
    const seeded = service.server.receiver.list().length;
    const fault = await addFault(service, { effect: { kind: 'duplicate' }, times: 1 });
    const delivery = await read(service, await deliver(service));
    expect(delivery).toMatchObject({ status: 'delivered' });
    expect(delivery.attempts.map(({ effect, counted, status }) => [effect, counted, status])).toEqual(
      expect.arrayContaining([
        ['duplicate', true, 204],
        ['duplicate', false, 204],
      ]),
    );
    expect(delivery.attempts.every((attempt) => attempt.fault === fault.id)).toBe(true);
    expect(arrivals(service, seeded).map(({ eventId, repeated }) => [eventId, repeated])).toEqual([
      [delivery.eventId, false],
      [delivery.eventId, true],
    ]);
    expect((await read(service, await deliver(service))).attempts).toHaveLength(1);
    const { body } = await callControl<{ faults: Fault[] }>(service, 'GET /faults');
    expect(body.faults).toMatchObject([{ id: fault.id, seen: 1, changed: 1 }]);
  });

  it('delay a delivery by the clock of the service', async ({ service }) => {
    await service.server.runBackgroundWork();
    const effect = { kind: 'delay', ms: 3600_000 };
    await addFault(service, { effect, webhook: webhooks.community.id, event: 'membership.created' });
    const other = await read(service, await deliver(service, 'membership.updated'));
    expect(other.status).toBe('delivered');
    const id = await deliver(service, 'membership.created');
    const held = await read(service, id);
    expect(held).toMatchObject({ status: 'pending', attempts: [{ effect: 'delay', request: null }] });
    expect(Date.parse(held.nextAttemptAt ?? '') - service.server.clock.now()).toBe(3600_000);
    await callControl(service, 'POST /clock', { duration: '1h' });
    expect(await read(service, id)).toMatchObject({ status: 'delivered' });
  });

  it('reorder a delivery behind the next one', async ({ service }) => {
    await service.server.runBackgroundWork();
    const seeded = service.server.receiver.list().length;
    await addFault(service, { effect: { kind: 'reorder' }, times: 1 });
    const first = await deliver(service);
    expect(await read(service, first)).toMatchObject({ status: 'pending' });
    const second = await deliver(service);
    const sent = [await read(service, second), await read(service, first)];
    expect(sent.map(({ status }) => status)).toEqual(['delivered', 'delivered']);
    expect(arrivals(service, seeded).map(({ eventId }) => eventId)).toEqual(
      sent.map(({ eventId }) => eventId),
    );
  });

  it('drop a delivery, which the service retries', async ({ service }) => {
    await service.server.runBackgroundWork();
    const seeded = service.server.receiver.list().length;
    await addFault(service, { effect: { kind: 'drop' }, times: 1 });
    const id = await deliver(service);
    expect(await read(service, id)).toMatchObject({
      status: 'pending',
      attempts: [{ counted: true, status: null, request: null, failure: expect.stringContaining('Dropped') }],
    });
    expect(arrivals(service, seeded)).toEqual([]);
    await callControl(service, 'POST /clock', { duration: '5m' });
    expect(await read(service, id)).toMatchObject({ status: 'delivered' });
  });

  it('sign with another secret, also once by request', async ({ service }) => {
    await service.server.runBackgroundWork();
    await addFault(service, { effect: { kind: 'wrong-signature' }, times: 1 });
    const id = await deliver(service);
    const refused = await read(service, id);
    expect(refused).toMatchObject({
      status: 'pending',
      attempts: [{ status: 400, effect: 'wrong-signature' }],
    });
    const sent = refused.attempts[0]?.request?.headers['X-Svc-Signature'];
    expect(sent).toMatch(/^[0-9a-f]{64}$/);
    expect(sent).not.toBe(refused.request.headers['X-Svc-Signature']);
    const resend = (body: object) =>
      callControl<DeliveryEntry>(service, `POST /deliveries/${id}/resend`, body);
    expect((await resend({})).body.status).toBe('delivered');
    expect((await resend({ as: 'wrong-signature' })).body.attempts[0]).toMatchObject({
      status: 400,
      effect: 'wrong-signature',
      fault: null,
    });
    const twice = (await resend({ as: 'duplicate' })).body;
    expect(twice.status).toBe('delivered');
    expect(twice.attempts.filter(({ effect }) => effect === 'duplicate')).toHaveLength(2);
    expect((await resend({ as: 'drop' })).status).toBe(400);
  });

  it('hit the same deliveries for the same seed', async ({ service }) => {
    await service.server.runBackgroundWork();
    const run = async () => {
      await addFault(service, { effect: { kind: 'drop' }, rate: 0.5, seed: 11 });
      const hits = [];
      for (let index = 0; index < 8; index += 1) {
        hits.push((await read(service, await deliver(service))).status);
      }
      await callControl(service, 'DELETE /faults', {});
      return hits;
    };
    const first = await run();
    expect(new Set(first)).toEqual(new Set(['pending', 'delivered']));
    expect(await run()).toEqual(first);
  });

  it('reject fields that they would ignore', async ({ service }) => {
    for (const [fault, field] of [
      [{ effect: { kind: 'drop' }, endpoint: 'userinfo' }, 'endpoint'],
      [{ effect: { kind: 'drop' }, client: 'x' }, 'client'],
      [{ effect: { kind: 'reset' }, webhook: webhooks.community.id }, 'webhook'],
      [{ effect: { kind: 'reset' }, event: 'payment.failed' }, 'event'],
    ] as const) {
      const { status, body } = await callControl<{ error: { fields: object } }>(
        service,
        'POST /faults',
        fault,
      );
      expect(status).toBe(400);
      expect(Object.keys(body.error.fields)).toEqual([field]);
    }
  });

  it('leave calls alone, as faults of calls leave deliveries', async ({ service }) => {
    await service.server.runBackgroundWork();
    await addFault(service, { effect: { kind: 'drop' } });
    expect((await service.request('/oauth/userinfo')).status).toBe(401);
    await callControl(service, 'DELETE /faults', {});
    await addFault(service, { effect: { kind: 'status', status: 503 } });
    expect((await read(service, await deliver(service))).status).toBe('delivered');
  });
});
