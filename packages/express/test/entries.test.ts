import { readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const SRC = fileURLToPath(new URL('../src/', import.meta.url));

/** Everything that an entry loads at run time: its own files, by their path below src, and packages. */
function loadedBy(entry: string): { files: string[]; packages: string[] } {
  const files = new Set<string>();
  const packages = new Set<string>();
  const visit = (file: string) => {
    if (files.has(file)) return;
    files.add(file);
    const code = readFileSync(file, 'utf8');
    const imports = /^(?:import|export) (?!type\b)(?:[^;]*? from )?'([^']+)'/gm;
    for (const [, name = ''] of code.matchAll(imports)) {
      if (name.startsWith('.')) visit(join(dirname(file), name.replace(/\.js$/, '.ts')));
      else packages.add(name);
    }
  };
  visit(join(SRC, entry));
  return { files: [...files].map((file) => relative(SRC, file)), packages: [...packages].sort() };
}

describe('The entries of the package', () => {
  it('load nothing for tests, unless it is the one for tests', () => {
    for (const entry of ['index.ts', 'webhooks/index.ts']) {
      const { files } = loadedBy(entry);
      expect(files.length).toBeGreaterThan(10);
      expect(files.filter((file) => file.startsWith('testing'))).toEqual([]);
    }
    expect(loadedBy('testing/index.ts').files).toContain('testing/test-service.ts');
  });

  it('webhooks needs no Express: other frameworks take it as it is', () => {
    expect(loadedBy('webhooks/index.ts').packages).toEqual([
      '@latchkey/contract',
      '@latchkey/contract/constants',
      'node:crypto',
    ]);
    expect(loadedBy('index.ts').packages).toContain('express');
  });
});
