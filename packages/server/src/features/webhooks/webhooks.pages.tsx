import type { WebhookHeaders } from '@latchkey/contract/constants';
import { phrase, t } from '../../platform/language/language.js';
import {
  developerFormPage,
  developerSecretPage,
  inDeveloper,
  WEBHOOKS_HOME,
} from '../../web/kit/areas/developer-area.js';
import { type AreaFrame, type PageProps, renderAreaPage } from '../../web/kit/frame/area-page.js';
import type { Page } from '../../web/kit/frame/send-page.js';
import { defineForm, type FormValues, type Option, select } from '../../web/kit/parts/define-form.js';
import { AccountField, Button, ButtonLink } from '../../web/kit/parts/form-parts.js';
import { AlertIcon } from '../../web/kit/parts/icons.js';
import { EmptyState, Panel } from '../../web/kit/parts/panel.js';
import { controlsOf } from '../../web/kit/parts/resource-form.js';
import { type Column, ListPanel, type ShownList, Table } from '../../web/kit/parts/table.js';
import {
  CopyField,
  CopyText,
  Count,
  Facts,
  NameLink,
  Time,
  UNTRANSLATED,
} from '../../web/kit/parts/values.js';
import type { WebhookDelivery } from './log/deliveries.js';
import { webhookRecords } from './registration/webhook.resource.js';
import type { ListedWebhook } from './registration/webhooks.js';
import {
  DeliveryPill,
  deliveryPath,
  HealthPill,
  HealthWarning,
  ResponseStatus,
  webhookHealth,
  webhookPath,
} from './webhook-state.pages.js';

/** A webhook in its owner's list. There is no delivery before the first event. */
type WebhookRow = ListedWebhook & { lastDelivery: WebhookDelivery | undefined };

const WEBHOOK_COLUMNS: readonly Column<WebhookRow>[] = [
  {
    heading: phrase('Events from'),
    cell: ({ id, subjectName, communityId, url }) => (
      <>
        <NameLink href={webhookPath(id)} name={subjectName} />
        <p class="muted">{t(communityId === null ? 'Product' : 'Community')}</p>
        <p class="muted" dir="ltr">
          {url}
        </p>
      </>
    ),
  },
  {
    heading: phrase('Last delivery'),
    cell: ({ lastDelivery }) =>
      lastDelivery === undefined ? (
        <span class="muted">{t('None yet')}</span>
      ) : (
        <div>
          <Time at={lastDelivery.lastAttempt?.attemptedAt ?? lastDelivery.createdAt} />
          <p class="muted">
            <span {...UNTRANSLATED}>{lastDelivery.type}</span>:{' '}
            <ResponseStatus attempt={lastDelivery.lastAttempt} />
          </p>
        </div>
      ),
  },
  { heading: phrase('Failed'), isNumeric: true, cell: ({ failed }) => <Count value={failed} /> },
  { heading: phrase('Status'), cell: (webhook) => <HealthPill webhook={webhook} /> },
];

export function developerWebhooksPage(props: PageProps & { webhooks: ShownList<WebhookRow> }): Page {
  const { webhooks } = props;
  return renderAreaPage({
    ...props,
    ...inDeveloper(WEBHOOKS_HOME),
    title: t('Your webhooks'),
    heading: t('Webhooks'),
    lead: t(
      'The service calls your server about events in communities that you own and products that you sell.',
    ),
    children: (
      <ListPanel
        id="webhooks"
        heading={t('Endpoints')}
        add={{ href: `${WEBHOOKS_HOME}/new`, label: t('Create webhook') }}
        label={t('Webhooks')}
        columns={WEBHOOK_COLUMNS}
        list={webhooks}
        empty={{
          title: t('You have no webhooks.'),
          text: t('A webhook sends your server an event when a payment completes or a membership changes.'),
        }}
        noMore={t('There are no more webhooks.')}
        path={WEBHOOKS_HOME}
        first={phrase('first webhooks')}
      />
    ),
  });
}

