import Stripe from 'stripe';

/** Options of `stripePayments` and `checkStripe`. The first three are in Stripe's dashboard, under Developers. */
export interface StripeOptions {
  /** Secret key (`sk_test_…`, `sk_live_…`), or a restricted key (`rk_…`) with the permissions that the guide lists. */
  readonly secretKey: string;
  /** Signing secret of the webhook endpoint (`whsec_…`). */
  readonly webhookSecret: string;
  /** `test` or `live`. Must match the key: a live key in a test server, or a test key in a live one, is an error. */
  readonly mode: 'test' | 'live';
  /**
   * `automatic` lets Stripe Tax work out the tax. Prices include it, so buyers pay what the checkout page says.
   *
   * @default 'none'
   */
  readonly tax?: 'none' | 'automatic' | undefined;
  /** Whether Stripe also makes invoices for single payments. Subscriptions always have them. @default false */
  readonly invoices?: boolean | undefined;
  /** URL of Stripe's API, for tests with a fake on this machine. @default Stripe's */
  readonly apiUrl?: string | undefined;
}

const GUIDE = 'Run "latchkey explain stripe_settings".';
/** Timeout of one request, in milliseconds. With two retries, it stays within the server's limit of 30 seconds. */
const TIMEOUT_MS = 8_000;

/** Returns a client of Stripe's API. If the options can't work, throws an error that says how to fix them. */
export function connectStripe(options: StripeOptions): Stripe {
  const problem = problemOf(options);
  if (problem !== undefined) throw new Error(`${problem} ${GUIDE}`);
  const { secretKey, apiUrl } = options;
  return new Stripe(secretKey, {
    maxNetworkRetries: 2,
    timeout: TIMEOUT_MS,
    telemetry: false,
    ...(apiUrl !== undefined && addressOf(apiUrl)),
  });
}

function problemOf({ secretKey, webhookSecret, mode, apiUrl }: StripeOptions): string | undefined {
  if (mode !== 'test' && mode !== 'live') return `The Stripe mode is "${mode}": set it to "test" or "live".`;
  const [, kind, keyMode] = /^(sk|rk|pk)_(test|live)_\w+$/.exec(secretKey) ?? [];
  if (kind === undefined)
    return 'The Stripe secret key must begin with sk_test_, sk_live_, rk_test_ or rk_live_: copy it from Developers > API keys.';
  if (kind === 'pk')
    return 'The Stripe secret key is the publishable one (pk_…): copy the secret key next to it, which begins with sk_.';
  if (keyMode !== mode) {
    const other = mode === 'live' ? 'copy the key of live mode' : 'copy the key of test mode';
    return `The Stripe mode is "${mode}", and the secret key is for ${keyMode} mode: ${other}, or change the mode.`;
  }
  if (!/^whsec_\S+$/.test(webhookSecret))
    return 'The Stripe webhook secret must begin with whsec_: copy the signing secret of your endpoint from Developers > Webhooks.';
  if (apiUrl !== undefined && !isLoopback(apiUrl))
    return `The address of Stripe's API is ${JSON.stringify(apiUrl)}: leave it out, or use a fake on this machine.`;
  return undefined;
}

function isLoopback(text: string): boolean {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  return url !== undefined && /^(127\.0\.0\.1|localhost|\[::1\])$/.test(url.hostname);
}

function addressOf(apiUrl: string) {
  const { hostname, port, protocol } = new URL(apiUrl);
  const isHttps = protocol === 'https:';
  return {
    host: hostname,
    port: port === '' ? (isHttps ? 443 : 80) : Number(port),
    protocol: isHttps ? ('https' as const) : ('http' as const),
  };
}
