import { reportText } from '@latchkey/conformance';
import { PAYMENT_CASES, testPaymentProvider } from '@latchkey/conformance/payments';
import startPaymentDriver from '@latchkey/sandbox/payment-driver';
import { expect, it } from 'vitest';

it('the simulated provider of the sandbox passes every case of the kit that concerns it', async () => {
  const report = await testPaymentProvider({ driver: await startPaymentDriver() });
  const failed = report.results.filter(({ outcome }) => outcome.kind === 'failed');
  expect(failed, reportText(report)).toEqual([]);
  const idle = report.results.filter(({ outcome }) => outcome.kind === 'not-run').map(({ id }) => id);
  const ofTheProvider = PAYMENT_CASES.map(({ id }) => id).filter((id) => id.startsWith('renewal.provider-'));
  expect(idle).toEqual(ofTheProvider);
});
