import { existsSync, readFileSync } from 'node:fs';
import { describe, expect } from 'vitest';
import { RESERVED_OPTIONS } from '../src/start-sandbox.js';
import { parsePage, textOf } from './page-document.js';
import { it, type SandboxUnderTest } from './sandbox-under-test.js';

const ROOT = new URL('../../../', import.meta.url);
const DECISIONS = readFileSync(new URL('packages/server/DECISIONS.md', ROOT), 'utf8');
const HEADING = '## What only the sandbox does';

/** Returns the first cells of all rows, without markup. */
function questionsIn(markdown: string): string[] {
  const rows = markdown.split('\n').filter((line, index, lines) => {
    const isHeader = /^\|[\s|:-]+$/.test(lines[index + 1] ?? '');
    return line.startsWith('| ') && !isHeader && !/^\|[\s|:-]+$/.test(line);
  });
  return rows.map((row) => (row.split(' | ')[0] ?? '').slice(2).replaceAll('`', ''));
}

async function list(service: SandboxUnderTest, query = '') {
  const response = await service.request(`/sandbox/parity${query}`);
  expect(response.status).toBe(200);
  return parsePage(await response.text());
}

describe('the parity list', () => {
  it('contains every decision once', async ({ service }) => {
    const $ = await list(service);
    const shown = $('#decisions tbody tr')
      .toArray()
      .map((row) => $(row).find('th').first().text().trim());
    const questions = questionsIn(DECISIONS);
    expect(questions.length).toBeGreaterThan(150);
    expect(shown.toSorted()).toEqual(questions.toSorted());
    expect(textOf($, '#left')).toBe(`${questions.length} rows`);
  });

  it('begins with what only the sandbox does, and links to each part', async ({ service }) => {
    const $ = await list(service);
    expect(textOf($, '#decisions h2:first')).toBe('What only the sandbox does');
    for (const link of $('nav[aria-label="Parts"] a').toArray())
      expect($(`[id="${$(link).attr('href')?.slice(1)}"]`)).toHaveLength(1);
  });

  it('limits the rows to a text, without a script', async ({ service }) => {
    const $ = await list(service, '?text=SMTP%20server');
    expect($('#decisions tbody tr').length).toBeGreaterThan(0);
    for (const row of $('#decisions tbody tr').toArray())
      expect($(row).text().toLowerCase()).toContain('smtp server');
    expect($('#filter').attr('value')).toBe('SMTP server');
    const none = await list(service, '?text=%3Cscript%3Ex');
    expect(textOf(none, '.empty')).toContain('No row contains this text.');
    expect(none('script:not([src])')).toHaveLength(0);
  });
});

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
