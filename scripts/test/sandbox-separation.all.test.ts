import { execFile } from 'node:child_process';
import { globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { sandboxScenario } from '@latchkey/sandbox';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const ROOT = join(import.meta.dirname, '../..');
const run = promisify(execFile);

const work = mkdtempSync(join(tmpdir(), 'latchkey-tarballs-'));
afterAll(() => rmSync(work, { recursive: true }));

/** Files of a packed package, by their path in the package. */
type PackedFiles = ReadonlyMap<string, string>;

/** Packs a package and reads the files of the tarball. */
async function pack(name: string): Promise<PackedFiles> {
  const folder = mkdtempSync(join(work, `${name}-`));
  await run('npm', ['pack', '--silent', '--pack-destination', folder, '-w', `@latchkey/${name}`], {
    cwd: ROOT,
  });
  await run('tar', ['-xzf', ...globSync('*.tgz', { cwd: folder })], { cwd: folder });
  const files = globSync('package/**/*', { cwd: folder, withFileTypes: true }).filter((entry) =>
    entry.isFile(),
  );
  return new Map(
    files.map((file) => {
      const path = join(file.parentPath, file.name);
      return [path.slice(join(folder, 'package/').length), readFileSync(path, 'utf8')];
    }),
  );
}

let server: PackedFiles;
let sandbox: PackedFiles;
beforeAll(async () => {
  server = await pack('server');
  sandbox = await pack('sandbox');
}, 240_000);

/** Paths of the files with a match in their path or their content. */
function matches(files: PackedFiles, pattern: RegExp): string[] {
  return [...files].filter(([path, text]) => pattern.test(path) || pattern.test(text)).map(([path]) => path);
}

describe('the packed server', () => {
  it('contains its own code', () => {
    expect([...server.keys()]).toEqual(
      expect.arrayContaining(['dist/index.js', 'dist/ui.js', 'dist/extension.js']),
    );
  });

  it('contains no sandbox outside of its README and the development part of its package.json', () => {
    // A file in dist that no longer has a source is left over from an earlier build: `npm run build` removes it.
    const code = matches(server, /sandbox/i).filter(
      (path) => path !== 'README.md' && path !== 'package.json',
    );
    expect(code).toEqual([]);
    const { devDependencies: _, ...manifest } = JSON.parse(server.get('package.json') ?? '{}');
    expect(JSON.stringify(manifest)).not.toMatch(/sandbox/i);
  });

  it('contains no mailbox page, no simulated payments or messenger, and no public API key', () => {
    expect(matches(server, new RegExp(sandboxScenario.apiKey))).toEqual([]);
    expect(
      matches(server, /mailbox-?page|simulated-?(payments|messenger)/i).filter(
        (path) => path !== 'README.md',
      ),
    ).toEqual([]);
  });
});

describe('the packed sandbox', () => {
  it('contains the mailbox page, the simulated payments and messenger, and the public API key', () => {
    expect([...sandbox.keys()]).toEqual(
      expect.arrayContaining([
        'dist/mailbox/mailbox-page.js',
        'dist/payments/simulated-payments.js',
        'dist/messenger/simulated-messenger.js',
        'dist/people/sandbox-people.js',
      ]),
    );
    expect(matches(sandbox, new RegExp(sandboxScenario.apiKey))).toContain('README.md');
    expect(sandbox.get('dist/scenario/sandbox-scenario.js')).toContain("'sandbox'.repeat(6)");
  });

  it('depends on the server, never the reverse', () => {
    const { dependencies } = JSON.parse(sandbox.get('package.json') ?? '{}');
    expect(Object.keys(dependencies)).toContain('@latchkey/server');
    expect(Object.keys(JSON.parse(server.get('package.json') ?? '{}').dependencies)).not.toContain(
      '@latchkey/sandbox',
    );
  });
});
