import { createHmac } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { DataRecord, EventEntry } from '@latchkey/sandbox';
import type { ControlClient } from '../../../control/client/control-client.js';
import type { Fix } from '../findings/fix.js';

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

/** Result of the newest delivery to a webhook. */
export interface DeliveryResult {
  readonly status: number | null;
  readonly failure: string | null;
}

/** Newest events that are searched for a delivery. */
const EVENTS = 50;

/** Maximum time to wait until a pending delivery is sent after a change of its webhook, in milliseconds. */
const SENDING_MS = 3_000;
/** Time between two requests for the delivery, in milliseconds. */
const POLL_MS = 50;

/** Records of a sandbox, read and changed through its control API. Each method throws `ControlFailure`. */
export class Registry {
  readonly #control: ControlClient;

  constructor(control: ControlClient) {
    this.#control = control;
  }

  async client(clientId: string): Promise<RegisteredClient | undefined> {
    const clients = await this.#control.records('clients');
    return clients.map(clientOf).find((client) => client.clientId === clientId);
  }

  async webhooks(): Promise<readonly RegisteredWebhook[]> {
    return (await this.#control.records('webhooks')).map(webhookOf);
  }

  /** Id of the webhook whose secret this is. The secret itself is not sent: it signs a text. */
  async webhookWithSecret(secret: string): Promise<string | undefined> {
    const body = '{"from":"latchkey doctor"}';
    const signature = createHmac('sha256', secret).update(body).digest('hex');
    const { verified, webhookId } = await this.#control.verifySignature({ body, signature });
    return verified ? (webhookId ?? undefined) : undefined;
  }

  /** Sends an event about the present state of a membership. Returns false if the webhook's subject has no membership. */
  async sendEvent(webhook: RegisteredWebhook): Promise<boolean> {
    const memberships = await this.#control.records('memberships');
    const membership = memberships.find(({ communityId, productId }) =>
      webhook.communityId === null ? productId === webhook.productId : communityId === webhook.communityId,
    );
    if (typeof membership?.id !== 'string') return false;
    await this.#control.sendEvent({ type: 'membership.updated', membershipId: membership.id });
    return true;
  }

  /** Result of the newest attempt to deliver to this webhook, or undefined if there was none. */
  async newestDelivery(webhook: RegisteredWebhook): Promise<DeliveryResult | undefined> {
    const deliveries = await this.#deliveriesOf(webhook.id);
    const newest = deliveries.find(({ attemptCount }) => attemptCount > 0);
    return newest && (await this.#control.delivery(newest.id)).attempts[0];
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
    const newest = async () =>
      (await this.#deliveriesOf(webhookId)).find(({ attemptCount }) => attemptCount > 0);
    const before = await newest();
    await this.#control.changeRecord('webhooks', webhookId, changes);
    if (before?.status !== 'pending') return;
    const until = performance.now() + SENDING_MS;
    while (performance.now() < until) {
      const now = await newest();
      if (now?.id !== before.id || now.attemptCount > before.attemptCount) return;
      await pause(POLL_MS);
    }
  }

  /** Deliveries of the newest events to a webhook, newest first. */
  async #deliveriesOf(webhookId: string) {
    const events: readonly EventEntry[] = await this.#control.events(EVENTS);
    return events.flatMap(({ deliveries }) =>
      deliveries.filter((delivery) => delivery.webhookId === webhookId),
    );
  }

  async #addTo(clientId: string, changes: (client: RegisteredClient) => object): Promise<void> {
    const client = await this.client(clientId);
    if (client !== undefined) await this.#control.changeRecord('clients', clientId, changes(client));
  }
}

const text = (value: unknown) => (typeof value === 'string' ? value : '');
const textOrNull = (value: unknown) => (typeof value === 'string' ? value : null);
const texts = (value: unknown) => (Array.isArray(value) ? value.map(text) : []);

function clientOf({ clientId, type, scopes, redirectUris, widgetOrigins }: DataRecord): RegisteredClient {
  return {
    clientId: text(clientId),
    type: text(type),
    scopes: texts(scopes),
    redirectUris: texts(redirectUris),
    widgetOrigins: texts(widgetOrigins),
  };
}

function webhookOf({ id, url, communityId, productId, isActive, pausedAt }: DataRecord): RegisteredWebhook {
  return {
    id: text(id),
    url: text(url),
    communityId: textOrNull(communityId),
    productId: textOrNull(productId),
    isActive: isActive === true,
    pausedAt: textOrNull(pausedAt),
  };
}
