import { createHmac } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { ControlClient } from '../control/control-client.js';
import type { Fix } from './findings.js';

/** Client as it is registered in the sandbox. */
export interface RegisteredClient {
  readonly clientId: string;
  readonly type: string;
  readonly scopes: readonly string[];
  readonly redirectUris: readonly string[];
  readonly widgetOrigins: readonly string[];
}

/** Webhook as it is registered in the sandbox. */
export interface RegisteredWebhook {
  readonly id: string;
  readonly url: string;
  readonly communityId: string | null;
  readonly productId: string | null;
  readonly isActive: boolean;
  readonly pausedAt: string | null;
}

/** Newest events that are searched for a delivery. */
const EVENTS = 50;

/** Maximum time to wait until a pending delivery is sent after a change of its webhook, in milliseconds. */
const SENDING_MS = 3_000;
/** Time between two requests for the delivery, in milliseconds. */
const POLL_MS = 50;

/** Records of a sandbox, read and changed through its control API. Each method throws `ControlError`. */
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

  /** Id of the webhook whose secret this is. The secret itself is not sent: it signs a text. */
  async webhookWithSecret(secret: string): Promise<string | undefined> {
    const body = '{"from":"latchkey doctor"}';
    const signature = createHmac('sha256', secret).update(body).digest('hex');
    const { verified, webhookId } = await this.#control.call('POST /signatures', { body, signature });
    return verified ? (webhookId ?? undefined) : undefined;
  }

  /** Sends an event about the present state of a membership of the webhook's subject, if there is one. */
  async sendEvent(webhook: RegisteredWebhook): Promise<void> {
    const memberships = await this.#control.records('memberships');
    const membership = memberships.find(({ communityId, productId }) =>
      webhook.communityId === null ? productId === webhook.productId : communityId === webhook.communityId,
    );
    if (membership === undefined) return;
    const event = { type: 'membership.updated', membershipId: String(membership.id) } as const;
    await this.#control.call('POST /events', event);
  }

  /** Result of the newest attempt to deliver to this webhook, or undefined if there was none. */
  async newestDelivery(webhook: RegisteredWebhook) {
    const newest = await this.#newestSent(webhook.id);
    if (newest === undefined) return undefined;
    return (await this.#control.call('GET /deliveries/{id}', { id: newest.id })).attempts[0];
  }

  /** Makes a change. */
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

  /** Changes a webhook, and waits until the newest pending delivery was sent to it. */
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

  /** Newest delivery to a webhook that was sent, among those of the newest events. */
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
