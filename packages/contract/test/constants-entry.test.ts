import { readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import * as contract from '@latchkey/contract';
import * as constants from '@latchkey/contract/constants';
import { describe, expect, it } from 'vitest';

const IMPORT = /^(?:import|export)\s+(?:[\w\s{},*]+\s+from\s+)?['"]([^'"]+)['"];?$/gm;

/** Collects the modules that a built file imports, directly or through relative imports. */
function importedModules(file: string, seen = new Set<string>()): Set<string> {
  if (seen.has(file)) return seen;
  seen.add(file);
  for (const [, specifier = ''] of readFileSync(file, 'utf8').matchAll(IMPORT)) {
    if (specifier.startsWith('.')) importedModules(resolve(dirname(file), specifier), seen);
    else seen.add(specifier);
  }
  return seen;
}

function entry(specifier: string): string {
  return new URL(import.meta.resolve(specifier)).pathname;
}

describe('the constants entry', () => {
  it('imports neither zod nor a Node module', () => {
    const modules = [...importedModules(entry('@latchkey/contract/constants'))];
    expect(modules.length).toBeGreaterThan(3);
    expect(modules.filter((module) => !module.startsWith('/'))).toEqual([]);
  });

  it('shares no name with the main entry', () => {
    expect(Object.keys(constants).filter((name) => name in contract)).toEqual([]);
  });
});

describe('the main entry', () => {
  it('imports no package but zod', () => {
    const modules = [...importedModules(entry('@latchkey/contract'))];
    expect(modules.filter((module) => !module.startsWith('/'))).toEqual(['zod']);
  });
});
