import { uuidField } from '@latchkey/contract';
import { checkEndpointUrl } from '../../../domain/webhooks/endpoint-url.js';
import type { FormError } from '../../ui/error-summary.js';
import type { WebhookFields } from './developer-webhook-form-page.js';

/** What a webhook is for. */
type WebhookSubject = { communityId: string } | { productId: string };

/** A form that describes a webhook well, or everything that is wrong with it. */
type ReadWebhook =
  | { kind: 'valid'; url: string; subject: WebhookSubject }
  | { kind: 'invalid'; errors: FormError[] };

/** What was typed, as it was. */
export function webhookFieldsOf(form: URLSearchParams): WebhookFields {
  return {
    url: form.get('url') ?? '',
    subject: form.get('subject') ?? '',
    rotateSecret: form.has('rotateSecret'),
  };
}

/** Reads the form of a new webhook. Whether the subject is the person's own is asked of the database. */
export function readWebhookFields(fields: WebhookFields, options: { allowLoopback: boolean }): ReadWebhook {
  const checked = checkEndpointUrl(fields.url, options);
  const errors: FormError[] = checked.kind === 'invalid' ? [{ field: 'url', message: checked.message }] : [];
  const subject = subjectOf(fields.subject);
  if (subject === undefined) errors.push(NO_SUBJECT);
  return subject === undefined || checked.kind === 'invalid'
    ? { kind: 'invalid', errors }
    : { kind: 'valid', url: checked.url, subject };
}

/** The subject is none, or not the person's own. */
export const NO_SUBJECT: FormError = {
  field: 'subject',
  message: 'Choose one of the communities that you own, or of your products.',
};

function subjectOf(text: string): WebhookSubject | undefined {
  const [, kind, id] = /^(community|product):(.*)$/.exec(text) ?? [];
  const uuid = uuidField.safeParse(id);
  if (!uuid.success) return undefined;
  return kind === 'community' ? { communityId: uuid.data } : { productId: uuid.data };
}
