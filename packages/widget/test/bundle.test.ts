import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { join } from 'node:path';
import { brotliCompressSync } from 'node:zlib';
import { build, type Rolldown } from 'vite';
import { beforeAll, describe, expect, it } from 'vitest';

const ROOT = join(import.meta.dirname, '..');

/** The npm packages that `latchkey.js` may contain. */
const PACKAGES = ['lit', 'lit-html', 'lit-element', '@lit/reactive-element', 'oauth4webapi'];

/** Budgets in bytes after brotli. `latchkey.js` contains Lit and oauth4webapi exactly as they are published. */
const BUDGETS = { 'latchkey.js': 27_400, 'latchkey-plans.js': 6140, 'callback.js': 2500 };

beforeAll(() => {
  if (Object.keys(BUDGETS).every((file) => existsSync(join(ROOT, 'dist', file)))) return;
  execFileSync('npm', ['run', 'build'], { cwd: ROOT });
}, 120_000);

/** Returns the ids of the modules in a bundle. */
async function modulesOf(mode: string): Promise<string[]> {
  const output = await build({ root: ROOT, mode, logLevel: 'error', build: { write: false } });
  const [{ output: chunks }] = output as [Rolldown.RolldownOutput];
  return chunks.flatMap((chunk) =>
    chunk.type === 'chunk'
      ? [
          ...chunk.imports,
          ...Object.entries(chunk.modules)
            .filter(([, { code }]) => code)
            .map(([id]) => id),
        ]
      : [],
  );
}

describe.each(Object.entries(BUDGETS))('%s', (file, budget) => {
  const read = () => readFileSync(join(ROOT, 'dist', file));

  it(`has at most ${budget} bytes after brotli`, () => {
    const size = brotliCompressSync(read()).length;
    process.stdout.write(`${file}: ${size} bytes brotli of ${budget}, ${read().length} minified\n`);
    expect(size).toBeLessThanOrEqual(budget);
  });

  it('is one classic script: it imports and exports nothing', () => {
    // Syntax of a module does not compile here.
    expect(() => new Function(read().toString())).not.toThrow();
    expect(read().toString()).not.toMatch(/\bimport\s*\(/);
  });

  it('evaluates no text as code, so that a strict Content-Security-Policy lets it run', () => {
    expect(read().toString()).not.toMatch(/\bnew Function\b|[^.\w]eval\(|[^.\w]Function\(/);
  });

  it('contains neither zod nor a Node module', async () => {
    const modules = await modulesOf(file.replace('.js', ''));
    expect(modules.filter((id) => /\/(packages|src)\//.test(id))).not.toEqual([]);
    expect(modules.filter((id) => /\/node_modules\/zod\//.test(id))).toEqual([]);
    expect(modules.filter((id) => isBuiltin(id) || /__vite-browser-external|^node:/.test(id))).toEqual([]);
    expect(read().toString()).not.toMatch(/\bzod\b|ZodError|safeParse|"node:|`node:|'node:/i);
  });

  it('contains no npm packages, except Lit and oauth4webapi in latchkey.js', async () => {
    const modules = await modulesOf(file.replace('.js', ''));
    const packages = modules.map((id) => /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(id)?.[1] ?? '');
    const allowed = file === 'latchkey.js' ? PACKAGES : [];
    expect([...new Set(packages)].filter((name) => name && !allowed.includes(name))).toEqual([]);
  });
});

/** Bundles a page's module with this code. */
async function bundleOf(code: string): Promise<string> {
  const page = join(ROOT, 'page.js');
  const output = await build({
    root: ROOT,
    configFile: false,
    logLevel: 'error',
    plugins: [
      {
        name: 'page',
        resolveId: { order: 'pre', handler: (id) => (id === page ? page : undefined) },
        load: (id) => (id === page ? code : undefined),
      },
    ],
    build: { write: false, minify: false, lib: { entry: page, formats: ['es'] } },
  });
  const [{ output: chunks }] = output as [Rolldown.RolldownOutput];
  return chunks.map((chunk) => (chunk.type === 'chunk' ? chunk.code : '')).join('');
}

it('latchkey-plans.js contains neither Lit nor the session: it uses those of latchkey.js', async () => {
  const modules = await modulesOf('latchkey-plans');
  const shared = /lit|session-element|session\/|sign-in|theme\.styles|@latchkey\/oauth/;
  expect(modules.some((id) => id.endsWith('/script-parts.ts'))).toBe(true);
  const own = modules.map((id) => id.slice(id.indexOf('/packages/widget/')));
  expect(own.filter((id) => shared.test(id))).toEqual([]);
});

describe('in a bundle', () => {
  it('an unused entry leaves no code', async () => {
    const code = await bundleOf(
      "import { LatchkeyLogin } from '@latchkey/widget'; import { createLoginSession } from '@latchkey/widget/session'; import { loginStates } from '@latchkey/widget/testing';",
    );
    expect(code.trim()).toBe('');
  });

  it('define registers both elements and a language file its texts, without an imported name', async () => {
    const code = await bundleOf(
      "import '@latchkey/widget/define'; import '@latchkey/widget/messages/de.js';",
    );
    expect(code).toMatch(/define\("latchkey-login"/);
    expect(code).toMatch(/define\("latchkey-gate"/);
    expect(code).toContain('Anmelden');
  });

  it('plans registers its elements, without the gate and the login', async () => {
    const code = await bundleOf("import '@latchkey/widget/plans';");
    expect(code).toMatch(/define\("latchkey-plans"/);
    expect(code).toMatch(/define\("latchkey-join"/);
    expect(code).not.toMatch(/define\("latchkey-(login|gate)"/);
  });

  it('the session without elements contains no Lit', async () => {
    const code = await bundleOf(
      "import { createLoginSession } from '@latchkey/widget/session'; globalThis.make = createLoginSession;",
    );
    expect(code).toContain('function createLoginSession');
    expect(code).not.toMatch(/attachShadow|lit\$|litHtml/);
  });
});

describe('in Node', () => {
  it.each(['index', 'session/index', 'define', 'plans', 'testing'])(
    '%s can be imported where there is no DOM',
    (entry) => {
      const script = `const names = Object.keys(await import('./dist/${entry}.js')); if (!names.length) process.exit(1);`;
      execFileSync(process.execPath, ['--input-type=module', '--eval', script], { cwd: ROOT });
    },
  );
});
