import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

/** A route of the webhook endpoint that accepts one method only, also if a formatter breaks the line. */
const ONE_METHOD = /\.(?:get|post|put|patch|delete)\(\s*(['"`])\/webhooks\1,\s*(?:auth\.)?webhooks\(/;

/** Every file that a reader could copy: READMEs, docs, examples, the demo, docstrings and generated code. */
function filesToCopy(): string[] {
  const root = new URL('../../', import.meta.url);
  return execFileSync('git', ['ls-files', '*.md', 'docs', 'demo', 'examples', 'packages', 'e2e'], {
    cwd: root,
    encoding: 'utf8',
  })
    .split('\n')
    .filter((path) => /\.(?:md|m?[jt]sx?)$/.test(path) && !/^packages\/[^/]+\/(?:test|bench)\//.test(path))
    .map((path) => new URL(path, root).pathname);
}

describe('webhook routes in docs, examples and generated code', () => {
  it('accept every method, because the specification names none', () => {
    const files = filesToCopy();
    expect(files.length).toBeGreaterThan(100);
    expect(files.filter((path) => ONE_METHOD.test(readFileSync(path, 'utf8')))).toEqual([]);
  });
});
