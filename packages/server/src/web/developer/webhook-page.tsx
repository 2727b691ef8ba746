import type { WebhookHeaders } from '@latchkey/contract/constants';
import type { WebhookDelivery } from '../../domain/webhooks/log/deliveries.js';
import type { ListedWebhook } from '../../domain/webhooks/registration/webhooks.js';
import { type AreaFrame, renderAreaPage } from '../ui/frame/area-page.js';
import type { Page } from '../ui/frame/send-page.js';
import { Facts } from '../ui/parts/facts.js';
import { AccountField, Button, ButtonLink } from '../ui/parts/form-parts.js';
import { AlertIcon } from '../ui/parts/icons.js';
import { EmptyState, Panel } from '../ui/parts/panel.js';
import { type Column, Table } from '../ui/parts/table.js';
import { CopyField, CopyText, Count, Time } from '../ui/parts/values.js';
import { developerSecretPage, inDeveloper, WEBHOOKS_HOME } from './developer-area.js';
import {
  DeliveryPill,
  deliveryPath,
  HealthPill,
  HealthWarning,
  ResponseStatus,
  webhookHealth,
  webhookPath,
} from './webhook-state.js';

interface WebhookPageProps {
  frame: AreaFrame;
  webhook: ListedWebhook;
  signatureHeader: string;
  /** Signing secret, in the response to the form that asks for it only. */
  secret?: string;
  /** Most recent deliveries, newest first. */
  deliveries: readonly WebhookDelivery[];
  /** True if there are older deliveries that are not listed. */
  hasOlder: boolean;
  notice?: string | undefined;
}

/**
 * Renders a webhook with its state and recent deliveries. `POST /developer/webhooks/{id}/switch-off` and `…/resume` change
 * the state. `POST …/secret` responds with this page and the secret.
 */
export function developerWebhookPage(props: WebhookPageProps): Page {
  const { frame, webhook } = props;
  const health = webhookHealth(webhook);
  return renderAreaPage({
    ...inDeveloper(frame, WEBHOOKS_HOME),
    title: `Webhook of ${webhook.subjectName}`,
    heading: <bdi>{webhook.subjectName}</bdi>,
    lead:
      webhook.communityId === null
        ? 'Sends the events of this product to your server.'
        : 'Sends the events of this community to your server.',
    parent: { href: WEBHOOKS_HOME, label: 'Webhooks' },
    notice: props.notice,
    children: (
      <>
        {(health === 'failing' || health === 'paused') && (
          <div class="warning">
            <AlertIcon />
            <HealthWarning webhook={webhook} />
          </div>
        )}
        <Endpoint {...props} />
        <WebhookSecret {...props} />
        <Panel id="deliveries" heading="Recent deliveries">
          <Table
            label="Recent deliveries"
            columns={COLUMNS}
            rows={props.deliveries}
            empty={
              <EmptyState
                title="There are no events yet."
                text="Payments and changes of memberships appear here, with the response of your server."
              />
            }
          />
          {props.hasOlder && (
            <p class="muted">Older deliveries are not listed. We delete them after a month.</p>
          )}
        </Panel>
      </>
    ),
  });
}

function Endpoint({ frame, webhook, deliveries }: WebhookPageProps) {
  const last = deliveries.find(({ lastAttempt }) => lastAttempt !== undefined)?.lastAttempt;
  const facts = {
    Status: <HealthPill webhook={webhook} />,
    URL: <CopyText label="URL" value={webhook.url} />,
    'Events from': (
      <>
        {webhook.communityId === null ? 'Product' : 'Community'} <bdi>{webhook.subjectName}</bdi>
      </>
    ),
    Created: <Time at={webhook.createdAt} precision="date" />,
    'Last attempt': last === undefined ? 'None yet' : <Time at={last.attemptedAt} />,
    Pending: <Count value={webhook.pending} />,
    Failed: <Count value={webhook.failed} />,
  };
  return (
    <Panel
      id="endpoint"
      heading="Endpoint"
      actions={<ButtonLink isSmall href={`${webhookPath(webhook.id)}/edit`} label="Edit" />}
    >
      <Facts facts={facts} />
      <Actions webhook={webhook} account={frame.account} />
    </Panel>
  );
}

function Actions({ webhook, account }: { webhook: ListedWebhook; account: string }) {
  const path = webhookPath(webhook.id);
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
      <ButtonLink kind="danger" isSmall href={`${path}/delete`} label="Delete" />
    </div>
  );
}

const COLUMNS: readonly Column<WebhookDelivery>[] = [
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

/** Panel with the signing secret of a webhook. The secret is in the page only after the user has asked for it. */
function WebhookSecret({ frame, webhook, secret, signatureHeader }: WebhookPageProps) {
  const path = webhookPath(webhook.id);
  return (
    <Panel
      id="signing-secret"
      heading="Signing secret"
      actions={
        secret === undefined ? (
          <form method="post" action={`${path}/secret#signing-secret`}>
            <AccountField account={frame.account} />
            <Button isSmall>Reveal secret</Button>
          </form>
        ) : (
          <ButtonLink isSmall href={`${path}#signing-secret`} label="Hide secret" />
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

/** Page that shows the signing secret of a webhook after it was created or saved. */
export function webhookSecretPage(
  frame: AreaFrame,
  webhook: { id: string; url: string },
  shown: { secret: string; title: string; headers: WebhookHeaders },
): Page {
  const { signature, eventId } = shown.headers;
  return developerSecretPage({
    frame,
    section: WEBHOOKS_HOME,
    title: shown.title,
    subject: webhook.url,
    secretLabel: 'Signing secret',
    secret: shown.secret,
    lead: 'Copy the secret to your server. You can reveal it again on the page of the webhook.',
    notes: [
      `Each request has the header ${signature}: the HMAC-SHA256 of the raw body in lower-case hex. The key is the literal string of 64 characters.`,
      `Verify the signature before you parse the JSON. Deduplicate on ${eventId}.`,
    ],
    done: { href: webhookPath(webhook.id), label: 'Continue to the webhook' },
  });
}
