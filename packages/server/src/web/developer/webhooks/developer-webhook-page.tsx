import { type AreaFrame, renderAreaPage } from '../../ui/frame/area-page.js';
import type { Page } from '../../ui/frame/site.js';
import { AccountField } from '../../ui/parts/account-field.js';
import { Button, ButtonLink } from '../../ui/parts/button.js';
import { CopyField, CopyText } from '../../ui/parts/copy.js';
import { EmptyState } from '../../ui/parts/empty-state.js';
import { AlertIcon } from '../../ui/parts/icons.js';
import { Count } from '../../ui/parts/money.js';
import { Panel } from '../../ui/parts/panel.js';
import { type Column, Table } from '../../ui/parts/table.js';
import { Time } from '../../ui/parts/time.js';
import { DEVELOPER_SECTIONS } from '../frame/developer-sections.js';
import type { OwnWebhook } from './developer-webhooks-page.js';
import { DeliveryPill, deliveryPath, type ListedDelivery, ResponseStatus } from './webhook-delivery.js';
import { HealthPill, HealthWarning, webhookHealth } from './webhook-health.js';

export interface DeveloperWebhookPageProps {
  frame: AreaFrame;
  webhook: OwnWebhook;
  signatureHeader: string;
  /** Signing secret, in the response to the form that asks for it only. */
  secret?: string | undefined;
  /** Most recent deliveries, newest first. */
  deliveries: readonly ListedDelivery[];
  /** True if there are older deliveries that are not listed. */
  hasOlder: boolean;
  notice?: string | undefined;
}

/**
 * Renders a webhook with its state and recent deliveries. `POST /developer/webhooks/{id}/switch-off` and `…/resume` change
 * the state. `POST …/secret` responds with this page and the secret.
 */
export function developerWebhookPage(props: DeveloperWebhookPageProps): Page {
  const { frame, webhook } = props;
  const health = webhookHealth(webhook);
  return renderAreaPage({
    frame,
    area: 'developer',
    sections: DEVELOPER_SECTIONS,
    section: '/developer/webhooks',
    title: `Webhook of ${webhook.subjectName}`,
    heading: <bdi>{webhook.subjectName}</bdi>,
    lead:
      webhook.communityId === null
        ? 'Sends the events of this product to your server.'
        : 'Sends the events of this community to your server.',
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
        <Endpoint webhook={webhook} deliveries={props.deliveries} account={frame.account} />
        <WebhookSecret
          webhookId={webhook.id}
          secret={props.secret}
          signatureHeader={props.signatureHeader}
          account={frame.account}
        />
        <Deliveries deliveries={props.deliveries} hasOlder={props.hasOlder} />
      </>
    ),
  });
}

function Endpoint({
  webhook,
  deliveries,
  account,
}: Pick<DeveloperWebhookPageProps, 'webhook' | 'deliveries'> & { account: string }) {
  const last = deliveries.find(({ lastAttempt }) => lastAttempt !== undefined)?.lastAttempt;
  return (
    <Panel
      id="endpoint"
      heading="Endpoint"
      actions={
        <ButtonLink isSmall href={`/developer/webhooks/${webhook.id}/edit`}>
          Edit
        </ButtonLink>
      }
    >
      <dl class="facts">
        <dt>Status</dt>
        <dd>
          <HealthPill webhook={webhook} />
        </dd>
        <dt>URL</dt>
        <dd>
          <CopyText label="URL" value={webhook.url} />
        </dd>
        <dt>Events from</dt>
        <dd>
          {webhook.communityId === null ? 'Product' : 'Community'} <bdi>{webhook.subjectName}</bdi>
        </dd>
        <dt>Created</dt>
        <dd>
          <Time at={webhook.createdAt} precision="date" />
        </dd>
        <dt>Last attempt</dt>
        <dd>{last === undefined ? 'None yet' : <Time at={last.attemptedAt} />}</dd>
        <dt>Pending</dt>
        <dd>
          <Count value={webhook.pending} />
        </dd>
        <dt>Failed</dt>
        <dd>
          <Count value={webhook.failed} />
        </dd>
      </dl>
      <Actions webhook={webhook} account={account} />
    </Panel>
  );
}

function Actions({ webhook, account }: { webhook: OwnWebhook; account: string }) {
  const path = `/developer/webhooks/${webhook.id}`;
  const health = webhookHealth(webhook);
  return (
    <div class="panel-actions">
      {(health === 'off' || health === 'paused') && (
        <form method="post" action={`${path}/resume`}>
          <AccountField account={account} />
          <Button kind="primary" isSmall>
            {health === 'off' ? 'Enable' : 'Resume'}
          </Button>
        </form>
      )}
      {health !== 'off' && (
        <form method="post" action={`${path}/switch-off`}>
          <AccountField account={account} />
          <Button isSmall>Disable</Button>
        </form>
      )}
      <ButtonLink kind="danger" isSmall href={`${path}/delete`}>
        Delete
      </ButtonLink>
    </div>
  );
}

const COLUMNS: readonly Column<ListedDelivery>[] = [
  {
    heading: 'Event',
    isRowHeading: true,
    cell: ({ id, type, createdAt }) => (
      <a href={deliveryPath(id)}>
        {type}
        <span class="visually-hidden">
          {' '}
          of <Time at={createdAt} />
        </span>
      </a>
    ),
  },
  { heading: 'Created', cell: ({ createdAt }) => <Time at={createdAt} /> },
  { heading: 'Response', cell: ({ lastAttempt }) => <ResponseStatus attempt={lastAttempt} /> },
  { heading: 'Attempts', isNumeric: true, cell: ({ attemptCount }) => <Count value={attemptCount} /> },
  { heading: 'Status', cell: (delivery) => <DeliveryPill delivery={delivery} /> },
];

function Deliveries({ deliveries, hasOlder }: Pick<DeveloperWebhookPageProps, 'deliveries' | 'hasOlder'>) {
  return (
    <Panel id="deliveries" heading="Recent deliveries">
      <Table
        label="Recent deliveries"
        columns={COLUMNS}
        rows={deliveries}
        rowKey={({ id }) => id}
        empty={
          <EmptyState
            title="There are no events yet."
            text="Payments and changes of memberships appear here, with the response of your server."
          />
        }
      />
      {hasOlder && <p class="muted">Older deliveries are not listed. We delete them after a month.</p>}
    </Panel>
  );
}

/** Panel with the signing secret of a webhook. The secret is in the page only after the user has asked for it. */
function WebhookSecret(props: {
  webhookId: string;
  /** Undefined until the user asks for it. */
  secret: string | undefined;
  signatureHeader: string;
  account: string;
}) {
  const { webhookId, secret, signatureHeader, account } = props;
  const path = `/developer/webhooks/${webhookId}`;
  return (
    <Panel
      id="signing-secret"
      heading="Signing secret"
      actions={
        secret === undefined ? (
          <form method="post" action={`${path}/secret#signing-secret`}>
            <AccountField account={account} />
            <Button isSmall>Reveal secret</Button>
          </form>
        ) : (
          <ButtonLink isSmall href={`${path}#signing-secret`}>
            Hide secret
          </ButtonLink>
        )
      }
    >
      {secret !== undefined && <CopyField label="Secret" value={secret} isSecret />}
      <p class="muted">
        Each request has the header <code>{signatureHeader}</code>: the HMAC-SHA256 of the raw body, in
        lower-case hex. The key is the secret as a literal string of 64 characters. Verify it before you parse
        the JSON. To replace the secret, edit the webhook.
      </p>
    </Panel>
  );
}
