import { globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { compareResults, resultsOfVitest } from '../assumptions/compare.mjs';
import { filesWithFake } from '../assumptions/fake-users.mjs';
import { filesThatName } from '../assumptions/naming-files.mjs';

const ROOT = join(import.meta.dirname, '../..');
const test = (name: string, failed: boolean) => ({ name, failed });

describe('the comparison of a run with one assumption turned around', () => {
  const id = 'token-cors';

  it('lists nothing if the tests that name it failed, and no others', () => {
    const comparison = compareResults([test(`a [assumes ${id}]`, true), test('b', false)], id);
    expect(comparison).toEqual({ expected: 1, missing: [], unexpected: [] });
  });

  it('lists tests that name it and passed, and tests that failed without naming it', () => {
    const results = [
      test(`a [assumes ${id}]`, false),
      test('b', true),
      test('c [assumes body-size]', true),
      test('d', false),
    ];
    const comparison = compareResults(results, id);
    expect(comparison).toEqual({
      expected: 1,
      missing: [`a [assumes ${id}]`],
      unexpected: ['b', 'c [assumes body-size]'],
    });
  });

  it('counts no test if none names the assumption, and every failure if none is turned around', () => {
    expect(compareResults([test('a', false)], id)).toEqual({ expected: 0, missing: [], unexpected: [] });
    const comparison = compareResults([test(`a [assumes ${id}]`, true)], undefined);
    expect(comparison).toMatchObject({ expected: 0, unexpected: [`a [assumes ${id}]`] });
  });

  it('counts a file that did not load as a failure', () => {
    const report = { testResults: [{ name: 'x.test.ts', status: 'failed', assertionResults: [] }] };
    expect(resultsOfVitest(report)).toEqual([test('x.test.ts', true)]);
  });
});

it('the files that use the fake service are found through their imports', () => {
  const folder = mkdtempSync(join(tmpdir(), 'latchkey-imports-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  mkdirSync(join(folder, 'support'));
  const files = {
    'direct.test.ts': "import { startFakeService } from '@latchkey/conformance/scripted-service';",
    'through.test.ts': "import { shop } from './support/shop.js';",
    'other.test.ts': "import { x } from './support/other.js';",
    'support/shop.ts':
      "import './circle.js';\nimport type { Clock } from '@latchkey/conformance/scripted-service/browser';",
    'support/circle.ts': "import './shop.js';",
    'support/other.ts': 'export const x = 1;',
  };
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  expect(filesWithFake(folder, ['*.test.ts'])).toEqual(['direct.test.ts', 'through.test.ts']);
});

it('the files that name an assumption are found by the tag of their tests', () => {
  const folder = mkdtempSync(join(tmpdir(), 'latchkey-tags-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const files = {
    'tagged.test.ts': "it('signs in [assumes token-cors]', () => {});",
    'longer.test.ts': "it('signs in [assumes token-cors-more]', () => {});",
    'comment.test.ts': '// token-cors',
  };
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  expect(filesThatName(folder, ['*.test.ts'], 'token-cors')).toEqual(['tagged.test.ts']);
});

it('the widget has test files for each assumption about browsers', () => {
  const widget = join(ROOT, 'packages/widget');
  const named = filesThatName(widget, ['{src,test}/**/*.browser.test.ts'], 'token-cors');
  expect(named).toContain('src/element/sharing.browser.test.ts');
  expect(named.length).toBeLessThan(globSync('{src,test}/**/*.browser.test.ts', { cwd: widget }).length / 2);
});

it('only the fake service reads the assumption to turn around, so that other tests cannot notice it', () => {
  const files = globSync(['{packages,demo,e2e,examples}/**/*.{ts,tsx,js,mjs}'], {
    cwd: ROOT,
    exclude: ['**/{node_modules,dist,dist-test,public}/**'],
  });
  const readers = files.filter((file) => readFileSync(join(ROOT, file), 'utf8').includes('LATCHKEY_AGAINST'));
  // The configuration passes it on to the fake service in the pages of the tests.
  expect(
    readers.filter((file) => !/^packages\/conformance\/(src|test)\/scripted-service\//.test(file)),
  ).toEqual(['packages/widget/web-test-runner.config.mjs']);
});
