import { type AreaFrame, renderAreaPage } from '../../ui/frame/area-page.js';
import type { Page } from '../../ui/frame/site.js';
import { AccountField } from '../../ui/parts/account-field.js';
import { AlertIcon } from '../../ui/parts/icons.js';
import { PlainDate, PlainDateTime } from '../../ui/parts/plain-time.js';
import { DEVELOPER_SECTIONS } from '../frame/developer-sections.js';
import type { OwnWebhook } from './developer-webhooks-page.js';
import { DeliveryTag, type ListedDelivery } from './webhook-delivery.js';
import { HealthTag, HealthWarning, webhookHealth } from './webhook-health.js';

/** Props of {@link developerWebhookPage}. */
export interface DeveloperWebhookPageProps {
  frame: AreaFrame;
  webhook: OwnWebhook;
  /** Most recent deliveries, newest first. */
  deliveries: readonly ListedDelivery[];
  /** True if there are older deliveries that are not listed. */
  hasOlder: boolean;
  notice?: string | undefined;
}

/**
 * Renders a webhook with its state and recent deliveries. `POST /developer/webhooks/{id}/switch-off` and `…/resume` change
 * the state.
 */
export function developerWebhookPage(props: DeveloperWebhookPageProps): Page {
  const { frame, webhook, deliveries } = props;
  const health = webhookHealth(webhook);
  return renderAreaPage({
    frame,
    area: 'developer',
    sections: DEVELOPER_SECTIONS,
    section: '/developer/webhooks',
    title: 'Webhook',
    parent: { href: '/developer/webhooks', label: 'Webhooks' },
    notice: props.notice,
    children: (
      <>
        {(health === 'failing' || health === 'paused') && (
          <div class="warning">
            <AlertIcon />
            <HealthWarning webhook={webhook} />
          </div>
        )}
        <section class="panel" aria-labelledby="endpoint">
          <div class="panel-heading">
            <h2 id="endpoint">Endpoint</h2>
            <HealthTag webhook={webhook} />
          </div>
          <dl class="facts">
            <dt>URL</dt>
            <dd>
              <code>{webhook.url}</code>
            </dd>
            <dt>Events from</dt>
            <dd>
              {webhook.communityId === null ? 'Product' : 'Community'} <bdi>{webhook.subjectName}</bdi>
            </dd>
            <dt>Created</dt>
            <dd>
              <PlainDate at={webhook.createdAt} />
            </dd>
            <dt>Pending</dt>
            <dd>{webhook.pending}</dd>
            <dt>Failed</dt>
            <dd>{webhook.failed}</dd>
          </dl>
          <Actions webhook={webhook} account={frame.account} />
        </section>
        <Deliveries deliveries={deliveries} hasOlder={props.hasOlder} />
      </>
    ),
  });
}

function Actions({ webhook, account }: { webhook: OwnWebhook; account: string }) {
  const path = `/developer/webhooks/${webhook.id}`;
  const health = webhookHealth(webhook);
  return (
    <div class="panel-actions">
      <a class="button secondary small" href={`${path}/edit`}>
        Edit or show secret
      </a>
      {(health === 'off' || health === 'paused') && (
        <form method="post" action={`${path}/resume`}>
          <AccountField account={account} />
          <button class="button primary small" type="submit">
            {health === 'off' ? 'Enable' : 'Resume'}
          </button>
        </form>
      )}
      {health !== 'off' && (
        <form method="post" action={`${path}/switch-off`}>
          <AccountField account={account} />
          <button class="button secondary small" type="submit">
            Disable
          </button>
        </form>
      )}
      <a class="button danger small" href={`${path}/delete`}>
        Delete
      </a>
    </div>
  );
}

function Deliveries({ deliveries, hasOlder }: Pick<DeveloperWebhookPageProps, 'deliveries' | 'hasOlder'>) {
  return (
    <section class="panel" aria-labelledby="deliveries">
      <h2 id="deliveries">Recent deliveries</h2>
      {deliveries.length === 0 ? (
        <p class="empty">There are no events yet.</p>
      ) : (
        <ul class="rows">
          {deliveries.map((delivery) => (
            <li class="row" key={delivery.id}>
              <div class="row-text">
                <p class="row-title">
                  <a href={`/developer/webhooks/deliveries/${delivery.id}`}>
                    <code>{delivery.type}</code>
                    <span class="visually-hidden">
                      {' '}
                      of <PlainDateTime at={delivery.createdAt} />
                    </span>
                  </a>
                </p>
                <p class="muted">
                  <PlainDateTime at={delivery.createdAt} />
                  {delivery.attemptCount > 0 &&
                    `, ${delivery.attemptCount === 1 ? '1 attempt' : `${delivery.attemptCount} attempts`}`}
                  {delivery.lastAttempt !== undefined &&
                    `, ${delivery.lastAttempt.failure ?? `status ${delivery.lastAttempt.statusCode}`}`}
                </p>
              </div>
              <p class="row-tags">
                <DeliveryTag status={delivery.status} />
              </p>
            </li>
          ))}
        </ul>
      )}
      {hasOlder && <p class="muted">Older deliveries are not listed. We delete them after a month.</p>}
    </section>
  );
}
