import Stripe from 'stripe';
import { WEBHOOK_EVENTS } from './events.js';
import { connectStripe, type StripeOptions } from './stripe-options.js';

const WEBHOOK_PATH = '/payments/stripe/webhook';

/** The result of one check of `checkStripe`. */
export interface StripeFinding {
  readonly status: 'ok' | 'warning' | 'problem';
  /** What was found. */
  readonly message: string;
  /** What to change. Absent if it's ok. */
  readonly fix?: string;
}

/**
 * Checks the values against Stripe: the key and its account, the webhook endpoint of a server, its events and its
 * version. It only reads. Only a webhook shows whether the webhook secret belongs to the endpoint: see `signedProbe`.
 *
 * @param baseUrl address of the server.
 */
export async function checkStripe(
  options: StripeOptions,
  baseUrl: string,
): Promise<readonly StripeFinding[]> {
  const stripe = connectStripe(options);
  try {
    const account = await checkAccount(stripe, options);
    return [...account, ...(await checkEndpoint(stripe, new URL(WEBHOOK_PATH, baseUrl).href))];
  } catch (error) {
    if (!(error instanceof Stripe.errors.StripeAuthenticationError)) throw error;
    return [problem('Stripe doesn’t accept the secret key.', 'Copy it again from Developers > API keys.')];
  }
}

/** Returns a webhook that reports nothing, signed with the secret. A server with the same secret answers it with 200. */
export function signedProbe({ webhookSecret, mode }: Pick<StripeOptions, 'webhookSecret' | 'mode'>) {
  const event = {
    ...{ id: 'evt_latchkey_doctor', object: 'event', type: 'latchkey.doctor', livemode: mode === 'live' },
    ...{ created: Math.floor(Date.now() / 1000), data: { object: {} } },
  };
  const body = JSON.stringify(event);
  const signature = new Stripe('sk_test_unused').webhooks.generateTestHeaderString({
    payload: body,
    secret: webhookSecret,
  });
  return {
    path: WEBHOOK_PATH,
    body,
    headers: { 'content-type': 'application/json', 'stripe-signature': signature },
  };
}

async function checkAccount(stripe: Stripe, { mode }: StripeOptions): Promise<StripeFinding[]> {
  try {
    const account = await stripe.accounts.retrieveCurrent();
    const name = account.settings?.dashboard.display_name ?? account.id;
    const canCharge = account.charges_enabled || mode === 'test';
    return [
      { status: 'ok', message: `The secret key belongs to the Stripe account "${name}", in ${mode} mode.` },
      ...(canCharge
        ? []
        : [problem('The account can’t take payments yet.', 'Finish the activation in Stripe’s dashboard.')]),
    ];
  } catch (error) {
    if (error instanceof Stripe.errors.StripePermissionError)
      return [
        warning(
          'The restricted key may not read the account.',
          'Not needed to sell; it lets this check see more.',
        ),
      ];
    throw error;
  }
}

async function checkEndpoint(stripe: Stripe, url: string): Promise<StripeFinding[]> {
  const endpoints: Stripe.WebhookEndpoint[] = [];
  try {
    for await (const endpoint of stripe.webhookEndpoints.list({ limit: 100 })) endpoints.push(endpoint);
  } catch (error) {
    if (!(error instanceof Stripe.errors.StripePermissionError)) throw error;
    return [
      warning(
        'The restricted key may not read webhook endpoints.',
        'Allow it to read them, and run this again.',
      ),
    ];
  }
  const endpoint = endpoints.find((one) => one.url === url);
  const events = WEBHOOK_EVENTS.join(', ');
  if (endpoint === undefined)
    return [
      problem(`No webhook endpoint in Stripe has the address ${url}.`, `Add one with the events ${events}.`),
    ];
  const missing = endpoint.enabled_events.includes('*')
    ? []
    : WEBHOOK_EVENTS.filter((type) => !endpoint.enabled_events.includes(type));
  const version = endpoint.api_version ?? 'the account’s default';
  return [
    endpoint.status === 'enabled'
      ? { status: 'ok', message: `The webhook endpoint ${url} is enabled.` }
      : problem(
          `The webhook endpoint ${url} is disabled.`,
          'Enable it in Stripe under Developers > Webhooks.',
        ),
    missing.length === 0
      ? { status: 'ok', message: `It sends all ${WEBHOOK_EVENTS.length} events.` }
      : problem(`It doesn’t send ${missing.join(', ')}.`, 'Add these events to the endpoint.'),
    version === Stripe.API_VERSION
      ? { status: 'ok', message: `Its API version is ours, ${version}.` }
      : warning(
          `Its API version is ${version}, and ours is ${Stripe.API_VERSION}.`,
          'It works; a new endpoint gets the newer one.',
        ),
  ];
}

function problem(message: string, fix: string): StripeFinding {
  return { status: 'problem', message, fix };
}

function warning(message: string, fix: string): StripeFinding {
  return { status: 'warning', message, fix };
}
