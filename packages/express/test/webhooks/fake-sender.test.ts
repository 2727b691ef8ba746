import { startFakeService } from '@latchkey/conformance/scripted-service';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { memoryDirectory } from '../../src/index.js';
import type { WebhookHandler, WebhookOptions } from '../../src/webhooks/index.js';
import { type Endpoint, OLD_SECRET, SECRET, startEndpoint } from './endpoint.js';

// Deliveries of a service that this package does not share code with, in each reading of the spec.

const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

/** A service with one community, and an endpoint that its webhook is sent to. */
async function startWorld(options: Partial<WebhookOptions> = {}, headerPrefix?: string) {
  const serviceNames = { headerPrefix };
  const service = await startFakeService({ serviceNames });
  closing.push(() => service.close());
  const { id: communityId } = service.addCommunity();
  const directory = memoryDirectory();
  const endpoint: Endpoint = await startEndpoint({
    options: { communities: { [communityId]: SECRET }, directory, serviceNames, ...options },
    mount: (app, handler) => app.use('/webhooks', handler),
  });
  closing.push(endpoint.close);
  service.addWebhook({ url: endpoint.url, secret: SECRET, communityId });
  return {
    service,
    endpoint,
    communityId,
    directory,
    /** Grants a membership, and waits for its deliveries. Resolves with the id of the membership. */
    async provision(): Promise<string> {
      const response = await fetch(`${service.url}/membership/provision-external`, {
        method: 'POST',
        headers: { authorization: `Bearer svc_${'a'.repeat(43)}`, 'content-type': 'application/json' },
        body: JSON.stringify({ communityId, externalOrderId: 'order-1', email: 'grace@example.com' }),
      });
      const { data } = (await response.json()) as { data: { membershipId: string } };
      await service.settled();
      return data.membershipId;
    },
    entry: async (membershipId: string) => {
      const id = membershipId.toLowerCase();
      return (await directory.find([id])).get(id);
    },
  };
}

describe('webhooks of a service that follows the spec', () => {
  it('are handled once, by type and id of their headers [assumes webhook-signature-encoding] [assumes webhook-event-id-in-body] [assumes body-size]', async () => {
    const { provision, service, endpoint } = await startWorld();
    await provision();
    const sent = new Map(service.deliveries.map((delivery) => [delivery.eventId, delivery]));
    expect(endpoint.events.length).toBeGreaterThan(0);
    expect(endpoint.events.map(({ id, type, raw }) => [id, type, raw.toString()])).toEqual(
      [...sent.values()].map(({ eventId, type, body }) => [eventId, type, body]),
    );
    expect(service.deliveries.map(({ status }) => status)).toEqual(service.deliveries.map(() => 200));
  });

  it('record the membership, with the community of the secret [assumes webhook-signature-encoding] [assumes webhook-membership-place] [assumes body-size]', async () => {
    const { provision, entry, communityId } = await startWorld();
    expect(await entry(await provision())).toMatchObject({ communityId: communityId.toLowerCase() });
  });

  it('of one community are signed by no secret of another [assumes webhook-signature-encoding] [assumes webhook-event-id-in-body] [assumes webhook-secret-owner] [assumes body-size]', async () => {
    const { provision, service, communityId, directory } = await startWorld();
    const { id: otherId } = service.addCommunity();
    const { url, close } = await startEndpoint({
      options: { communities: { [communityId]: SECRET, [otherId]: OLD_SECRET }, directory },
      mount: (app, handler) => app.use('/webhooks', handler),
    });
    closing.push(close);
    service.addWebhook({ url, secret: OLD_SECRET, communityId: otherId });
    await provision();
    expect(service.deliveries.map(({ status }) => status)).toEqual(service.deliveries.map(() => 200));
  });

  it('are delivered again after a handler failed [assumes webhook-signature-encoding] [assumes webhook-event-id-in-body] [assumes webhook-redelivery] [assumes body-size]', async () => {
    const handler = vi.fn<WebhookHandler>().mockRejectedValueOnce(new Error('no'));
    const { provision } = await startWorld({ other: handler });
    await provision();
    const [first] = handler.mock.calls;
    const ids = handler.mock.calls.map(([{ id }]) => id);
    expect(ids.filter((id) => id === first?.[0].id)).toHaveLength(2);
  });

  it('are read under the names of the service [assumes webhook-signature-encoding] [assumes webhook-event-id-in-body] [assumes body-size]', async () => {
    const { provision, endpoint } = await startWorld({}, 'X-Acme-');
    await provision();
    expect(endpoint.events.length).toBeGreaterThan(0);
    expect(endpoint.log.filter(({ level }) => level === 'error')).toEqual([]);
  });
});
