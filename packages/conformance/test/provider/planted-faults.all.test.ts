import { reportText } from '@latchkey/conformance';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { AUTHORIZE_FAULTS } from './faults/authorize-faults.js';
import type { Fault } from './faults/fault.js';
import { RESOURCE_FAULTS } from './faults/resource-faults.js';
import { brokenRules, checksFor, runWithFault, unobservedRules } from './faults/run-with-fault.js';
import { SALES_FAULTS } from './faults/sales-faults.js';
import { SHAPE_FAULTS } from './faults/shape-faults.js';
import { TOKEN_FAULTS } from './faults/token-faults.js';
import { VARIANTS } from './faults/variants.js';
import { WEBHOOK_FAULTS } from './faults/webhook-faults.js';
import { type SandboxTarget, startTarget } from './sandbox-target.js';

const GENERAL = [
  'general',
  'envelope',
  'rejection',
  'versioning',
  'api-key',
  'check-messenger',
  'client-identity',
];
const SALES = ['provision', 'retry', 'buy-plan', 'invite-link', 'drop-signup'];
const SIGN_IN = [
  'authorize',
  'token',
  'credentials',
  'revoke',
  'userinfo',
  'memberships',
  'products',
  'oauth-error',
  'client-identity',
];

/** Faults with the areas whose requests they can touch. */
const GROUPS: readonly { faults: readonly Fault[]; areas: readonly string[] }[] = [
  { faults: SHAPE_FAULTS, areas: [...GENERAL, 'invite-link', 'buy-plan'] },
  { faults: [...AUTHORIZE_FAULTS, ...TOKEN_FAULTS, ...RESOURCE_FAULTS], areas: ['general', ...SIGN_IN] },
  { faults: SALES_FAULTS, areas: [...GENERAL, ...SALES, 'memberships'] },
  { faults: WEBHOOK_FAULTS, areas: ['webhook'] },
];

/**
 * Checks that meet each fault. By default only the rules that it breaks, which shows that it is detected. With `areas` or
 * `all` also those that it must not fail, which takes some minutes.
 */
const SCOPE = process.env.LATCHKEY_FAULTS;

let target: SandboxTarget;
beforeAll(async () => {
  target = await startTarget();
});
afterAll(() => target.sandbox.close());

describe('a planted fault', () => {
  const faults = GROUPS.flatMap(({ faults: all }) => all);

  it('exists at least sixty times, each with a name of its own', () => {
    expect(faults.length).toBeGreaterThanOrEqual(60);
    expect(new Set(faults.map(({ name }) => name)).size).toBe(faults.length);
  });

  for (const { faults: group, areas } of GROUPS) {
    const chosen = group.filter(({ needsClock = false }) => SCOPE !== undefined || !needsClock);
    const title = SCOPE === undefined ? '%s: fails its rule' : '%s: fails its rule and no other';
    it.for(chosen.map((fault) => [fault.name, fault] as const))(
      title,
      { timeout: 240_000 },
      async ([, fault]) => {
        const expected = [fault.breaks, ...Object.keys(fault.coupled ?? {})];
        const scope =
          SCOPE === undefined
            ? expected
            : [...expected, ...checksFor(fault, SCOPE === 'all' ? undefined : areas)];
        const report = await runWithFault(target, fault, scope);
        expect(brokenRules(report).toSorted(), reportText(report)).toEqual(expected.toSorted());
      },
    );
  }
});

describe('a variant within the specification', () => {
  it.for(VARIANTS.map((variant) => [variant.name, variant] as const))(
    '%s: fails no rule',
    { timeout: 240_000 },
    async ([, variant]) => {
      const { keeps, hides = [] } = variant;
      const others = SCOPE === undefined ? [] : checksFor({});
      const report = await runWithFault(target, variant, [...keeps, ...hides, ...others]);
      expect(brokenRules(report), reportText(report)).toEqual([]);
      expect(unobservedRules(report).toSorted(), reportText(report)).toEqual(hides.toSorted());
    },
  );
});
