import { docsUrl } from '@latchkey/contract/constants';
import type { PaymentProvider } from '@latchkey/server';
import * as z from 'zod';
import { CommandFailure } from '../command-line/command-failure.js';
import { settingsRule, toggle } from '../command-line/values.js';

const PAYMENTS = 'Payments';

const stripeValue = (variable: string, description: string, prefix: RegExp, message: string) =>
  z
    .string()
    .regex(prefix, message)
    .exactOptional()
    .meta({ group: PAYMENTS, variable, description, isSecret: true, isVariableOnly: true });

export const paymentSettings = z.object({
  payments: z.enum(['stripe']).exactOptional().meta({
    group: PAYMENTS,
    placeholder: 'provider',
    variable: 'LATCHKEY_PAYMENTS',
    defaultText: 'none: nothing can be sold',
    description: 'Payment provider: stripe. Needs the package @latchkey/stripe.',
  }),
  stripeMode: z.enum(['test', 'live']).exactOptional().meta({
    group: PAYMENTS,
    placeholder: 'mode',
    variable: 'LATCHKEY_STRIPE_MODE',
    defaultText: 'none',
    description: 'Mode of the secret key: test or live. In test mode no money moves.',
  }),
  stripeTax: z.enum(['none', 'automatic']).default('none').meta({
    group: PAYMENTS,
    placeholder: 'tax',
    variable: 'LATCHKEY_STRIPE_TAX',
    description: 'automatic lets Stripe Tax work out the tax, which prices include.',
  }),
  stripeInvoices: toggle({
    group: PAYMENTS,
    variable: 'LATCHKEY_STRIPE_INVOICES',
    description: 'Let Stripe make invoices for single payments too. Subscriptions always have them.',
  }),
  stripeApiUrl: z.url('must be a URL').exactOptional().meta({
    group: PAYMENTS,
    placeholder: 'url',
    variable: 'LATCHKEY_STRIPE_API_URL',
    isHidden: true,
    description: 'Address of a fake of Stripe on this machine, for tests.',
  }),
  stripeSecretKey: stripeValue(
    'LATCHKEY_STRIPE_SECRET_KEY',
    'Secret key of your Stripe account, from Developers > API keys.',
    /^(?:sk|rk)_(?:test|live)_\w+$/,
    'must begin with sk_test_, sk_live_, rk_test_ or rk_live_. A key that begins with pk_ is the publishable one',
  ),
  stripeWebhookSecret: stripeValue(
    'LATCHKEY_STRIPE_WEBHOOK_SECRET',
    'Signing secret of your endpoint, from Developers > Webhooks.',
    /^whsec_\S+$/,
    'must begin with whsec_',
  ),
});

export type PaymentSettings = z.output<typeof paymentSettings>;

const NEEDED = {
  stripeSecretKey: 'LATCHKEY_STRIPE_SECRET_KEY (Developers > API keys)',
  stripeWebhookSecret: 'LATCHKEY_STRIPE_WEBHOOK_SECRET (Developers > Webhooks)',
  stripeMode: '--stripe-mode or LATCHKEY_STRIPE_MODE (test or live)',
} as const;

export const paymentRule = settingsRule<Partial<PaymentSettings>>({
  reads: ['payments', 'stripeSecretKey', 'stripeWebhookSecret', 'stripeMode'],
  isMet: (settings) => settings.payments === undefined || missingValues(settings).length === 0,
  error: (settings) =>
    `--payments stripe also needs ${missingValues(settings).join(', and ')}. ${docsUrl('stripe')} says where to find them.`,
});

function missingValues(settings: Partial<PaymentSettings>): string[] {
  return Object.entries(NEEDED).flatMap(([name, words]) =>
    settings[name as keyof typeof NEEDED] === undefined ? [words] : [],
  );
}

/** Returns the options of `@latchkey/stripe`. {@link paymentRule} has already checked that the values are set. */
export function stripeOptions(settings: PaymentSettings) {
  const { stripeSecretKey = '', stripeWebhookSecret = '', stripeMode = 'test' } = settings;
  return {
    secretKey: stripeSecretKey,
    webhookSecret: stripeWebhookSecret,
    mode: stripeMode,
    tax: settings.stripeTax,
    invoices: settings.stripeInvoices,
    apiUrl: settings.stripeApiUrl,
  };
}

/** @throws CommandFailure if its package isn't installed, or a value can't work. */
export async function openPayments(settings: PaymentSettings): Promise<PaymentProvider | undefined> {
  if (settings.payments === undefined) return undefined;
  const { stripePayments } = await loadStripe();
  try {
    return stripePayments(stripeOptions(settings));
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    throw new CommandFailure(message, { code: 'start_failed', cause: error });
  }
}

export async function loadStripe(): Promise<typeof import('@latchkey/stripe')> {
  try {
    return await import('@latchkey/stripe');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_MODULE_NOT_FOUND') throw error;
    throw new CommandFailure(
      'Payments with Stripe need the package @latchkey/stripe, which is not installed. Install it next to the command: npm install ../latchkey/packed/stripe.tgz',
      { code: 'start_failed', cause: error },
    );
  }
}
