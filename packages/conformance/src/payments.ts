import { buyerChecks, findChecks, startChecks } from './payments/buyer-checks.js';
import { eventChecks } from './payments/event-checks.js';
import type { PaymentDriver } from './payments/payment-driver.js';
import { BrokenPromise, CannotRun, type PaymentCase, PaymentSession } from './payments/payment-session.js';
import { disputeChecks, refundChecks } from './payments/refund-checks.js';
import { outageChecks, renewalChecks } from './payments/renewal-checks.js';
import type { CheckOutcome, CheckResult, Report } from './report/report.js';

export type {
  BuyerAct,
  PaymentDriver,
  PaymentReference,
  ProviderPage,
  ProviderWebhook,
  TestedProvider,
} from './payments/payment-driver.js';
export type { PaymentCase } from './payments/payment-session.js';

export const PAYMENT_CASES: readonly PaymentCase[] = [
  ...startChecks,
  ...buyerChecks,
  ...findChecks,
  ...eventChecks,
  ...refundChecks,
  ...disputeChecks,
  ...renewalChecks,
  ...outageChecks,
];

/** Returns the cases with these ids or areas, such as `refund.part` and `event`; all of them without a selection. */
export function selectPaymentCases(only: readonly string[] = []): readonly PaymentCase[] {
  if (only.length === 0) return PAYMENT_CASES;
  return PAYMENT_CASES.filter(({ id }) => only.some((name) => id === name || id.startsWith(`${name}.`)));
}

/** Options of {@link testPaymentProvider}. */
export interface PaymentTestOptions {
  readonly driver: PaymentDriver;
  /** Ids and areas to run. @default all */
  readonly only?: readonly string[];
  /** Receives each result as soon as it exists. */
  readonly onResult?: (result: CheckResult) => void;
}

/** Runs the cases one after another against a provider, and returns the report. Closes the driver. */
export async function testPaymentProvider({ driver, only, onResult }: PaymentTestOptions): Promise<Report> {
  const startedAt = Date.now();
  const results: CheckResult[] = [];
  try {
    for (const tested of selectPaymentCases(only)) {
      const began = performance.now();
      const outcome = await outcomeOf(tested, driver);
      const rule = { text: tested.text, section: 'Payment provider' };
      const durationMs = Math.round(performance.now() - began);
      const result = { id: tested.id, rule, outcome, roundTrips: [], durationMs };
      results.push(result);
      onResult?.(result);
    }
  } finally {
    await driver.close?.();
  }
  return { side: 'payments', subject: driver.provider.name, startedAt, finishedAt: Date.now(), results };
}

async function outcomeOf(tested: PaymentCase, driver: PaymentDriver): Promise<CheckOutcome> {
  const session = new PaymentSession(driver);
  try {
    await tested.run(session);
    return { kind: 'passed' };
  } catch (error) {
    if (error instanceof CannotRun) return { kind: 'not-run', reason: error.message };
    if (error instanceof BrokenPromise) return { kind: 'failed', message: error.message };
    // A call threw although the interface promises a result.
    return {
      kind: 'failed',
      message: `unexpected error: ${error instanceof Error ? error.message : String(error)}`,
    };
  } finally {
    // What is on its way must not reach the next case.
    await driver.takeWebhooks().catch(() => undefined);
  }
}
