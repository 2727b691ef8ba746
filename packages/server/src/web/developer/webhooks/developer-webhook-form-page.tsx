import { type AreaFrame, renderAreaPage } from '../../ui/frame/area-page.js';
import type { Page } from '../../ui/frame/site.js';
import { AccountField } from '../../ui/parts/account-field.js';
import { Button, ButtonLink } from '../../ui/parts/button.js';
import { EmptyState } from '../../ui/parts/empty-state.js';
import type { FormError } from '../../ui/parts/error-summary.js';
import { SelectField, Switch, TextField } from '../../ui/parts/form-field.js';
import { Panel } from '../../ui/parts/panel.js';
import { DEVELOPER_SECTIONS } from '../frame/developer-sections.js';

/** Raw values of the form of a webhook. */
export interface WebhookFields {
  url: string;
  /** `community:` or `product:` and an id. Only the creation has this field. */
  subject: string;
  /** True to replace the secret of an existing webhook. */
  rotateSecret: boolean;
}

export interface DeveloperWebhookFormPageProps {
  frame: AreaFrame;
  fields: WebhookFields;
  /** Id of the form, so that it is processed only once. */
  submission: string;
  /** Webhook to edit, or the communities and products that a new webhook can belong to. */
  of: { id: string } | { subjects: readonly { value: string; label: string }[] };
  errors?: readonly FormError[] | undefined;
}

/** Renders the form of a webhook: `POST /developer/webhooks`, or `POST /developer/webhooks/{id}` for an existing one. */
export function developerWebhookFormPage(props: DeveloperWebhookFormPageProps): Page {
  const { frame, of, errors } = props;
  const isNew = 'subjects' in of;
  const back = isNew ? '/developer/webhooks' : `/developer/webhooks/${of.id}`;
  return renderAreaPage({
    frame,
    area: 'developer',
    sections: DEVELOPER_SECTIONS,
    section: '/developer/webhooks',
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
        <WebhookForm {...props} action={back} />
      ),
  });
}

function WebhookForm({ action, ...props }: DeveloperWebhookFormPageProps & { action: string }) {
  const { frame, fields, of, errors } = props;
  const isNew = 'subjects' in of;
  return (
    <form class="panel form" method="post" action={action}>
      <AccountField account={frame.account} />
      <input type="hidden" name="submission" value={props.submission} />
      {isNew && (
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
      {!isNew && (
        <Switch
          name="rotateSecret"
          label="Replace the signing secret"
          hint="The old secret stops signing at once. If you leave this off, saving shows the current secret."
          checked={fields.rotateSecret}
          errors={errors}
        />
      )}
      <div class="form-actions">
        <Button kind="primary">{isNew ? 'Create webhook' : 'Save and show secret'}</Button>
        <ButtonLink kind="quiet" href={action}>
          Cancel
        </ButtonLink>
      </div>
    </form>
  );
}
