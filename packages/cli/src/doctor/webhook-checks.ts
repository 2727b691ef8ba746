import type { AttemptEntry } from '@latchkey/sandbox';
import type { FindingCode } from './findings.js';
import type { RegisteredWebhook, Registry } from './registry.js';
import type { SiteTarget } from './site-target.js';

/** Checks the site's webhooks in the sandbox's records. With `sendEvent`, first sends an event to each of them. */
export async function webhookChecks(target: SiteTarget): Promise<void> {
  const { registry, sendEvent } = target.input;
  if (registry === undefined) return;
  for (const webhook of await ownWebhooks(target, registry)) {
    if (!webhook.isActive || webhook.pausedAt !== null) {
      target.report('webhook-paused', {
        where: webhook.url,
        meaning: `The webhook ${webhook.id} is ${webhook.isActive ? 'paused, because deliveries failed for days' : 'inactive'}. It receives no new events.`,
        action: 'Enable it in the developer area. Pending deliveries are then sent.',
        fix: { kind: 'enable-webhook', webhookId: webhook.id },
      });
      continue;
    }
    if (sendEvent) await registry.sendEvent(webhook);
    const newest = await registry.newestDelivery(webhook);
    if (newest !== undefined) reportDelivery(target, webhook, newest);
  }
}

/** Returns the site's webhooks: those that send to it, and the one with the site's secret. */
async function ownWebhooks(target: SiteTarget, registry: Registry): Promise<readonly RegisteredWebhook[]> {
  const { webhook: url, webhookSecret } = target.input;
  const webhooks = await registry.webhooks();
  const sentHere = webhooks.filter((webhook) =>
    url === undefined ? originOf(webhook.url) === target.page.url.origin : webhook.url === url,
  );
  if (url === undefined) return sentHere;
  if (webhookSecret === undefined) {
    if (sentHere.length === 0)
      target.report('webhook-not-registered', {
        where: url,
        meaning: 'No webhook of the sandbox sends to this address.',
        action:
          'Register it in the developer area. With LATCHKEY_WEBHOOK_SECRET, the doctor finds the webhook, and --fix changes its URL.',
      });
    return sentHere;
  }
  const signedById = await registry.webhookWithSecret(webhookSecret);
  const signedBy = webhooks.find(({ id }) => id === signedById);
  if (signedBy === undefined) {
    target.report('webhook-wrong-secret', {
      where: url,
      meaning: 'No webhook of the sandbox has the secret in LATCHKEY_WEBHOOK_SECRET.',
      action:
        'Copy the 64 hex characters of the secret from the developer area, without white space. The key is the text, and not its bytes.',
    });
    return sentHere;
  }
  if (signedBy.url === url) return sentHere;
  target.report('webhook-elsewhere', {
    where: url,
    meaning: `The webhook ${signedBy.id} with this secret sends to ${signedBy.url}.`,
    action: `Change its URL to ${url}.`,
    fix: { kind: 'set-webhook-url', webhookId: signedBy.id, url },
  });
  return [];
}

/** Explains the endpoint's response to a signed delivery, assuming the kit's `webhooks()`. */
function reportDelivery(
  target: SiteTarget,
  { url }: RegisteredWebhook,
  { status, failure }: Pick<AttemptEntry, 'status' | 'failure'>,
): void {
  const report = (code: FindingCode, meaning: string, action: string) =>
    target.report(code, { where: url, meaning: `The newest delivery failed: ${meaning}`, action });
  if (status === null)
    report(
      'webhook-unreachable',
      failure ?? 'no answer.',
      'Check that the server runs, and that the service reaches this address.',
    );
  else if (status === 404 || status === 405)
    report(
      'webhook-not-found',
      `status ${status}.`,
      "Add app.all('/webhooks', auth.webhooks(…)) at this path, or change the URL of the webhook.",
    );
  else if ([400, 401, 403].includes(status))
    report(
      'webhook-wrong-secret',
      `status ${status}. The endpoint rejects the signature.`,
      'Give webhooks() the secret of this webhook, and the same serviceNames as latchkey(). The log of your server names the reason.',
    );
  else if (status === 500)
    report(
      'webhook-body-parsed',
      'status 500. A body parser has consumed the body before webhooks(), or a handler threw an error.',
      'Add the route of webhooks() above app.use(express.json()). The log of your server names the reason.',
    );
  else if (status < 200 || status >= 300)
    report(
      'webhook-failing',
      `status ${status}.`,
      status >= 300 && status < 400
        ? 'Register the final address: deliveries follow no redirect.'
        : 'Look for the reason in the log of your server.',
    );
}

function originOf(url: string): string | undefined {
  return URL.canParse(url) ? new URL(url).origin : undefined;
}
