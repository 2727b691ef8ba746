import { readFileSync } from 'node:fs';
import { describe, expect } from 'vitest';
import { callControl } from './control-caller.js';
import { it } from './sandbox-under-test.js';

describe('the documentation of the control API', () => {
  it('lists each endpoint once', async ({ service }) => {
    const { body } = await callControl<{ paths: Record<string, object> }>(service, 'GET /openapi.json');
    const existing = Object.entries(body.paths).flatMap(([path, operations]) =>
      Object.keys(operations).map((method) => `${method.toUpperCase()} ${path.replace('/sandbox/api', '')}`),
    );
    const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8');
    const listed = [...readme.matchAll(/^\| `((?:GET|POST|DELETE) \/[^`]*)` \|/gm)].map(([, call]) => call);
    expect(listed.toSorted()).toEqual(existing.toSorted());
  });
});
