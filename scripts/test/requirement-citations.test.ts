import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { REQUIREMENTS } from '@latchkey/contract/requirements';
import { describe, expect, it } from 'vitest';

const ROOT = join(import.meta.dirname, '../..');
const TESTS = [
  'packages/*/test/**/*.{ts,tsx}',
  'packages/*/src/**/*.test.{ts,tsx}',
  'demo/test/**/*.{ts,tsx}',
  'e2e/**/*.ts',
  'scripts/test/**/*.ts',
];

/** Matches the tags of a test, and ids in square brackets at the end of a name: in tables of cases, and where a runner has no tags. */
const CITATIONS =
  /\btags: \[((?:\s*'[a-z][a-z0-9-]*\.[a-z0-9-]+',?)+)\s*\]|((?:\[[a-z][a-z0-9-]*\.[a-z0-9-]+\]\s*)+)['"`]/g;

const citations = globSync(TESTS, { cwd: ROOT, exclude: ['**/node_modules/**'] }).flatMap((file) =>
  citedIds(readFileSync(join(ROOT, file), 'utf8')).map((id) => ({ id, file: file.replaceAll('\\', '/') })),
);

/** Only a test against the running service proves a rule of the service. A schema does not. */
const provedByService = idsCitedIn(/^(?:packages\/(?:server|sandbox)|e2e)\//);
/** The packages that call the service, and the end-to-end tests, prove a rule for callers. */
const provedByCallers = idsCitedIn(/^(?:packages\/(?:client|express|oauth|widget)|e2e)\//);

/** Returns the requirement ids that the tests in a file cite. */
function citedIds(source: string): string[] {
  return [...source.matchAll(CITATIONS)].flatMap(
    ([, tags, ids]) => (tags ?? ids ?? '').match(/[^[\]\s',]+/g) ?? [],
  );
}

function idsCitedIn(files: RegExp): Set<string> {
  return new Set(citations.filter(({ file }) => files.test(file)).map(({ id }) => id));
}

describe('the requirements', () => {
  it('are cited by an id that exists', () => {
    const ids = new Set(REQUIREMENTS.map(({ id }) => id));
    expect(citations.filter(({ id }) => !ids.has(id))).toEqual([]);
  });

  it('for the service are each cited by a test of the running service', () => {
    const unproved = REQUIREMENTS.filter(({ side, id }) => side !== 'caller' && !provedByService.has(id));
    expect(unproved.map(({ id }) => id)).toEqual([]);
  });

  it('for callers are each cited by a test of a caller', () => {
    const unproved = REQUIREMENTS.filter(({ side, id }) => side !== 'server' && !provedByCallers.has(id));
    expect(unproved.map(({ id }) => id)).toEqual([]);
  });
});

describe('a citation', () => {
  it('is a tag of a test', () => {
    const [one, two] = ['authorize.state-max-length', 'token.code-grant'];
    expect(citedIds(`it('refuses', { tags: ['${one}', '${two}'] }, f)`)).toEqual([one, two]);
  });

  it('is one or more ids in square brackets at the end of a name', () => {
    const [one, two] = ['authorize.state-max-length', 'token.code-grant'];
    expect(citedIds(`it('refuses [${one}]', f); it.each(x)("does [${one}] [${two}]", f)`)).toEqual([
      one,
      one,
      two,
    ]);
    expect(citedIds(`it(\`takes \${n} characters [${two}]\`, f)`)).toEqual([two]);
  });

  it('is not an element access', () => {
    expect(citedIds('rows[index.value] = names[user.id];')).toEqual([]);
  });
});
