import { uuidField } from '@latchkey/contract';
import { checkEndpointUrl } from '../../../domain/webhooks/endpoint/endpoint-address.js';
import type { FormError } from '../../ui/parts/error-summary.js';
import type { WebhookFields } from './developer-webhook-form-page.js';

/** Community or product that a webhook belongs to. */
type WebhookSubject = { communityId: string } | { productId: string };

/** Validated form of a webhook, or its errors. */
type ReadWebhook =
  | { kind: 'valid'; url: string; subject: WebhookSubject }
  | { kind: 'invalid'; errors: FormError[] };

export function webhookFieldsOf(form: URLSearchParams): WebhookFields {
  return {
    url: form.get('url') ?? '',
    subject: form.get('subject') ?? '',
    rotateSecret: form.has('rotateSecret'),
  };
}

/** Validates the form of a new webhook. The database checks later that the subject belongs to the user. */
export function readWebhookFields(fields: WebhookFields, options: { allowLoopback: boolean }): ReadWebhook {
  const checked = checkEndpointUrl(fields.url, options);
  const errors: FormError[] = checked.kind === 'invalid' ? [{ field: 'url', message: checked.message }] : [];
  const subject = subjectOf(fields.subject);
  if (subject === undefined) errors.push(NO_SUBJECT);
  return subject === undefined || checked.kind === 'invalid'
    ? { kind: 'invalid', errors }
    : { kind: 'valid', url: checked.url, subject };
}

/** Error for a missing subject, or one of another user. */
export const NO_SUBJECT: FormError = {
  field: 'subject',
  message: 'Choose a community that you own or one of your products.',
};

function subjectOf(text: string): WebhookSubject | undefined {
  const [, kind, id] = /^(community|product):(.*)$/.exec(text) ?? [];
  const uuid = uuidField.safeParse(id);
  if (!uuid.success) return undefined;
  return kind === 'community' ? { communityId: uuid.data } : { productId: uuid.data };
}
