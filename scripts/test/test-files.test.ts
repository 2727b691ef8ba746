import { globSync } from 'node:fs';
import { expect, it } from 'vitest';
import { ENGINE_INDEPENDENT } from '../../packages/server/test-files.mjs';
import { RULES } from '../../packages/widget/test-files.mjs';

const ROOT = new URL('../../', import.meta.url).pathname;
const { default: mutation } = await import(`${ROOT}scripts/mutation/stryker.config.mjs`);

it.for<[string, string, readonly string[]]>([
  ['test files of the server', 'packages/server', ENGINE_INDEPENDENT],
  ['test files of the widget', 'packages/widget', RULES],
  // Lines follow the colon.
  ['files to mutate', '.', mutation.mutate.map((pattern: string) => pattern.replace(/:.*/, ''))],
])('a list of %s names no file that does not exist', ([_what, folder, patterns]) => {
  const missing = patterns.filter((pattern) => globSync(pattern, { cwd: `${ROOT}${folder}` }).length === 0);
  expect(missing).toEqual([]);
});
