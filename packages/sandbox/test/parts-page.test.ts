import { describe, expect } from 'vitest';
import { longText } from '../src/parts/long-text.js';
import { parsePage } from './page-document.js';
import { it, type SandboxUnderTest } from './sandbox-under-test.js';

async function parts(service: SandboxUnderTest, query = '') {
  const response = await service.request(`/sandbox/parts${query}`);
  expect(response.status).toBe(200);
  return parsePage(await response.text());
}

describe('the page of parts', () => {
  it('shows every kind of button, status and field', async ({ service }) => {
    const $ = await parts(service);
    for (const kind of ['primary', 'secondary', 'danger', 'quiet']) {
      expect($(`.button.${kind}`).length, kind).toBeGreaterThan(0);
    }
    for (const tone of ['good', 'warn', 'bad', 'neutral']) {
      expect($(`.pill-${tone}`).length, tone).toBeGreaterThan(0);
    }
    for (const part of [
      'table',
      '.empty-state',
      '[popover]',
      '.copy-field',
      '.code-block',
      '.error-summary',
    ]) {
      expect($(part).length, part).toBeGreaterThan(0);
    }
    expect($('input[aria-invalid="true"]').length).toBeGreaterThan(0);
  });

  it('sets scheme, direction and length of the texts by its address, without a script', async ({
    service,
  }) => {
    const $ = await parts(service, '?scheme=dark&dir=rtl&long=1');
    expect($('html').attr()).toMatchObject({ dir: 'rtl', 'data-scheme': 'dark', lang: 'en' });
    const scheme = $('link[rel="stylesheet"]').last().attr('href') ?? '';
    expect(await (await service.request(scheme)).text()).toContain(':root[data-scheme="dark"]');
    expect($('.button.primary').first().text()).toBe(longText('Save changes'));
    expect($('nav[aria-label="Colour scheme"] [aria-current="page"]').text()).toBe('Dark');
    expect($('nav[aria-label="Direction"] a').first().attr('href')).toBe('/sandbox/parts?scheme=dark&long=1');
  });

  it('ignores values that it does not know', async ({ service }) => {
    const $ = await parts(service, '?scheme=%22%3E%3Cscript%3E&dir=up&long=2');
    expect($('html').attr()).toEqual({ lang: 'en' });
    expect($('link[href*="scheme"]')).toHaveLength(0);
  });
});

describe('long texts', () => {
  it('are at least 1.4 times as long, with letters of other alphabets', () => {
    expect(longText('Save changes')).toBe('Sávë chángës·····');
  });
});
