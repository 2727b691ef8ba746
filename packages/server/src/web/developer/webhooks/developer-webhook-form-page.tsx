import { AccountField, type AreaFrame, renderAreaPage } from '../../ui/area-page.js';
import type { FormError } from '../../ui/error-summary.js';
import { SelectField, Switch, TextField } from '../../ui/form-field.js';
import type { Page } from '../../ui/site.js';
import { DEVELOPER_SECTIONS } from '../frame/developer-sections.js';

/** What the form of a webhook holds, as it was typed. */
export interface WebhookFields {
  url: string;
  /** `community:` or `product:` and an id; chosen when the webhook is created. */
  subject: string;
  /** Whether the secret is to be replaced, of a webhook that is there already. */
  rotateSecret: boolean;
}

/** Props of {@link developerWebhookFormPage}. */
export interface DeveloperWebhookFormPageProps {
  frame: AreaFrame;
  fields: WebhookFields;
  /** Names the form, so that it is taken once. */
  submission: string;
  /** The webhook that is saved anew, or what a new one can be for. */
  of: { id: string } | { subjects: readonly { value: string; label: string }[] };
  errors?: readonly FormError[] | undefined;
}

/** Asks for a webhook's settings: `POST /developer/webhooks`, or `POST /developer/webhooks/{id}` to save one anew. */
export function developerWebhookFormPage(props: DeveloperWebhookFormPageProps): Page {
  const { frame, fields, of, errors } = props;
  const isNew = 'subjects' in of;
  const back = isNew ? '/developer/webhooks' : `/developer/webhooks/${of.id}`;
  return renderAreaPage({
    frame,
    area: 'developer',
    sections: DEVELOPER_SECTIONS,
    section: '/developer/webhooks',
    title: isNew ? 'Create a webhook' : 'Save a webhook anew',
    parent: { href: back, label: isNew ? 'Webhooks' : 'The webhook' },
    errors,
    children:
      isNew && of.subjects.length === 0 ? (
        <div class="panel">
          <p>
            You own no community and sell no product, so nothing happens that a webhook could hear of. Create
            one <a href="/seller">in the seller area</a> first.
          </p>
        </div>
      ) : (
        <form class="panel form" method="post" action={back}>
          <AccountField account={frame.account} />
          <input type="hidden" name="submission" value={props.submission} />
          {isNew && (
            <SelectField
              name="subject"
              label="What it hears of"
              hint="Every event there, of all five types. Your endpoint picks what it needs."
              value={fields.subject}
              options={of.subjects}
              errors={errors}
            />
          )}
          <TextField
            name="url"
            label="Endpoint"
            hint="The https address that events are posted to. It has ten seconds to answer with a 2xx status."
            value={fields.url}
            spellcheck={false}
            errors={errors}
          />
          {!isNew && (
            <Switch
              name="rotateSecret"
              label="Replace the signing secret"
              hint="The old one signs nothing any more. Left off, saving shows the secret that the webhook has."
              checked={fields.rotateSecret}
              errors={errors}
            />
          )}
          <div class="form-actions">
            <button class="button primary" type="submit">
              {isNew ? 'Create the webhook' : 'Save, and show the secret'}
            </button>
            <a href={back}>Cancel</a>
          </div>
        </form>
      ),
  });
}