/** Webhook to edit, or the communities and products that a new webhook can belong to. */
type WebhookSubject = { id: string } | { subjects: readonly Option[] };

export const WEBHOOK = webhookForm({ subjects: [] });

/** Returns the form as a page shows it. Only a new webhook has a subject; only an existing one replaces its secret. */
function webhookForm(of: WebhookSubject) {
  const subject = select({
    label: phrase('Events from'),
    hint: phrase("The webhook receives all five event types. Your endpoint ignores those it doesn't need."),
    options: 'subjects' in of ? of.subjects : [],
  });
  const { url, rotateSecret } = controlsOf(webhookRecords);
  const hidden = { render: () => null };
  return defineForm({
    /** `community:` or `product:` and an id. */
    subject: 'subjects' in of ? subject : { ...subject, ...hidden },
    url,
    rotateSecret: 'id' in of ? rotateSecret : { ...rotateSecret, ...hidden },
  });
}

export function developerWebhookFormPage(
  props: PageProps & {
    values: FormValues<typeof WEBHOOK>;
    submission: string;
    of: WebhookSubject;
  },
): Page {
  const { of } = props;
  const isNew = 'subjects' in of;
  const href = isNew ? WEBHOOKS_HOME : webhookPath(of.id);
  const place = {
    ...props,
    title: t(isNew ? 'Create a webhook' : 'Edit webhook'),
    back: { href, label: t(isNew ? 'Webhooks' : 'Webhook') },
  };
  if (!isNew || of.subjects.length > 0) {
    const submit = t(isNew ? 'Create webhook' : 'Save and show secret');
    return developerFormPage(WEBHOOKS_HOME, { ...place, submit, children: webhookForm(of).fields(props) });
  }
  return renderAreaPage({
    ...place,
    frame: props.frame,
    ...inDeveloper(WEBHOOKS_HOME),
    parent: place.back,
    children: (
      <Panel>
        <EmptyState
          title={t('You have no community or product yet')}
          text={t(
            'A webhook belongs to a community or a product, and you have neither. Create one in the seller area first.',
          )}
          action={{ href: '/seller', label: t('Open the seller area') }}
        />
      </Panel>
    ),
  });
}

interface WebhookPageProps extends PageProps {
  webhook: ListedWebhook;
  signatureHeader: string;
  secret?: string;
  deliveries: readonly WebhookDelivery[];
  hasOlder: boolean;
}

export function developerWebhookPage(props: WebhookPageProps): Page {
  const { webhook } = props;
  const health = webhookHealth(webhook);
  return renderAreaPage({
    ...props,
    ...inDeveloper(WEBHOOKS_HOME),
    title: t('Webhook of {name}', { name: webhook.subjectName }),
    heading: <bdi>{webhook.subjectName}</bdi>,
    lead: t(
      webhook.communityId === null
        ? 'Sends the events of this product to your server.'
        : 'Sends the events of this community to your server.',
    ),
    parent: 'section',
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
        <Panel id="deliveries" heading={t('Recent deliveries')}>
          <Table
            label={t('Recent deliveries')}
            columns={DELIVERY_COLUMNS}
            rows={props.deliveries}
            empty={
              <EmptyState
                title={t('There are no events yet.')}
                text={t('Payments and changes of memberships appear here, with the response of your server.')}
              />
            }
          />
          {props.hasOlder && (
            <p class="muted">{t('Older deliveries are not listed. We delete them after a month.')}</p>
          )}
        </Panel>
      </>
    ),
  });
}

