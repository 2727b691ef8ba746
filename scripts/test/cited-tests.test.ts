import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { anchorOf, namedTests } from './named-tests.js';

const ROOT = join(import.meta.dirname, '../..');
const DOCUMENTS = globSync('{*.md,{docs,packages,demo,examples}/**/*.md}', {
  cwd: ROOT,
  exclude: ['**/{node_modules,dist}/**'],
});

/** A link to a test file, with the name of a test in its hash: `(../packages/server/test/x.test.ts#group-test)`. */
const CITATION = /\]\(([\w./-]+\.tsx?)#([^)]+)\)/g;

function citationsIn(document: string): [path: string, anchor: string][] {
  const text = readFileSync(join(ROOT, document), 'utf8');
  return [...text.matchAll(CITATION)].map(([, path = '', anchor = '']) => [
    join(dirname(document), path),
    anchor,
  ]);
}

function isTest(path: string, anchor: string): boolean {
  const file = join(ROOT, path);
  return existsSync(file) && namedTests(readFileSync(file, 'utf8')).map(anchorOf).includes(anchor);
}

describe.each(DOCUMENTS)('%s', (document) => {
  it('cites only tests that exist', () => {
    const cited = citationsIn(document);
    expect(cited.filter(([path, anchor]) => !isTest(path, anchor))).toEqual([]);
  });
});

describe('docs/security-model.md', () => {
  const statements = readFileSync(join(ROOT, 'docs/security-model.md'), 'utf8').match(/^- .*$/gm) ?? [];

  it('has a test for each statement, or says that it has none', () => {
    expect(statements.length).toBeGreaterThan(80);
    const SHOWN = /^- [^[\]]+ (?:(?:\[[^\]]+\]\([^)]+\.tsx?#[^)]+\)(?:, |$))+|Not tested[^[\]]*$)/;
    expect(statements.filter((row) => !SHOWN.test(row))).toEqual([]);
  });
});

describe('packages/widget/ACCESSIBILITY.md', () => {
  it('cites the tests of most criteria', () => {
    expect(citationsIn('packages/widget/ACCESSIBILITY.md').length).toBeGreaterThan(15);
  });
});

describe('the names of tests', () => {
  it('are found in groups, lists and loops, without requirement ids', () => {
    const id = 'token.code-grant';
    const source = `
describe('a gate', () => {
  it('opens [${id}]', () => {});
  describe.each([
    'x',
  ])('in %s', () => {
    it.each(['a', 'b'])("isn't \\\`%s\\\`", () => {});
    it.each(LIST)(
      'wraps %s',
      () => {},
    );
  });
});
for (const mode of MODES) {
  test(\`\${mode}: runs\`, () => {});
}
describe.each([
  'y',
])('later %s', () => {
  it.for([
    ['z'],
  ])('is %s', ([z], { service }) => {});
});
`;
    expect(namedTests(source)).toEqual([
      'a gate › opens',
      "a gate › in %s › isn't `%s`",
      'a gate › in %s › wraps %s',
      `$\{mode}: runs`,
      'later %s › is %s',
    ]);
  });

  it('are cited in lower case, with hyphens for everything but letters and digits', () => {
    expect(anchorOf("a gate › in %s › isn't `x`, 2 times")).toBe('a-gate-in-s-isn-t-x-2-times');
  });

  it('include no call of other functions', () => {
    expect(namedTests("describe('a', () => {\n  expect('b', 'c');\n  ['d'].forEach(it);\n});")).toEqual([]);
  });
});
