import { globSync } from 'node:fs';
import { expect, it } from 'vitest';
import { ENGINE_INDEPENDENT } from '../../packages/server/test-files.mjs';
import { RULES } from '../../packages/widget/test-files.mjs';

const ROOT = new URL('../../packages/', import.meta.url).pathname;

it.for([
  ['server', ENGINE_INDEPENDENT],
  ['widget', RULES],
] as const)('a list of test files of the %s names no file that does not exist', ([name, patterns]) => {
  const missing = patterns.filter((pattern) => globSync(pattern, { cwd: `${ROOT}${name}` }).length === 0);
  expect(missing).toEqual([]);
});
