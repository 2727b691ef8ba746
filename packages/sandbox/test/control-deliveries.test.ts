import { createHmac } from 'node:crypto';
import { describe, expect } from 'vitest';
import { type DeliveryEntry, type EventEntry, sandboxScenario } from '../src/index.js';
import { callControl } from './control-caller.js';
import { it, type SandboxUnderTest } from './sandbox-under-test.js';

const { memberships, users, webhooks } = sandboxScenario;

async function events(service: SandboxUnderTest): Promise<readonly EventEntry[]> {
  return (await callControl<{ events: EventEntry[] }>(service, 'GET /events')).body.events;
}

/** Sends an event about Ada's membership. Returns its delivery. */
async function deliverTest(service: SandboxUnderTest): Promise<string> {
  await service.server.runBackgroundWork();
  service.server.clock.advance(1_000);
  const test = { type: 'membership.updated', membershipId: memberships.adaCommunity.id };
  expect((await callControl(service, 'POST /events', test)).status).toBe(200);
  return (await events(service))[0]?.deliveries[0]?.id ?? '';
}

describe('webhook deliveries in the control API', () => {
  it('sends an event about a real membership, which arrives signed', async ({ service }) => {
    const seen: unknown[] = [];
    service.server.control.events.subscribe(({ type, data }) => type === 'delivery' && seen.push(data));
    const id = await deliverTest(service);
    const [event] = await events(service);
    expect(event).toMatchObject({
      type: 'membership.updated',
      body: {
        data: {
          membership: { id: memberships.adaCommunity.id, isActive: true },
          user: { sub: users.ada.id },
        },
      },
      deliveries: [{ status: 'delivered', attemptCount: 1 }],
    });
    expect(service.server.receiver.list()[0]).toMatchObject({ verified: true, eventId: event?.id });
    expect(seen).toContainEqual(expect.objectContaining({ deliveryId: id, statusCode: 204 }));
  });

  it('shows a delivery with its request and attempts, and resends it', async ({ service }) => {
    const id = await deliverTest(service);
    const first = (await callControl<DeliveryEntry>(service, `GET /deliveries/${id}`)).body;
    expect(first).toMatchObject({
      status: 'delivered',
      request: { headers: { 'X-Svc-Event-Type': 'membership.updated', 'X-Svc-Event-Id': first.eventId } },
      attempts: [{ status: 204, failure: null }],
    });
    expect(JSON.stringify(first)).not.toContain(webhooks.community.secret);
    const signature = createHmac('sha256', webhooks.community.secret)
      .update(first.request.body)
      .digest('hex');
    expect(first.request.headers['X-Svc-Signature']).toBe(signature);
    expect(first.attempts[0]).toMatchObject({
      counted: true,
      effect: null,
      request: { url: first.url, headers: first.request.headers, body: first.request.body },
      response: { status: 204, body: { text: '' } },
    });
    const again = (await callControl<DeliveryEntry>(service, `POST /deliveries/${id}/resend`, {})).body;
    expect(again.attempts).toHaveLength(2);
    expect(service.server.receiver.list()[0]).toMatchObject({ repeated: true });
  });

  it('names a failed attempt, an inactive webhook and unknown ids', async ({ service }) => {
    service.server.receiver.mode = 'fail';
    const id = await deliverTest(service);
    const { body } = await callControl<DeliveryEntry>(service, `GET /deliveries/${id}`);
    expect(body).toMatchObject({
      status: 'pending',
      attempts: [{ status: 500, failure: expect.any(String) }],
    });
    await service.server.operator.change('webhooks', webhooks.community.id, { isActive: false });
    expect((await callControl(service, `POST /deliveries/${id}/resend`, {})).status).toBe(409);
    expect((await callControl(service, 'GET /deliveries/unknown')).status).toBe(404);
    expect((await callControl(service, 'POST /deliveries/unknown/resend', {})).status).toBe(404);
    const unknown = { type: 'membership.updated', membershipId: users.ada.id };
    expect((await callControl(service, 'POST /events', unknown)).status).toBe(404);
    const other = { type: 'payment.success', membershipId: memberships.adaCommunity.id };
    expect((await callControl(service, 'POST /events', other)).status).toBe(400);
  });

  it('verifies a pasted body, and names the likely mistake', async ({ service }) => {
    const { secret, id } = webhooks.community;
    const body = '{"type": "membership.updated"}';
    const sign = (text: string, key: string | Buffer = secret) => createHmac('sha256', key).update(text);
    const check = async (pasted: { body: string; signature: string }) =>
      (await callControl(service, 'POST /signatures', pasted)).body;
    const right = sign(body).digest('hex');
    expect(await check({ body, signature: right })).toEqual({ verified: true, webhookId: id, hint: null });
    const wrong = [
      [{ body, signature: sign(body, Buffer.from(secret, 'hex')).digest('hex') }, 'decoded from hex'],
      [{ body, signature: `sha256=${right.toUpperCase()}` }, 'lower-case hex'],
      [{ body, signature: sign(body).digest('base64') }, 'encoding'],
      [{ body: `${body}\n`, signature: right }, 'White space'],
      [
        {
          body: '{"type": "membership.updated"}',
          signature: sign('{"type":"membership.updated"}').digest('hex'),
        },
        'parsed',
      ],
    ] as const;
    for (const [pasted, hint] of wrong) {
      expect(await check(pasted)).toEqual({
        verified: false,
        webhookId: id,
        hint: expect.stringContaining(hint),
      });
    }
    expect(await check({ body, signature: 'f'.repeat(64) })).toEqual({
      verified: false,
      webhookId: null,
      hint: null,
    });
  });
});
