import { type ServiceNames, webhookHeadersOf } from '@latchkey/contract/constants';
import type { AreaFrame } from '../../ui/frame/area-page.js';
import type { Page } from '../../ui/frame/site.js';
import { developerSecretPage } from '../frame/developer-secret-page.js';
import { WEBHOOKS_HOME, webhookPath } from './own-webhook.js';

interface WebhookSecret {
  frame: AreaFrame;
  webhook: { id: string; url: string };
  secret: string;
  title: string;
}

/** Page that shows the signing secret of a webhook after it was created or saved. */
export function webhookSecretPage(
  { serviceNames }: { readonly serviceNames: ServiceNames },
  { frame, webhook, secret, title }: WebhookSecret,
): Page {
  const { signature, eventId } = webhookHeadersOf(serviceNames);
  return developerSecretPage({
    frame,
    section: WEBHOOKS_HOME,
    title,
    subject: webhook.url,
    secretLabel: 'Signing secret',
    secret,
    lead: 'Copy the secret to your server. You can reveal it again on the page of the webhook.',
    notes: [
      `Each request has the header ${signature}: the HMAC-SHA256 of the raw body in lower-case hex. The key is the literal string of 64 characters.`,
      `Verify the signature before you parse the JSON. Deduplicate on ${eventId}.`,
    ],
    done: { href: webhookPath(webhook.id), label: 'Continue to the webhook' },
  });
}
