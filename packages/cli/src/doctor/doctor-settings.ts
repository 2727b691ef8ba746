import { readFileSync } from 'node:fs';
import { DEFAULT_SERVICE_NAMES, MESSENGER_USER_ID_MIN } from '@latchkey/contract/constants';
import * as z from 'zod';
import {
  origin,
  secret,
  serviceNames,
  serviceUrl,
  settingsRule,
  toggle,
  visibleText,
  webUrl,
} from '../command-line/values.js';
import { controlSettings } from '../control/control-client.js';
import { paymentRule, paymentSettings } from '../service/payment-settings.js';

const SITE = 'Your site';
const SIGN_IN = 'Sign-in';
const API_KEY = 'API key';
const WEBHOOKS = 'A captured webhook delivery';

const pageUrl = webUrl('must be an http or https URL without a password');

const fileContents = z.string().transform((path, context): Buffer => {
  try {
    return readFileSync(path);
  } catch (error) {
    const { code = 'unknown error' } = error as NodeJS.ErrnoException;
    context.addIssue({ code: 'custom', message: `cannot be read (${code})` });
    return z.NEVER;
  }
});

export const doctorSettings = z
  .object({
    service: serviceUrl.exactOptional().meta({
      placeholder: 'url',
      variable: 'LATCHKEY_SERVICE_URL',
      description: 'Base URL of the service, the same as serviceUrl of your site.',
    }),
    site: z.array(pageUrl).default([]).meta({
      group: SITE,
      placeholder: 'url',
      defaultText: 'none',
      description: 'Page of your site to examine from outside.',
    }),
    project: visibleText
      .exactOptional()
      .meta({ group: SITE, placeholder: 'folder', description: 'Folder of your project with package.json.' }),
    backend: z
      .string()
      .regex(/^\/(?!\/)/, 'must be a path such as /auth')
      .exactOptional()
      .meta({
        group: SITE,
        placeholder: 'path',
        description: 'Path of the kit, if no element of the page names it.',
      }),
    webhook: pageUrl.exactOptional().meta({
      group: SITE,
      placeholder: 'url',
      description: 'Webhook endpoint of your site. Needs a sandbox.',
    }),
    sendEvent: toggle({
      group: SITE,
      description: 'Let the sandbox send a signed event to the webhooks of your site.',
    }),
    fix: toggle({
      group: SITE,
      description: 'Change what the sandbox can change, and print it. Needs its token.',
    }),
    sandbox: controlSettings.shape.sandbox,
    serviceNames: serviceNames.default(DEFAULT_SERVICE_NAMES).meta({
      defaultText: 'svc_, X-Svc-, messenger',
      description: `Names of the service as one JSON object, the same as serviceNames of your site. Example: '{"messenger": "telegram"}'.`,
    }),
    json: toggle({ description: 'Print the report as one line of JSON.' }),
    clientId: z
      .string()
      .regex(/^oac_[\da-f]{24}$/i, 'must be oac_ and 24 hex characters')
      .exactOptional()
      .meta({ group: SIGN_IN, placeholder: 'id', description: 'Client of your site.' }),
    redirectUri: z.url('must be a URL').exactOptional().meta({
      group: SIGN_IN,
      placeholder: 'url',
      description: 'Redirect URI of your site, to check that it is registered.',
    }),
    origin: origin
      .exactOptional()
      .meta({ group: SIGN_IN, placeholder: 'origin', description: 'Origin of the pages with the widget.' }),
    community: z
      .uuid('must be a UUID')
      .exactOptional()
      .meta({ group: API_KEY, placeholder: 'id', description: 'Community to check a member of.' }),
    messengerUserId: z
      .int()
      .min(MESSENGER_USER_ID_MIN)
      .exactOptional()
      .meta({ group: API_KEY, placeholder: 'id', description: 'Messenger account of the test account.' }),
    webhookBody: fileContents
      .exactOptional()
      .meta({ group: WEBHOOKS, placeholder: 'file', description: 'File with the exact bytes of the body.' }),
    webhookSignature: visibleText
      .exactOptional()
      .meta({ group: WEBHOOKS, placeholder: 'value', description: 'Header with the signature.' }),
    webhookEventId: visibleText
      .exactOptional()
      .meta({ group: WEBHOOKS, placeholder: 'value', description: 'Header with the event id.' }),
    apiKey: secret('LATCHKEY_API_KEY', 'API key with MEMBERSHIP_READ'),
    accessToken: secret('LATCHKEY_ACCESS_TOKEN', 'Access token of a test account'),
    webhookSecret: secret(
      'LATCHKEY_WEBHOOK_SECRET',
      'Secret of the webhook that was captured, or of your site',
    ),
    token: controlSettings.shape.token.exactOptional(),
    ...paymentSettings.shape,
  })
  .check(
    paymentRule,
    settingsRule({
      reads: ['payments', 'service'],
      isMet: ({ payments, service }) => payments === undefined || service !== undefined,
      error: '--payments also needs --service (or LATCHKEY_SERVICE_URL): the base URL of your service.',
    }),
    settingsRule({
      reads: ['service', 'site', 'project'],
      isMet: ({ service, site = [], project }) =>
        service !== undefined || site.length > 0 || project !== undefined,
      error:
        '--service (or LATCHKEY_SERVICE_URL) is required: Base URL of the service. Or name a site with --site, or a project with --project.',
    }),
    settingsRule({
      reads: ['fix', 'sendEvent', 'token'],
      isMet: ({ fix, sendEvent, token }) => token !== undefined || !(fix || sendEvent),
      error:
        '--fix and --send-event need a sandbox. Set LATCHKEY_SANDBOX_TOKEN to the token that it printed at its start.',
    }),
    settingsRule({
      reads: ['site', 'fix', 'sendEvent', 'backend', 'webhook'],
      isMet: ({ site = [], fix, sendEvent, backend, webhook }) =>
        site.length > 0 || !(fix || sendEvent || backend || webhook),
      error: '--fix, --send-event, --backend and --webhook are about a site: name its page with --site.',
    }),
    settingsRule({
      reads: ['webhookBody', 'webhookSignature'],
      isMet: ({ webhookBody, webhookSignature }) =>
        (webhookBody === undefined) === (webhookSignature === undefined),
      error: '--webhook-body and --webhook-signature belong together: a delivery has both.',
    }),
  );

export type DoctorSettings = z.output<typeof doctorSettings>;

/** Returns the secrets from the environment, which no report may contain. */
export function secretsOf(settings: Omit<DoctorSettings, 'site'>): string[] {
  const { apiKey, accessToken, webhookSecret, token, stripeSecretKey, stripeWebhookSecret } = settings;
  const secrets = [apiKey, accessToken, webhookSecret, token, stripeSecretKey, stripeWebhookSecret];
  return secrets.filter((secret) => secret !== undefined);
}
