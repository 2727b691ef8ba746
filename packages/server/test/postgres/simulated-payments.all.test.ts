import { reportText } from '@latchkey/conformance';
import { testPaymentProvider } from '@latchkey/conformance/payments';
import startPaymentDriver from '@latchkey/sandbox/payment-driver';
import { expect, it } from 'vitest';
import { databaseUnderTest } from '../service-under-test.js';

it('the simulated payment provider keeps its promises with its books in PostgreSQL', async () => {
  const driver = await startPaymentDriver({ database: await databaseUnderTest() });
  const report = await testPaymentProvider({ driver });
  const failed = report.results.filter(({ outcome }) => outcome.kind === 'failed');
  expect(failed, reportText(report)).toEqual([]);
  expect(report.results.filter(({ outcome }) => outcome.kind === 'passed').length).toBeGreaterThan(50);
});
