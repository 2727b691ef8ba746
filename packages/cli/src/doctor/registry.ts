import { createHmac } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { ControlClient } from '../control/control-client.js';
import type { Fix } from './findings.js';

export interface RegisteredClient {
  readonly clientId: string;
  readonly type: string;
  readonly scopes: readonly string[];
  readonly redirectUris: readonly string[];
  readonly widgetOrigins: readonly string[];
}

export interface RegisteredWebhook {
  readonly id: string;
  readonly url: string;
  readonly communityId: string | null;
  readonly productId: string | null;
  readonly isActive: boolean;
  readonly pausedAt: string | null;
}

/** How many of the newest events are searched for a delivery. */
const EVENTS = 50;

/** How long to wait for a pending delivery after its webhook was changed, in milliseconds. */
const SENDING_MS = 3_000;
/** Pause between two requests for the delivery, in milliseconds. */
const POLL_MS = 50;

/** A sandbox's records, read and changed through its control API. Each method throws `ControlError`. */
export class Registry {
  readonly #control: ControlClient;

  constructor(control: ControlClient) {
    this.#control = control;
  }

  async client(clientId: string): Promise<RegisteredClient | undefined> {
    const clients = await this.#control.records('clients');
    return (clients as readonly unknown[] as readonly RegisteredClient[]).find(
      (client) => client.clientId === clientId,
    );
  }

  async webhooks(): Promise<readonly RegisteredWebhook[]> {
    return (await this.#control.records('webhooks')) as readonly unknown[] as readonly RegisteredWebhook[];
  }

  /** Returns the id of the webhook with this secret. The secret itself isn't sent: it only signs a string. */
  async webhookWithSecret(secret: string): Promise<string | undefined> {
    const body = '{"from":"latchkey doctor"}';
    const signature = createHmac('sha256', secret).update(body).digest('hex');
    const { verified, webhookId } = await this.#control.call('POST /signatures', { body, signature });
    return verified ? (webhookId ?? undefined) : undefined;
  }

  /** Sends an event about the current state of a membership in the webhook's community or product, if there is one. */
  async sendEvent(webhook: RegisteredWebhook): Promise<void> {
    const memberships = await this.#control.records('memberships');
    const membership = memberships.find(({ communityId, productId }) =>
      webhook.communityId === null ? productId === webhook.productId : communityId === webhook.communityId,
    );
    if (membership === undefined) return;
    const event = { type: 'membership.updated', membershipId: String(membership.id) } as const;
    await this.#control.call('POST /events', event);
  }

  /** Returns the result of the newest attempt to deliver to this webhook, or undefined if there was none. */
  async newestDelivery(webhook: RegisteredWebhook) {
    const newest = await this.#newestSent(webhook.id);
    if (newest === undefined) return undefined;
    return (await this.#control.call('GET /deliveries/{id}', { id: newest.id })).attempts[0];
  }

  async apply(fix: Fix): Promise<void> {
    switch (fix.kind) {
      case 'add-redirect-uri':
        return await this.#addTo(fix.clientId, ({ redirectUris }) => ({
          redirectUris: [...new Set([...redirectUris, fix.redirectUri])],
        }));
      case 'add-origin':
        return await this.#addTo(fix.clientId, ({ widgetOrigins }) => ({
          widgetOrigins: [...new Set([...widgetOrigins, fix.origin])],
        }));
      case 'enable-webhook':
        return await this.#changeWebhook(fix.webhookId, { isActive: true });
      case 'set-webhook-url':
        return await this.#changeWebhook(fix.webhookId, { url: fix.url });
    }
  }

  /** Changes a webhook, and waits until the newest pending delivery has been sent to it. */
  async #changeWebhook(webhookId: string, changes: object): Promise<void> {
    const before = await this.#newestSent(webhookId);
    await this.#control.call('PATCH /data/{kind}/{id}', { kind: 'webhooks', id: webhookId, ...changes });
    if (before?.status !== 'pending') return;
    const until = performance.now() + SENDING_MS;
    while (performance.now() < until) {
      const now = await this.#newestSent(webhookId);
      if (now?.id !== before.id || now.attemptCount > before.attemptCount) return;
      await pause(POLL_MS);
    }
  }

  /** Returns the newest delivery that was sent to a webhook, looking only at the newest events. */
  async #newestSent(webhookId: string) {
    const { events } = await this.#control.call('GET /events', { limit: EVENTS });
    return events
      .flatMap(({ deliveries }) => deliveries)
      .find((delivery) => delivery.webhookId === webhookId && delivery.attemptCount > 0);
  }

  async #addTo(clientId: string, changes: (client: RegisteredClient) => object): Promise<void> {
    const client = await this.client(clientId);
    if (client === undefined) return;
    await this.#control.call('PATCH /data/{kind}/{id}', {
      ...{ kind: 'clients', id: clientId },
      ...changes(client),
    });
  }
}
