import { readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const SRC = fileURLToPath(new URL('../src/', import.meta.url));

/** Files below src and packages that an entry loads at run time. */
function loadedBy(entry: string): { files: string[]; packages: string[] } {
  const files = new Set<string>();
  const packages = new Set<string>();
  const follow = (file: string) => {
    if (files.has(file)) return;
    files.add(file);
    const code = readFileSync(file, 'utf8');
    const imports = /^(?:import|export) (?!type\b)(?:[^;]*? from )?'([^']+)'/gm;
    for (const [, name = ''] of code.matchAll(imports)) {
      if (name.startsWith('.')) follow(join(dirname(file), name.replace(/\.js$/, '.ts')));
      else packages.add(name);
    }
  };
  follow(join(SRC, entry));
  return { files: [...files].map((file) => relative(SRC, file)), packages: [...packages].sort() };
}

describe('the entries of the package', () => {
  it('load no test helpers, except the testing entry', () => {
    for (const entry of ['index.ts', 'webhooks/index.ts']) {
      const { files } = loadedBy(entry);
      expect(files.length).toBeGreaterThan(10);
      expect(files.filter((file) => file.startsWith('testing'))).toEqual([]);
    }
    expect(loadedBy('testing/index.ts').files).toContain('testing/test-service.ts');
  });

  it('load no Express in the webhooks entry', () => {
    expect(loadedBy('webhooks/index.ts').packages).toEqual([
      '@latchkey/contract',
      '@latchkey/contract/constants',
      'node:crypto',
      'zod',
    ]);
    expect(loadedBy('index.ts').packages).toContain('express');
  });
});
