import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';

const ROOT = join(import.meta.dirname, '../..');
const documents = globSync('{*.md,{docs,packages,demo,examples}/**/*.md}', {
  cwd: ROOT,
  exclude: ['**/{node_modules,dist}/**'],
}).sort();

describe.each(documents)('%s', (document) => {
  const text = readFileSync(join(ROOT, document), 'utf8');

  it('names only files that exist', () => {
    const missing = [...linkedPaths(text), ...quotedPaths(text)].filter(
      (path) => !existsSync(join(ROOT, dirname(document), path)) && !existsSync(join(ROOT, path)),
    );
    expect(missing).toEqual([]);
  });

  it('names only npm scripts that exist', () => {
    const scripts = globSync('{package.json,{packages,demo,e2e}/**/package.json}', {
      cwd: ROOT,
      exclude: ['**/{node_modules,dist}/**'],
    }).flatMap((file) => Object.keys(JSON.parse(readFileSync(join(ROOT, file), 'utf8')).scripts ?? {}));
    const named = [...text.matchAll(/(?:^|`)npm run ([\w:-]+)/gm)].map(([, name = '']) => name);
    expect(named.filter((name) => !scripts.includes(name))).toEqual([]);
  });
});

describe('what contributors read', () => {
  const section = (document: string, title: string) =>
    (readFileSync(join(ROOT, document), 'utf8').split(`\n## ${title}\n`)[1] ?? '').split('\n## ')[0] ?? '';

  it('lists the files of a new field, as the patch that a test applies', () => {
    const patch = readFileSync(join(ROOT, 'scripts/test/new-field/tagline.patch'), 'utf8');
    const patched = [...patch.matchAll(/^diff --git a\/(\S+)/gm)].map(([, file]) => file);
    const listed = section('CONTRIBUTING.md', 'How to add a field').matchAll(/^\| `(packages\/[^`]+)` \|/gm);
    expect([...listed].map(([, file]) => file).sort()).toEqual(patched.sort());
  });

  it.each(['kit', 'server', 'widget'])('follows a request through the %s, file by file', (part) => {
    const architecture = readFileSync(join(ROOT, 'ARCHITECTURE.md'), 'utf8');
    const [title = ''] = new RegExp(`(?<=^## )One .* through the ${part}$`, 'm').exec(architecture) ?? [];
    expect(quotedPaths(section('ARCHITECTURE.md', title)).length).toBeGreaterThan(8);
  });
});

function linkedPaths(text: string): string[] {
  return [...text.matchAll(/\]\((?!https?:|#|mailto:)([^)#\s]+)/g)].map(([, path = '']) => path);
}

/** Returns the paths in backticks that start at a top-level folder and contain no placeholder. */
function quotedPaths(text: string): string[] {
  return [...text.matchAll(/`((?:packages|scripts|docs|demo|e2e|examples)\/[\w./-]*)`/g)].map(
    ([, path = '']) => path,
  );
}
