import { reportText } from '@latchkey/conformance';
import { fixturesSchema } from '@latchkey/conformance/fixtures';
import { runProviderChecks, sandboxDriver, sandboxFixtures } from '@latchkey/conformance/provider';
import { createSandbox } from '@latchkey/sandbox';
import { expect, it, onTestFinished } from 'vitest';
import { NEXT_MIGRATIONS } from '../../soak/upgrade/next-migrations.js';
import { readSchemaStatus } from '../../src/index.js';
import { migrateAs, nextVersion } from '../database/schema-versions.js';
import { databaseUnderTest } from '../service-under-test.js';

const silent = { info() {}, warn() {}, error() {} };
const EXPANDED = nextVersion(
  Object.fromEntries(Object.entries(NEXT_MIGRATIONS).filter(([, { kind }]) => kind === 'expand')),
);

it('this version keeps every rule on the schema of the next release, before its contract migrations', {
  timeout: 300_000,
}, async () => {
  const database = await databaseUnderTest();
  await migrateAs(database, EXPANDED);
  const before = await readSchemaStatus(database);
  const sandbox = await createSandbox({ database, migrate: false, logger: silent });
  onTestFinished(() => sandbox.close());
  const access = { sandbox: sandbox.baseUrl, token: sandbox.controlToken };
  const fixtures = fixturesSchema.parse(await sandboxFixtures(access));
  const report = await runProviderChecks({
    baseUrl: sandbox.baseUrl,
    fixtures,
    driver: sandboxDriver(access),
    destructive: true,
    rate: 1_000,
    seed: 1,
  });
  const kept = report.results.every(({ outcome }) => ['passed', 'unobservable'].includes(outcome.kind));
  expect(kept, reportText(report)).toBe(true);
  expect(report.results.length).toBeGreaterThan(50);
  expect(await readSchemaStatus(database)).toEqual(before);
});
