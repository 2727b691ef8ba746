import { docsUrl } from '@latchkey/contract/constants';
import type { Output } from '../command-line/command.js';
import { loadStripe, stripeOptions } from '../service/payment-settings.js';
import { type DoctorSettings, secretsOf } from './doctor-settings.js';
import { shownText } from './findings.js';
import { sendProbe } from './probe.js';

interface Finding {
  readonly status: 'ok' | 'warning' | 'problem';
  readonly message: string;
  readonly fix?: string;
}

const LIMITS = { ms: 15_000, bytes: 100_000 };
const INDENT = 11;

/** Checks Stripe's values and account, its webhook endpoint, and if the running service takes the secret. */
export async function runStripeDoctor(
  settings: DoctorSettings & { service: string },
  { print }: Pick<Output, 'print'>,
): Promise<number> {
  const findings = await findingsOf(settings);
  const safe = (text: string) => shownText(text, secretsOf(settings));
  const shown = findings.map((finding) => ({
    ...finding,
    message: safe(finding.message),
    ...(finding.fix !== undefined && { fix: safe(finding.fix) }),
  }));
  const hasProblem = shown.some(({ status }) => status === 'problem');
  if (settings.json) {
    print(
      JSON.stringify({ service: settings.service, payments: 'stripe', findings: shown, isFine: !hasProblem }),
    );
  } else {
    const lines = shown.flatMap(({ status, message, fix }) => [
      `${(status === 'problem' ? 'PROBLEM' : status).padEnd(INDENT)}${message}`,
      ...(fix === undefined ? [] : [`${''.padEnd(INDENT)}To do: ${fix}`]),
    ]);
    print(
      [...lines, '', hasProblem ? `What to click in Stripe: ${docsUrl('stripe')}` : 'Ready to sell.'].join(
        '\n',
      ),
    );
  }
  return hasProblem ? 1 : 0;
}

async function findingsOf(settings: DoctorSettings & { service: string }): Promise<readonly Finding[]> {
  const { checkStripe, signedProbe } = await loadStripe();
  const options = stripeOptions(settings);
  try {
    const found = await checkStripe(options, settings.service);
    return [...found, await checkSecret(settings.service, signedProbe(options))];
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    return [
      { status: 'problem', message, fix: 'Change the value, or try again if Stripe was out of reach.' },
    ];
  }
}

/** Sends the running service a webhook that reports nothing. */
async function checkSecret(
  service: string,
  { path, body, headers }: { path: string; body: string; headers: Record<string, string> },
): Promise<Finding> {
  const probe = await sendProbe(service + path, { method: 'POST', body, headers }, LIMITS);
  if (probe.kind === 'failed')
    return {
      status: 'problem',
      message: `The service didn’t answer: ${probe.reason}.`,
      fix: 'Start it, or change --service.',
    };
  const { status } = probe.answer;
  if (status >= 200 && status < 300)
    return { status: 'ok', message: 'The service takes webhooks signed with the webhook secret.' };
  const fixes: Readonly<Record<number, string>> = {
    400: 'It runs with another webhook secret or mode: start it with the same values.',
    404: 'It runs without Stripe: start it with --payments stripe.',
  };
  return {
    status: 'problem',
    message: `The service answered ${status} to a signed webhook.`,
    fix: fixes[status] ?? 'Look at its log.',
  };
}
