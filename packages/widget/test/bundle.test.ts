import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { join } from 'node:path';
import { brotliCompressSync } from 'node:zlib';
import { build, type Rolldown } from 'vite';
import { beforeAll, describe, expect, it } from 'vitest';

const ROOT = join(import.meta.dirname, '..');

/** The npm packages that `latchkey.js` may contain. */
const PACKAGES = ['lit', 'lit-html', 'lit-element', '@lit/reactive-element', 'oauth4webapi'];

/** Budgets in bytes after brotli, also of the benchmark. The files contain Lit and oauth4webapi exactly as they are published. */
const BUDGETS: Record<string, number> = JSON.parse(readFileSync(join(ROOT, 'size-budgets.json'), 'utf8'));

/** The module that `latchkey.js` imports. */
const PART = 'latchkey-sign-in.js';

beforeAll(() => {
  if (Object.keys(BUDGETS).every((file) => existsSync(join(ROOT, 'dist', file)))) return;
  execFileSync('npm', ['run', 'build'], { cwd: ROOT });
}, 120_000);

/** Returns the ids of the modules in a bundle. */
async function modulesOf(file: string): Promise<string[]> {
  // The build of `latchkey.js` makes its part too.
  const mode = file === PART ? 'latchkey' : file.replace('.js', '');
  const output = await build({ root: ROOT, mode, logLevel: 'error', build: { write: false } });
  const [{ output: chunks }] = output as [Rolldown.RolldownOutput];
  return chunks.flatMap((chunk) =>
    chunk.type === 'chunk' && chunk.fileName === file
      ? [
          ...chunk.imports.filter((id) => id !== 'latchkey.js'),
          ...Object.entries(chunk.modules)
            .filter(([, { code }]) => code)
            .map(([id]) => id),
        ]
      : [],
  );
}

it.each(Object.keys(BUDGETS).filter((file) => file !== PART))(
  '%s is a classic script: it exports nothing, and only latchkey.js imports',
  (file) => {
    const script = readFileSync(join(ROOT, 'dist', file), 'utf8');
    // Syntax of a module does not compile here.
    expect(() => new Function(script)).not.toThrow();
    expect(script.match(/\bimport\s*\(/g) ?? []).toHaveLength(file === 'latchkey.js' ? 1 : 0);
  },
);

describe.each(Object.entries(BUDGETS))('%s', (file, budget) => {
  const read = () => readFileSync(join(ROOT, 'dist', file));

  it(`has at most ${budget} bytes after brotli`, () => {
    const size = brotliCompressSync(read()).length;
    process.stdout.write(`${file}: ${size} bytes brotli of ${budget}, ${read().length} minified\n`);
    expect(size).toBeLessThanOrEqual(budget);
  });

  it('evaluates no text as code, so that a strict Content-Security-Policy lets it run', () => {
    expect(read().toString()).not.toMatch(/\bnew Function\b|[^.\w]eval\(|[^.\w]Function\(/);
  });

  it('contains neither zod nor a Node module', async () => {
    const modules = await modulesOf(file);
    expect(modules.filter((id) => /\/(packages|src)\//.test(id))).not.toEqual([]);
    expect(modules.filter((id) => /\/node_modules\/zod\//.test(id))).toEqual([]);
    expect(modules.filter((id) => isBuiltin(id) || /__vite-browser-external|^node:/.test(id))).toEqual([]);
    expect(read().toString()).not.toMatch(/\bzod\b|ZodError|safeParse|"node:|`node:|'node:/i);
  });

  it('contains no npm packages, except Lit and oauth4webapi in latchkey.js and its part', async () => {
    const modules = await modulesOf(file);
    const packages = modules.map((id) => /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(id)?.[1] ?? '');
    const allowed = /^latchkey(-sign-in|-all)?\.js$/.test(file) ? PACKAGES : [];
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

it('latchkey.js names the hash of its part, and shares its modules with it', async () => {
  const script = readFileSync(join(ROOT, 'dist/latchkey.js'), 'utf8');
  const part = readFileSync(join(ROOT, 'dist', PART));
  const hash = (name: string, form: 'hex' | 'base64') => createHash(name).update(part).digest(form);
  expect(script).toContain(`${PART}?v=${hash('sha256', 'hex').slice(0, 16)}`);
  expect(script).toContain(`sha256-${hash('sha256', 'base64')}`);
  const [inScript, inPart] = [await modulesOf('latchkey.js'), await modulesOf(PART)];
  expect(inScript.filter((id) => inPart.includes(id))).toEqual([]);
  expect(inScript.filter((id) => /oauth4webapi|sign-in-flow/.test(id))).toEqual([]);
  expect(inPart.filter((id) => /\/lit|login-failure/.test(id))).toEqual([]);
});

it('latchkey-plans.js contains neither Lit nor the session: it uses those of latchkey.js', async () => {
  const modules = await modulesOf('latchkey-plans.js');
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

describe('callback.html', () => {
  it('has each text of its script in the six other languages', () => {
    const html = readFileSync(join(ROOT, 'dist/callback.html'), 'utf8');
    const [, json = ''] = /id="callback-texts">(.*?)<\/script>/s.exec(html) ?? [];
    const texts: Record<string, Record<string, string>> = JSON.parse(json);
    expect(Object.keys(texts).sort()).toEqual(['ar', 'de', 'es', 'fr', 'ja', 'pt']);
    const source = readFileSync(join(ROOT, 'src/callback/hand-over.ts'), 'utf8');
    const shown = source.matchAll(/(?:title|text|label): '([A-Z].*?)'|[?:] '(For the .*?)'/g);
    const wanted = [...shown].map(([, text, hint]) => text ?? hint ?? '');
    expect(wanted.length).toBeGreaterThan(12);
    for (const [language, own] of Object.entries(texts))
      expect(
        wanted.filter((text) => own[text] === undefined),
        language,
      ).toEqual([]);
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
