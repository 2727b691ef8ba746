import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { SKILLS } from '../../packages/sandbox/src/docs/docs-pages.js';

const PACKAGES = join(import.meta.dirname, '../../packages');
/** Longest description that assistants accept. */
const DESCRIPTION_MAX = 1_024;

describe.each(SKILLS)('$file', ({ name, file }) => {
  const folder = join(PACKAGES, '..', dirname(file));
  const text = readFileSync(join(folder, 'SKILL.md'), 'utf8');
  const [, front = '', body = ''] = /^---\n(.*?)\n---\n\n(.*)$/s.exec(text) ?? [];

  it('begins with its name and a description of when to use it', () => {
    const fields = new Map(
      front.split('\n').map((line) => [line.split(': ')[0], line.replace(/^\w+: /, '')]),
    );
    expect([...fields.keys()]).toEqual(['name', 'description']);
    expect(fields.get('name')).toBe(name);
    const description = fields.get('description') ?? '';
    expect(description.length).toBeLessThanOrEqual(DESCRIPTION_MAX);
    expect(description).toMatch(/ Use it /);
    // A colon before a space would begin another field.
    expect(description).not.toContain(': ');
  });

  it('has steps, code, rules and a way to more', () => {
    const headings = [...body.matchAll(/^##? (.*)$/gm)].map(([, heading]) => heading);
    expect(headings.slice(1)).toEqual(['When to use it', 'Steps', 'Rules that must not be broken', 'More']);
    expect(body).toMatch(/^ *```(?:ts|html|sh)$/m);
    const [, rules = ''] = /\n## Rules that must not be broken\n(.*?)\n## /s.exec(body) ?? [];
    expect(rules.match(/^- /gm)?.length).toBeGreaterThanOrEqual(5);
    expect(body.split('\n').length).toBeLessThan(120);
  });

  it('is published, and refers to files of its own package only', () => {
    const { files } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as {
      files: string[];
    };
    expect(files).toContain('SKILL.md');
    expect(body).not.toContain('](../');
    expect(body).not.toMatch(/`(?:packages|docs|examples|scripts)\//);
    expect(existsSync(join(folder, 'README.md'))).toBe(true);
  });
});

it('the page in the skill of the widget is that of its README', () => {
  const read = (file: string) => readFileSync(join(PACKAGES, 'widget', file), 'utf8');
  const [, html = ''] = /```html\n(.*?)```/s.exec(read('SKILL.md')) ?? [];
  expect(read('README.md')).toContain(html);
});
