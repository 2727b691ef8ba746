import { existsSync, readFileSync } from 'node:fs';
import { describe, expect } from 'vitest';
import { RESERVED_OPTIONS } from '../src/start-sandbox.js';
import { parsePage, textOf } from './page-document.js';
import { it } from './sandbox-under-test.js';

const ROOT = new URL('../../../', import.meta.url);
const DECISIONS = readFileSync(new URL('packages/server/DECISIONS.md', ROOT), 'utf8');
const HEADING = '## What only the sandbox does';

describe('the section about the sandbox', () => {
  const section = DECISIONS.slice(DECISIONS.indexOf(HEADING));

  it('has an entry for each option that the sandbox sets itself', () => {
    for (const option of RESERVED_OPTIONS) expect(section).toContain(`\`${option}\``);
  });

  it('names files that exist', () => {
    const files = [...section.matchAll(/`((?:packages|docs)\/[^`]+)`/g)].map(([, file]) => file ?? '');
    expect(files.length).toBeGreaterThan(20);
    expect(files.filter((file) => !existsSync(new URL(file, ROOT)))).toEqual([]);
  });
});

it('the API reference has the navigation of the sandbox, and its own link', async ({ service }) => {
  const $ = parsePage(await (await service.request('/reference')).text());
  expect($('.tool-nav a[aria-current="page"]').text()).toBe('Reference');
  expect(textOf($, '.site-header')).toContain('OpenAPI');
  const own = $('link[rel="stylesheet"]')
    .toArray()
    .map(({ attribs }) => attribs.href ?? '');
  expect(own.filter((href) => href.includes('sandbox'))).toHaveLength(1);
});
