import { hasRowLocks } from '../../../platform/database/kysely/row-locks.js';
import type { Database } from '../../../platform/database/open-database.js';
import { textList } from '../../../platform/database/row-list.js';
import type { WebhookHealth } from '../attempt/attempt-consequences.js';

/**
 * Locks webhooks in the order of their ids. Every transaction that changes several deliveries calls it before, because
 * statements lock rows in the order in which they find them. Two of them would otherwise deadlock, for example an attempt that
 * pauses a webhook, and so changes all of its deliveries, and a worker that releases some of them.
 *
 * @returns the webhooks that exist, by id.
 */
export async function lockWebhooks(
  transaction: Database,
  webhookIds: readonly string[],
): Promise<Map<string, WebhookHealth>> {
  const rows = await transaction
    .selectFrom('webhooks')
    .select(['id', 'url', 'is_active', 'failing_since', 'paused_at', 'answered_at', 'unanswered_attempts'])
    .where('id', 'in', textList(transaction, [...new Set(webhookIds)]))
    .orderBy('id')
    // New deliveries refer to the webhook. This lock lets them be inserted meanwhile.
    .$if(hasRowLocks(transaction), (query) => query.forNoKeyUpdate())
    .execute();
  return new Map(rows.map((row) => [row.id, row]));
}
