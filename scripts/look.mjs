// `npm run look`: saves pictures of every page and widget state in test-results/look/ for a person to review.
import { join } from 'node:path';
import { build } from './build.mjs';
import { ensureChromium } from './chromium.mjs';
import { ROOT, run } from './command.mjs';

if (!(await build())) process.exit(1);
const folder = join(ROOT, 'test-results', 'look');
const { code } = await run(
  'playwright',
  ['test', '--config', 'e2e/playwright.config.ts', '--project', 'look', '--output', 'test-results/traces'],
  {
    env: { LATCHKEY_LOOK: folder, LATCHKEY_CHROMIUM: await ensureChromium() },
  },
);
console.log(`\nPictures: ${folder}`);
process.exit(code);
