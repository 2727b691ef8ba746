import { readFileSync } from 'node:fs';
import { describe, expect } from 'vitest';
import { DATA_ROUTES } from '../src/control/routes/routes.js';
import { callControl } from './control-caller.js';
import { it } from './sandbox-under-test.js';

describe('the documentation of the control API', () => {
  it('lists each endpoint once', async ({ service }) => {
    const { body } = await callControl<{ paths: Record<string, object> }>(service, 'GET /openapi.json');
    // The endpoints of all kinds of records share one row each.
    const rowOf = (path: string) =>
      path.replace('/sandbox/api', '').replace(/^\/data\/[a-z]+/, '/data/{kind}');
    const existing = Object.entries(body.paths).flatMap(([path, operations]) =>
      Object.keys(operations).map((method) => `${method.toUpperCase()} ${rowOf(path)}`),
    );
    const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8');
    const listed = [...readme.matchAll(/^\| `((?:GET|POST|PATCH|DELETE) \/[^`]*)` \|/gm)].map(
      ([, call]) => call,
    );
    expect(listed.toSorted()).toEqual([...new Set(existing)].toSorted());
  });

  it('has the stated endpoints of records for some kind', async ({ service }) => {
    const { body } = await callControl<{ paths: Record<string, object> }>(service, 'GET /openapi.json');
    for (const call of Object.keys(DATA_ROUTES)) {
      const [method = '', path = ''] = call.split(' ');
      const operations = body.paths[`/sandbox/api${path.replace('{kind}', 'users')}`];
      expect(Object.keys(operations ?? {}), call).toContain(method.toLowerCase());
    }
  });

  it('says of each kind what can be changed and ended', async ({ service }) => {
    const kinds = Object.keys((await callControl(service, 'GET /data')).body);
    const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8');
    const listed = [...readme.matchAll(/^\| `(\w+)` \| .* \| .* \|$/gm)].map(([, kind]) => kind);
    expect(listed).toEqual(expect.arrayContaining(kinds));
  });
});
