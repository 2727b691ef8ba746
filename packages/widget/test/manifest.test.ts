import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { describeElements } from '../manifest.mjs';

const ROOT = join(import.meta.dirname, '..');

describe('the generated description of the elements', () => {
  it('matches the sources: else run `npm run manifest -w @latchkey/widget`', () => {
    for (const [name, text] of Object.entries(describeElements()))
      expect(readFileSync(join(ROOT, name), 'utf8'), name).toBe(text);
  });

  it('names existing files, and package.json names it', () => {
    const { customElements, exports, files } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
    expect(customElements).toBe('custom-elements.json');
    for (const name of ['custom-elements.json', 'vscode.html-custom-data.json']) {
      expect(files).toContain(name);
      expect(exports[`./${name}`]).toBe(`./${name}`);
    }
    const { modules } = JSON.parse(readFileSync(join(ROOT, customElements), 'utf8'));
    expect(modules).toHaveLength(6);
    for (const { path } of modules) expect(existsSync(join(ROOT, path)), path).toBe(true);
  });

  it('is complete in the README: attributes, slots, parts, custom properties and events', () => {
    const readme = readFileSync(join(ROOT, 'README.md'), 'utf8');
    const { modules } = JSON.parse(readFileSync(join(ROOT, 'custom-elements.json'), 'utf8')) as {
      modules: { declarations: Record<string, { name: string }[] | undefined>[] }[];
    };
    const names = modules
      .flatMap(({ declarations }) => declarations)
      .flatMap(({ attributes = [], slots = [], cssParts = [], cssProperties = [], events = [] }) => [
        ...attributes,
        ...slots,
        ...cssParts,
        ...cssProperties,
        ...events,
      ])
      .map(({ name }) => name)
      .filter((name) => name !== '');
    expect(names.length).toBeGreaterThan(50);
    expect([...new Set(names)].filter((name) => !readme.includes(`\`${name}\``))).toEqual([]);
  });
});
