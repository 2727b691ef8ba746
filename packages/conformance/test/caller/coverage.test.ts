import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { REQUIREMENTS } from '@latchkey/contract/requirements';
import { expect, it } from 'vitest';
import { startPassiveService } from '../../src/caller.js';
import { FAULTS } from './faults.js';

async function untouchedReport() {
  const service = await startPassiveService();
  await service.close();
  return service.report();
}

it('has one check for each rule that a caller must keep', async () => {
  const ids = (await untouchedReport()).results.map(({ id }) => id);
  expect(new Set(ids).size).toBe(ids.length);
  const callerIds = REQUIREMENTS.filter(({ side }) => side !== 'server').map(({ id }) => id);
  expect(callerIds.filter((id) => !ids.includes(id))).toEqual([]);
});

it('states a reason for each rule that was not exercised, and passes none', async () => {
  const { results } = await untouchedReport();
  for (const { id, outcome } of results) {
    expect(['not-run', 'unobservable'], id).toContain(outcome.kind);
    expect('reason' in outcome ? outcome.reason : '', id).toMatch(/\w{3}/);
  }
});

it('has a planted fault for each check that a backend can fail', async () => {
  const planted = new Set<string>(Object.values(FAULTS));
  const { results } = await untouchedReport();
  expect(results.map(({ id }) => id).filter((id) => !planted.has(id))).toEqual([
    'general.single-environment',
    // Only a browser can break these. browser-checks.test.ts plants them.
    'general.widget-is-public-client',
    'client-identity.widget-origin-sender',
    'client-identity.origin-must-be-allowed',
  ]);
});

it('has a row for each check in the documentation, in the same order', async () => {
  const text = readFileSync(join(import.meta.dirname, '../../../../docs/conformance-caller.md'), 'utf8');
  const [, table = ''] = text.split('## Rules and what they need');
  const rows = [...table.matchAll(/^\| `([\w.-]+)`( \*)? \|/gm)].map(([, id = '', mark]) => ({
    id,
    isOfServer: mark !== undefined,
  }));
  const sides = new Map(REQUIREMENTS.map(({ id, side }) => [id, side]));
  const { results } = await untouchedReport();
  expect(rows).toEqual(results.map(({ id }) => ({ id, isOfServer: sides.get(id) === 'server' })));
});
