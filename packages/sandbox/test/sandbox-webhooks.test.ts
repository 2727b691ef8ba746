import { createHmac } from 'node:crypto';
import { describe, expect } from 'vitest';
import { sandboxScenario } from '../src/index.js';
import { it, type SandboxUnderTest } from './sandbox-under-test.js';

const { users, community, webhooks } = sandboxScenario;
const RECEIVER = '/sandbox/webhooks/receiver';

async function makeMember(service: SandboxUnderTest, userId: string = users.ben.id) {
  const { operator } = service.server;
  await operator.grantMembership({ userId, productType: 'community', communityId: community.id });
  await service.server.runBackgroundWork();
}

describe('webhooks of the sandbox', () => {
  it('reach its own receiver, which verifies them', async ({ service }) => {
    await makeMember(service);
    const { events } = await service.server.control.deliveries.list();
    const arrived = service.server.receiver.list();
    // The other seller has no webhook.
    expect(arrived.length).toBe(events.length - 1);
    expect(
      arrived.every(({ verified, repeated, answered }) => verified && !repeated && answered === 204),
    ).toBe(true);
  });

  it('fail when the receiver is set to fail, and arrive once it accepts again', async ({ service }) => {
    service.server.receiver.mode = 'fail';
    await makeMember(service);
    const read = async () =>
      (await service.server.control.deliveries.list({ text: users.ben.id })).events[0]?.deliveries[0];
    expect(await read()).toMatchObject({
      status: 'pending',
      attemptCount: 1,
      nextAttemptAt: expect.stringContaining('2026-06-12T14:05:'),
    });
    service.server.receiver.mode = 'accept';
    service.clock.advance(13_000);
    await service.server.runBackgroundWork();
    expect(await read()).toMatchObject({ status: 'delivered', attemptCount: 2 });
  });

  it('get no response when the receiver is set to time out', async ({ service }) => {
    service.server.receiver.mode = 'hang';
    const patience = new AbortController();
    const request = service.request(RECEIVER, { method: 'POST', signal: patience.signal });
    const arrivals = () => service.server.receiver.list();
    await expect.poll(() => arrivals()[0]).toMatchObject({ answered: null });
    patience.abort();
    await expect(request).rejects.toThrow();
  });

  it.for([
    ['of another secret', 'f'.repeat(64)],
    ['of the secret’s bytes', Buffer.from(webhooks.community.secret, 'hex')],
    ['that is missing', undefined],
  ] as const)('are rejected by the receiver with a signature %s', async ([, key], { service }) => {
    const body = Buffer.from('{"type":"membership.created"}');
    const signature = key && createHmac('sha256', key).update(body).digest('hex');
    const answer = await service.request(RECEIVER, {
      method: 'POST',
      headers: {
        'X-Svc-Event-Type': 'membership.created',
        ...(signature && { 'X-Svc-Signature': signature }),
      },
      body,
    });
    expect(answer.status).toBe(400);
    expect(service.server.receiver.list()[0]).toMatchObject({ verified: false, answered: 400 });
  });
});
