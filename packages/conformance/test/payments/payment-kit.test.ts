import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { exitCode, reportJunit, reportText } from '@latchkey/conformance';
import { PAYMENT_CASES, selectPaymentCases, testPaymentProvider } from '@latchkey/conformance/payments';
import { describe, expect, it } from 'vitest';
import { FAULTS, modelProvider, type PlantedFault } from './model-provider.js';

type Outcome = 'passed' | 'failed' | 'not-run' | 'unobservable';

/** Runs all cases, and returns their outcomes by id. */
async function outcomesOf(options: Parameters<typeof modelProvider>[0]): Promise<Map<string, Outcome>> {
  const { results } = await testPaymentProvider({ driver: modelProvider(options) });
  return new Map(results.map(({ id, outcome }) => [id, outcome.kind]));
}

/** Returns the ids of the cases that a fault fails, of a provider with either kind of renewals. */
async function failedBy(fault: PlantedFault): Promise<string[]> {
  const both = [
    await outcomesOf({ fault, renewals: 'server' }),
    await outcomesOf({ fault, renewals: 'provider' }),
  ];
  return both.flatMap((outcomes) => [...outcomes].filter(([, kind]) => kind === 'failed').map(([id]) => id));
}

describe('the kit for payment providers', () => {
  it('has as many cases as its README says, with different ids and sentences', () => {
    const readme = readFileSync(join(import.meta.dirname, '../../README.md'), 'utf8');
    expect(readme).toContain(`has ${PAYMENT_CASES.length} cases`);
    expect(readme).toContain(`${FAULTS.length} mistakes`);
    expect(new Set(PAYMENT_CASES.map(({ id }) => id)).size).toBe(PAYMENT_CASES.length);
    expect(new Set(PAYMENT_CASES.map(({ text }) => text)).size).toBe(PAYMENT_CASES.length);
  });

  it('passes a provider that keeps every promise, in all cases that concern it', async () => {
    const server = await outcomesOf({ renewals: 'server' });
    const provider = await outcomesOf({ renewals: 'provider' });
    const idle = PAYMENT_CASES.filter(
      ({ id }) => server.get(id) !== 'passed' && provider.get(id) !== 'passed',
    );
    expect(idle).toEqual([]);
    expect([...server, ...provider].filter(([, kind]) => kind === 'failed')).toEqual([]);
    expect(
      [...server].filter(([, kind]) => kind === 'not-run').every(([id]) => id.startsWith('renewal.')),
    ).toBe(true);
  });

  it('fails each planted fault, and each case fails for one of them', async () => {
    const failed = new Map<PlantedFault, string[]>();
    for (const fault of FAULTS) failed.set(fault, await failedBy(fault));
    expect([...failed].filter(([, ids]) => ids.length === 0).map(([fault]) => fault)).toEqual([]);
    const caught = new Set([...failed.values()].flat());
    expect(PAYMENT_CASES.map(({ id }) => id).filter((id) => !caught.has(id))).toEqual([]);
  });

  it('does not run what a driver cannot do, and says what is missing', async () => {
    const { dispute: _, expire: __, setDown: ___, ...driver } = modelProvider();
    const { results } = await testPaymentProvider({
      driver,
      only: ['dispute', 'buyer.expires', 'down.find'],
    });
    const reasons = results.map(({ outcome }) =>
      outcome.kind === 'not-run' ? outcome.reason : outcome.kind,
    );
    expect(new Set(reasons)).toEqual(
      new Set(['the driver has no dispute', 'the driver has no expire', 'the driver has no setDown']),
    );
  });

  it('does not run a case in a currency that the provider does not take', async () => {
    const driver = { ...modelProvider(), currenciesNotTaken: ['KWD'] };
    const { results } = await testPaymentProvider({ driver, only: ['start.three-decimals'] });
    expect(results[0]?.outcome).toEqual({ kind: 'not-run', reason: "the provider doesn't take KWD" });
  });

  it('selects cases by id and by area', () => {
    expect(selectPaymentCases(['refund.part', 'dispute']).map(({ id }) => id)).toEqual([
      'refund.part',
      ...PAYMENT_CASES.map(({ id }) => id).filter((id) => id.startsWith('dispute.')),
    ]);
  });

  it('reports the sentence of each case that fails', async () => {
    const driver = modelProvider({ fault: 'refund without key' });
    const report = await testPaymentProvider({ driver, only: ['refund'] });
    expect(exitCode(report)).toBe(1);
    expect(reportText(report)).toContain('FAILED  refund.twice');
    expect(reportText(report)).toContain('The same refund twice pays back once. (Payment provider)');
    expect(reportJunit(report)).toContain('refund.twice: The same refund twice pays back once.');
  });

  it('closes the driver', async () => {
    const closed: string[] = [];
    const driver = { ...modelProvider(), close: async () => void closed.push('closed') };
    await testPaymentProvider({ driver, only: ['start.result'] });
    expect(closed).toEqual(['closed']);
  });
});