function Endpoint({ webhook, deliveries }: WebhookPageProps) {
  const last = deliveries.find(({ lastAttempt }) => lastAttempt !== undefined)?.lastAttempt;
  const facts = {
    [t('Status')]: <HealthPill webhook={webhook} />,
    [t('URL')]: <CopyText label={t('URL')} value={webhook.url} />,
    [t('Events from')]: (
      <>
        {t(webhook.communityId === null ? 'Product' : 'Community')} <bdi>{webhook.subjectName}</bdi>
      </>
    ),
    [t('Created')]: <Time at={webhook.createdAt} precision="date" />,
    [t('Last attempt')]: last === undefined ? t('None yet') : <Time at={last.attemptedAt} />,
    [t('Pending')]: <Count value={webhook.pending} />,
    [t('Failed')]: <Count value={webhook.failed} />,
  };
  return (
    <Panel
      id="endpoint"
      heading={t('Endpoint')}
      actions={<ButtonLink isSmall href={`${webhookPath(webhook.id)}/edit`} label={t('Edit')} />}
    >
      <Facts facts={facts} />
      <Actions webhook={webhook} />
    </Panel>
  );
}

function Actions({ webhook }: { webhook: ListedWebhook }) {
  const path = webhookPath(webhook.id);
  const health = webhookHealth(webhook);
  return (
    <div class="panel-actions">
      {(health === 'off' || health === 'paused') && (
        <form method="post" action={`${path}/resume`}>
          <AccountField />
          <Button kind="primary" isSmall>
            {t(health === 'off' ? 'Enable' : 'Resume')}
          </Button>
        </form>
      )}
      {health !== 'off' && (
        <form method="post" action={`${path}/switch-off`}>
          <AccountField />
          <Button isSmall>{t('Disable')}</Button>
        </form>
      )}
      <ButtonLink kind="danger" isSmall href={`${path}/delete`} label={t('Delete')} />
    </div>
  );
}

const DELIVERY_COLUMNS: readonly Column<WebhookDelivery>[] = [
  {
    heading: phrase('Event'),
    cell: ({ id, type, createdAt }) => (
      <a href={deliveryPath(id)}>
        <span {...UNTRANSLATED}>{type}</span>
        <span class="visually-hidden"> {t('of {date}', { date: <Time at={createdAt} /> })}</span>
      </a>
    ),
  },
  { heading: phrase('Created'), cell: ({ createdAt }) => <Time at={createdAt} /> },
  { heading: phrase('Response'), cell: ({ lastAttempt }) => <ResponseStatus attempt={lastAttempt} /> },
  {
    heading: phrase('Attempts'),
    isNumeric: true,
    cell: ({ attemptCount }) => <Count value={attemptCount} />,
  },
  { heading: phrase('Status'), cell: (delivery) => <DeliveryPill delivery={delivery} /> },
];

function WebhookSecret({ webhook, secret, signatureHeader }: WebhookPageProps) {
  const path = webhookPath(webhook.id);
  return (
    <Panel
      id="signing-secret"
      heading={t('Signing secret')}
      actions={
        secret === undefined ? (
          <form method="post" action={`${path}/secret#signing-secret`}>
            <AccountField />
            <Button isSmall>{t('Reveal secret')}</Button>
          </form>
        ) : (
          <ButtonLink isSmall href={`${path}#signing-secret`} label={t('Hide secret')} />
        )
      }
    >
      {secret !== undefined && <CopyField label={t('Secret')} value={secret} isSecret />}
      <p class="muted">
        {t(
          'Each request has the header {header}: the HMAC-SHA256 of the raw body, in lower-case hex. The key is the secret as a literal string of 64 characters. Verify it before you parse the JSON. To replace the secret, edit the webhook.',
          { header: <code {...UNTRANSLATED}>{signatureHeader}</code> },
        )}
      </p>
    </Panel>
  );
}

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
    secretLabel: t('Signing secret'),
    secret: shown.secret,
    lead: t('Copy the secret to your server. You can reveal it again on the page of the webhook.'),
    notes: [
      t(
        'Each request has the header {header}: the HMAC-SHA256 of the raw body in lower-case hex. The key is the literal string of 64 characters.',
        { header: signature },
      ),
      t('Verify the signature before you parse the JSON. Deduplicate on {header}.', { header: eventId }),
    ],
    done: { href: webhookPath(webhook.id), label: t('Continue to the webhook') },
  });
}
