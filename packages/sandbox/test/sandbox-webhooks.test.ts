import { createHmac } from 'node:crypto';
import { load } from 'cheerio';
import { describe, expect } from 'vitest';
import { sandboxScenario } from '../src/index.js';
import { it, type SandboxUnderTest } from './sandbox-under-test.js';

const { users, community, webhooks } = sandboxScenario;
const RECEIVER = '/sandbox/webhooks/receiver';

async function openPage(service: SandboxUnderTest) {
  const response = await service.request('/sandbox/webhooks');
  expect(response.status).toBe(200);
  return load(await response.text());
}

function post(service: SandboxUnderTest, path: string, form: Record<string, string>) {
  return service.request(path, {
    method: 'POST',
    headers: { Origin: service.baseUrl, 'Content-Type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams(form).toString(),
  });
}

async function makeMember(service: SandboxUnderTest, userId: string = users.ben.id) {
  const { operator } = service.server;
  await operator.grantMembership({ userId, productType: 'community', communityId: community.id });
  await service.server.runBackgroundWork();
}

describe('webhooks of the sandbox', () => {
  it('reach its own receiver, which verifies them, and the page shows both sides', async ({ service }) => {
    await makeMember(service);
    const $ = await openPage(service);
    // Not the first one: the events of one millisecond have no order, and the seeded ones can be of the same.
    const bens = $('.event').filter((_, event) => $(event).text().includes(users.ben.id));
    expect($('.event-type').text()).toContain('membership.created');
    expect(bens.find('.delivery').text()).toContain(`${service.baseUrl}${RECEIVER}`);
    expect(
      $('.delivery .tag')
        .toArray()
        .map((tag) => $(tag).text()),
    ).toEqual(expect.arrayContaining(['delivered']));
    const bodies = $('.json')
      .toArray()
      .map((body) => JSON.parse($(body).text()));
    expect(bodies).toContainEqual(
      expect.objectContaining({
        data: expect.objectContaining({ user: { sub: users.ben.id, email: users.ben.email } }),
      }),
    );
    expect($('.arrivals').text()).toContain('signature verified');
    expect($('.arrivals').text()).not.toContain('wrong signature');
    const arrived = service.server.receiver.list();
    // The other seller has no webhook.
    expect(arrived.length).toBe(bodies.length - 1);
    expect(
      arrived.every(({ verified, repeated, answered }) => verified && !repeated && answered === 204),
    ).toBe(true);
  });

  it('can be resent by hand, and the receiver detects the duplicate', async ({ service }) => {
    await makeMember(service);
    const $ = await openPage(service);
    const delivery = $('input[name="delivery"]').first().attr('value') ?? '';
    const answer = await post(service, '/sandbox/webhooks/redeliver', { delivery });
    expect([answer.status, answer.headers.get('location')]).toEqual([303, '/sandbox/webhooks?done=again']);
    await service.server.runBackgroundWork();
    expect(service.server.receiver.list()[0]).toMatchObject({ verified: true, repeated: true });
  });

  it('are held while their webhook is disabled, and the page shows the next step', async ({ service }) => {
    await makeMember(service);
    const $ = await openPage(service);
    for (const { id } of Object.values(webhooks)) {
      await service.server.operator.saveWebhook({ id, ownerId: users.dana.id }, { isActive: false });
    }
    const delivery = $('input[name="delivery"]').first().attr('value') ?? '';
    const answer = await post(service, '/sandbox/webhooks/redeliver', { delivery });
    expect(answer.headers.get('location')).toBe('/sandbox/webhooks?done=held');
    const page = await service.request('/sandbox/webhooks?done=held');
    expect(await page.text()).toContain('switched off or paused');
  });

  it('fail when the receiver is set to fail, and arrive once it accepts again', async ({ service }) => {
    await post(service, '/sandbox/webhooks/receiver-mode', { mode: 'fail' });
    await makeMember(service);
    const failed = await openPage(service);
    expect(failed('.delivery').text()).toContain('Responded with status 500');
    expect(failed('.delivery').text()).toContain('Next try: 12 June 2026, 14:05:');
    expect(failed('button[aria-pressed="true"]').text()).toBe('Answer 500');
    await post(service, '/sandbox/webhooks/receiver-mode', { mode: 'accept' });
    service.clock.advance(13_000);
    await service.server.runBackgroundWork();
    const delivered = await openPage(service);
    expect(delivered('.delivery').first().text()).toContain('Tried 2 times');
  });

  it('get no response when the receiver is set to time out', async ({ service }) => {
    await post(service, '/sandbox/webhooks/receiver-mode', { mode: 'hang' });
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
    const $ = await openPage(service);
    expect($('.arrivals').text()).toContain('wrong signature');
  });

  it('accept forms from their own page only', async ({ service }) => {
    for (const path of ['/sandbox/webhooks/redeliver', '/sandbox/webhooks/receiver-mode']) {
      const answer = await service.request(path, {
        method: 'POST',
        headers: { Origin: 'https://evil.example', 'Content-Type': 'application/x-www-form-urlencoded' },
        body: 'mode=fail',
      });
      expect(answer.status).toBe(403);
    }
    expect(service.server.receiver.mode).toBe('accept');
    expect((await post(service, '/sandbox/webhooks/receiver-mode', { mode: 'x' })).status).toBe(303);
    expect((await post(service, '/sandbox/webhooks/redeliver', { delivery: 'x' })).status).toBe(303);
  });
});
