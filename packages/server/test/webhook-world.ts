import { sandboxScenario } from '@latchkey/sandbox';
import type { NewEvent } from '../src/features/webhooks/event-outbox.js';
import {
  findDelivery,
  listDeliveries,
  type WebhookDelivery,
  type WebhookDeliveryDetails,
} from '../src/features/webhooks/log/deliveries.js';
import {
  deleteWebhook,
  findWebhook,
  type ListedWebhook,
  listWebhooks,
} from '../src/features/webhooks/registration/webhooks.js';
import type { Database } from '../src/platform/database/open-database.js';
import { emit, membershipCreated } from './emitted-events.js';
import type { ServiceUnderTest } from './service-under-test.js';
import { itWithDatabase } from './service-with-database.js';
import { startReceiver, type WebhookReceiver } from './webhook-receiver.js';

const { users, community } = sandboxScenario;
const ownerId = users.dana.id;

/**
 * Running service that sends deliveries on demand, an endpoint, and a connection to the service's database.
 */
export interface WebhookWorld {
  readonly service: ServiceUnderTest;
  readonly databaseUrl: string;
  readonly db: Database;
  readonly receiver: WebhookReceiver;
  /**
   * Registers a webhook of the sandbox's owner for its community.
   * @default the receiver's URL
   */
  register(url?: string): Promise<{ id: string; secret: string }>;
  /**
   * Records an event, as an operation does.
   * @default a created membership
   */
  emit(event?: NewEvent): Promise<void>;
  /** Sends the deliveries that are due by the service's clock. */
  deliver(): Promise<void>;
  /** Marks an endpoint as one that has answered before. Others are paused after a few failures. */
  markAnswered(id: string): Promise<void>;
  webhook(id: string): Promise<ListedWebhook | undefined>;
  /** Deliveries of a webhook, newest first. */
  deliveries(id: string): Promise<WebhookDelivery[]>;
  /** The only delivery of a webhook. */
  delivery(id: string): Promise<WebhookDeliveryDetails>;
}

/** `it` with a separate world for each test that asks for one. */
export const it = itWithDatabase.extend<{ world: WebhookWorld }>({
  world: async ({ service, database: databaseUrl, db }, use) => {
    const receiver = await startReceiver();
    for (const { id } of (await listWebhooks(db, ownerId)).rows) {
      await deleteWebhook(db, { id, ownerId });
    }
    await use(createWorld({ service, databaseUrl, db, receiver }));
    await receiver.close();
  },
});

type WorldParts = Pick<WebhookWorld, 'service' | 'databaseUrl' | 'db' | 'receiver'>;

function createWorld(parts: WorldParts): WebhookWorld {
  const { service, db, receiver } = parts;
  const deliveries = (id: string) => listDeliveries(db, { id, ownerId }, 1000);
  return {
    ...parts,
    register: (url = receiver.url) =>
      service.server.operator.createWebhook({ ownerId, communityId: community.id, url }),
    emit: (event = membershipCreated()) => emit(db, event, service.clock.now()),
    deliver: () => service.server.runBackgroundWork(),
    async markAnswered(id) {
      await db
        .updateTable('webhooks')
        .set({ answered_at: service.clock.now() })
        .where('id', '=', id)
        .execute();
    },
    webhook: (id) => findWebhook(db, { id, ownerId }),
    deliveries,
    async delivery(webhookId) {
      const all = await deliveries(webhookId);
      const details = await findDelivery(db, { id: all[0]?.id ?? '', ownerId });
      if (all.length !== 1 || details === undefined)
        throw new Error(`There are ${all.length} deliveries, not one.`);
      return details;
    },
  };
}
