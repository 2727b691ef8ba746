import { reportText } from '@latchkey/conformance';
import { runProviderChecks } from '@latchkey/conformance/provider';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type SandboxTarget, startTarget } from './sandbox-target.js';

let target: SandboxTarget;
beforeAll(async () => {
  target = await startTarget();
});
afterAll(() => target.sandbox.close());

it('our server keeps every rule', async () => {
  const report = await runProviderChecks({ ...target, destructive: true, rate: 1_000, seed: 1 });
  const kept = report.results.every(({ outcome }) => ['passed', 'unobservable'].includes(outcome.kind));
  expect(kept, reportText(report)).toBe(true);
});
