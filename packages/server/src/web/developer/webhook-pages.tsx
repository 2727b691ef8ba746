import type { WebhookDelivery } from '../../domain/webhooks/log/deliveries.js';
import type { ListedWebhook } from '../../domain/webhooks/registration/webhooks.js';
import { type AreaFrame, renderAreaPage } from '../ui/frame/area-page.js';
import type { Page } from '../ui/frame/send-page.js';
import { SelectField, Switch, TextField } from '../ui/parts/form-field.js';
import { ButtonLink, type FormError, PostForm } from '../ui/parts/form-parts.js';
import { ListPanel, type ShownList } from '../ui/parts/list-panel.js';
import { EmptyState, Panel } from '../ui/parts/panel.js';
import type { Column } from '../ui/parts/table.js';
import { Count, Time } from '../ui/parts/values.js';
import { inDeveloper, WEBHOOKS_HOME } from './developer-area.js';
import { HealthPill, ResponseStatus, webhookPath } from './webhook-state.js';

/** A webhook in its owner's list. It has no delivery before the first event. */
type WebhookRow = ListedWebhook & { lastDelivery: WebhookDelivery | undefined };

const COLUMNS: readonly Column<WebhookRow>[] = [
  {
    heading: 'Events from',
    isRowHeading: true,
    cell: ({ id, subjectName, communityId, url }) => (
      <>
        <a href={webhookPath(id)}>
          <bdi>{subjectName}</bdi>
        </a>
        <p class="muted">{communityId === null ? 'Product' : 'Community'}</p>
        <p class="muted" dir="ltr">
          {url}
        </p>
      </>
    ),
  },
  {
    heading: 'Last delivery',
    cell: ({ lastDelivery }) =>
      lastDelivery === undefined ? (
        <span class="muted">None yet</span>
      ) : (
        <div>
          <Time at={lastDelivery.lastAttempt?.attemptedAt ?? lastDelivery.createdAt} />
          <p class="muted">
            {lastDelivery.type}: <ResponseStatus attempt={lastDelivery.lastAttempt} />
          </p>
        </div>
      ),
  },
  { heading: 'Failed', isNumeric: true, cell: ({ failed }) => <Count value={failed} /> },
  { heading: 'Status', cell: (webhook) => <HealthPill webhook={webhook} /> },
];

/** Renders the user's webhooks with their states. */
export function developerWebhooksPage(props: {
  frame: AreaFrame;
  webhooks: ShownList<WebhookRow>;
  notice?: string | undefined;
}): Page {
  const { frame, webhooks, notice } = props;
  return renderAreaPage({
    ...inDeveloper(frame, WEBHOOKS_HOME),
    title: 'Your webhooks',
    heading: 'Webhooks',
    lead: 'The service calls your server about events in communities that you own and products that you sell.',
    notice,
    children: (
      <ListPanel
        id="webhooks"
        heading="Endpoints"
        actions={
          webhooks.rows.length > 0 && (
            <ButtonLink kind="primary" isSmall href={`${WEBHOOKS_HOME}/new`} label="Create webhook" />
          )
        }
        label="Webhooks"
        columns={COLUMNS}
        list={webhooks}
        empty={{
          title: 'You have no webhooks.',
          text: 'A webhook sends your server an event when a payment completes or a membership changes.',
          action: { href: `${WEBHOOKS_HOME}/new`, label: 'Create webhook' },
        }}
        noMore="There are no more webhooks."
        path={WEBHOOKS_HOME}
        first="first webhooks"
      />
    ),
  });
}

/** Returns the raw values of the form of a webhook. Only a new one has a subject; only an existing one replaces its secret. */
export function webhookFieldsOf(form: URLSearchParams) {
  return {
    url: form.get('url') ?? '',
    /** `community:` or `product:` and an id. */
    subject: form.get('subject') ?? '',
    rotateSecret: form.has('rotateSecret'),
  };
}

interface FormProps {
  frame: AreaFrame;
  fields: ReturnType<typeof webhookFieldsOf>;
  /** Id of the form, so that it is processed only once. */
  submission: string;
  /** Webhook to edit, or the communities and products that a new webhook can belong to. */
  of: { id: string } | { subjects: readonly { value: string; label: string }[] };
  errors?: readonly FormError[];
}

/** Renders the form of a webhook: `POST /developer/webhooks`, or `POST /developer/webhooks/{id}` for an existing one. */
export function developerWebhookFormPage(props: FormProps): Page {
  const { frame, of, errors } = props;
  const isNew = 'subjects' in of;
  const back = isNew ? WEBHOOKS_HOME : webhookPath(of.id);
  return renderAreaPage({
    ...inDeveloper(frame, WEBHOOKS_HOME),
    title: isNew ? 'Create a webhook' : 'Edit webhook',
    parent: { href: back, label: isNew ? 'Webhooks' : 'Webhook' },
    errors,
    children:
      isNew && of.subjects.length === 0 ? (
        <Panel>
          <EmptyState
            title="You have no community or product yet"
            text="A webhook belongs to a community or a product, and you have neither. Create one in the seller area first."
            action={{ href: '/seller', label: 'Open the seller area' }}
          />
        </Panel>
      ) : (
        <PostForm
          isPanel
          action={back}
          account={frame.account}
          submission={props.submission}
          submit={isNew ? 'Create webhook' : 'Save and show secret'}
          cancelHref={back}
        >
          <Fields {...props} />
        </PostForm>
      ),
  });
}

function Fields({ fields, of, errors }: FormProps) {
  return (
    <>
      {'subjects' in of && (
        <SelectField
          name="subject"
          label="Events from"
          hint="The webhook receives all five event types. Your endpoint ignores those it doesn't need."
          value={fields.subject}
          options={of.subjects}
          errors={errors}
        />
      )}
      <TextField
        name="url"
        label="Endpoint"
        hint="https URL that receives the events. It must respond with a 2xx status within ten seconds."
        value={fields.url}
        spellcheck={false}
        errors={errors}
      />
      {'id' in of && (
        <Switch
          name="rotateSecret"
          label="Replace the signing secret"
          hint="The old secret stops signing at once. If you leave this off, saving shows the current secret."
          checked={fields.rotateSecret}
          errors={errors}
        />
      )}
    </>
  );
}
