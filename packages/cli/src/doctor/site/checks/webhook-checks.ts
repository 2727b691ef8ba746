import type { Finding } from '../findings/finding.js';
import type { DeliveryResult, RegisteredWebhook, Registry } from '../registry/registry.js';
import type { SiteTarget } from '../target/site-target.js';

/** Examines the webhooks of the site with the records of a sandbox. `isSent` sends each of them an event first. */
export async function webhookChecks(target: SiteTarget, { isSent }: { isSent: boolean }): Promise<Finding[]> {
  const { registry } = target.input;
  if (registry === undefined) return [];
  const webhooks = await registry.webhooks();
  const { own, findings } = await ownWebhooks(target, { registry, webhooks });
  for (const webhook of own) findings.push(...(await webhookFindings(registry, webhook, isSent)));
  return findings;
}

/** Webhooks of the site: those that send to it, and the one that has the site's secret. */
async function ownWebhooks(
  target: SiteTarget,
  { registry, webhooks }: { registry: Registry; webhooks: readonly RegisteredWebhook[] },
): Promise<{ own: RegisteredWebhook[]; findings: Finding[] }> {
  const { webhook: url, webhookSecret } = target.input;
  const sentHere = webhooks.filter((webhook) =>
    url === undefined ? originOf(webhook.url) === target.page.url.origin : webhook.url === url,
  );
  if (url === undefined || webhookSecret === undefined) {
    const isMissing = url !== undefined && sentHere.length === 0;
    return { own: sentHere, findings: isMissing ? [notRegistered(url)] : [] };
  }
  const signedById = await registry.webhookWithSecret(webhookSecret);
  const signedBy = webhooks.find(({ id }) => id === signedById);
  if (signedBy === undefined) return { own: sentHere, findings: [unknownSecret(url)] };
  if (signedBy.url === url) return { own: sentHere, findings: [] };
  return { own: [], findings: [elsewhere(signedBy, url)] };
}

function notRegistered(url: string): Finding {
  return {
    code: 'webhook-not-registered',
    where: url,
    meaning: 'No webhook of the sandbox sends to this address.',
    action:
      'Register it in the developer area. With LATCHKEY_WEBHOOK_SECRET, the doctor finds the webhook, and --fix changes its URL.',
  };
}

function unknownSecret(url: string): Finding {
  return {
    code: 'webhook-wrong-secret',
    where: url,
    meaning: 'No webhook of the sandbox has the secret in LATCHKEY_WEBHOOK_SECRET.',
    action:
      'Copy the 64 hex characters of the secret from the developer area, without white space. The key is the text, and not its bytes.',
  };
}

function elsewhere(webhook: RegisteredWebhook, url: string): Finding {
  return {
    code: 'webhook-elsewhere',
    where: url,
    meaning: `The webhook ${webhook.id} with this secret sends to ${webhook.url}.`,
    action: `Change its URL to ${url}.`,
    fix: { kind: 'set-webhook-url', webhookId: webhook.id, url },
  };
}

async function webhookFindings(
  registry: Registry,
  webhook: RegisteredWebhook,
  isSent: boolean,
): Promise<Finding[]> {
  if (!webhook.isActive || webhook.pausedAt !== null) {
    return [
      {
        code: 'webhook-paused',
        where: webhook.url,
        meaning: `The webhook ${webhook.id} is ${webhook.isActive ? 'paused, because deliveries failed for days' : 'inactive'}. It receives no new events.`,
        action: 'Enable it in the developer area. Pending deliveries are then sent.',
        fix: { kind: 'enable-webhook', webhookId: webhook.id },
      },
    ];
  }
  if (isSent) await registry.sendEvent(webhook);
  const newest = await registry.newestDelivery(webhook);
  return newest === undefined ? [] : deliveryFindings(webhook, newest);
}

/** Explains the answer of the endpoint to a signed delivery, as webhooks() of the kit answers. */
function deliveryFindings({ url }: RegisteredWebhook, { status, failure }: DeliveryResult): Finding[] {
  const report = (code: Finding['code'], meaning: string, action: string): Finding[] => [
    { code, where: url, meaning: `The newest delivery failed: ${meaning}`, action },
  ];
  if (status === null)
    return report(
      'webhook-unreachable',
      failure ?? 'no answer.',
      'Check that the server runs, and that the service reaches this address.',
    );
  if (status >= 200 && status < 300) return [];
  if (status === 404 || status === 405)
    return report(
      'webhook-not-found',
      `status ${status}.`,
      "Add app.all('/webhooks', auth.webhooks(…)) at this path, or change the URL of the webhook.",
    );
  if (status === 400 || status === 401 || status === 403) {
    return report(
      'webhook-wrong-secret',
      `status ${status}. The endpoint rejects the signature.`,
      'Give webhooks() the secret of this webhook, and the same serviceNames as latchkey(). The log of your server names the reason.',
    );
  }
  if (status === 500) {
    return report(
      'webhook-body-parsed',
      'status 500. A body parser has consumed the body before webhooks(), or a handler threw an error.',
      'Add the route of webhooks() above app.use(express.json()). The log of your server names the reason.',
    );
  }
  const redirects = status >= 300 && status < 400;
  return report(
    'webhook-failing',
    `status ${status}.`,
    redirects
      ? 'Register the final address: deliveries follow no redirect.'
      : 'Look for the reason in the log of your server.',
  );
}

function originOf(url: string): string | undefined {
  return URL.canParse(url) ? new URL(url).origin : undefined;
}
