import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { checkoutSchema } from '../src/checkout/checkout-options.js';
import { GATE_OPTION_NAMES } from '../src/gates/gate-options.js';
import { readOptions } from '../src/options.js';
import { optionsSchema } from '../src/options-schema.js';
import { readWebhookOptions, webhookOptionsSchema } from '../src/webhooks/webhook-settings.js';
import { COOKIE_SECRET } from './cookie-secret.js';

const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8');

/** Returns the rows of the table under a heading: name, type, default, unit, meaning. */
function rowsUnder(
  heading: string,
): Map<string, { type: string; byDefault: string; unit: string; meaning: string }> {
  const [, section = ''] = readme.split(`\n### ${heading}\n`);
  const [body = ''] = section.split('\n#', 1);
  const cells = body
    .split('\n')
    .filter((line) => line.startsWith('| `'))
    // A bar inside a type is written `\|`.
    .map((line) => line.split(/(?<!\\)\|/).map((cell) => cell.trim()));
  return new Map(
    cells.map(([, name = '', type = '', byDefault = '', unit = '', meaning = '']) => [
      name.replaceAll('`', ''),
      { type, byDefault, unit, meaning },
    ]),
  );
}

/** Returns the names of all options. Nested options have the name of their object as prefix. */
function namesIn(schema: { shape: Readonly<Record<string, unknown>> }, prefix = ''): string[] {
  return Object.entries(schema.shape).flatMap(([name, field]) => {
    const inner = objectIn(field);
    return inner === undefined ? [`${prefix}${name}`] : namesIn(inner, `${prefix}${name}.`);
  });
}

/** Returns the object schema of a field without its wrappers. */
function objectIn(field: unknown): { shape: Readonly<Record<string, unknown>> } | undefined {
  if (typeof field !== 'object' || field === null) return undefined;
  if ('shape' in field) return field as { shape: Readonly<Record<string, unknown>> };
  return 'unwrap' in field && typeof field.unwrap === 'function' ? objectIn(field.unwrap()) : undefined;
}

const numberIn = (cell: string) => Number(cell.replace(/[`\s]/g, ''));

const defaults = readOptions({
  serviceUrl: 'https://service.example',
  clientId: `oac_${'a'.repeat(24)}`,
  appUrl: 'https://shop.example',
  cookieSecret: COOKIE_SECRET,
});
const webhookDefaults = readWebhookOptions({ secret: 'ab'.repeat(32), store: 'memory' });

describe('the tables of options in README.md', () => {
  it('contain every option of latchkey(), and no other', () => {
    expect([...rowsUnder('Options of `latchkey()`').keys()].sort()).toEqual(namesIn(optionsSchema).sort());
  });

  it('contain every option of webhooks(), and no other', () => {
    const names = [...rowsUnder('Options of `webhooks()`').keys()];
    expect(names.sort()).toEqual(Object.keys(webhookOptionsSchema.shape).sort());
  });

  it('contain every option of auth.checkout(), and no other', () => {
    const names = [...rowsUnder('Options of `auth.checkout()`').keys()];
    expect(names.sort()).toEqual(Object.keys(checkoutSchema.shape).sort());
  });

  it('contain the actual defaults of auth.checkout()', () => {
    const rows = rowsUnder('Options of `auth.checkout()`');
    const { holdSeconds, waitSeconds } = checkoutSchema.shape;
    for (const [name, schema] of Object.entries({ holdSeconds, waitSeconds })) {
      expect(numberIn(rows.get(name)?.byDefault ?? ''), name).toBe(schema.parse(undefined));
    }
  });

  it('contain every option of gates, and no other', () => {
    expect([...rowsUnder('Options of gates').keys()].sort()).toEqual([...GATE_OPTION_NAMES].sort());
  });

  it.each([
    'Options of `latchkey()`',
    'Options of `auth.checkout()`',
    'Options of `webhooks()`',
    'Options of gates',
  ])('have no empty cell in %s', (heading) => {
    for (const [name, row] of rowsUnder(heading)) expect(Object.values(row), name).not.toContain('');
  });

  it('contain the actual defaults of latchkey()', () => {
    const rows = rowsUnder('Options of `latchkey()`');
    const told = (name: string) => numberIn(rows.get(name)?.byDefault ?? '');
    expect({
      absoluteMs: told('session.absoluteSeconds') * 1000,
      rollingMs: told('session.rollingSeconds') * 1000,
      storeTimeoutMs: told('session.storeTimeoutMs'),
      timeoutMs: told('timeoutMs'),
      mountPath: rows.get('mountPath')?.byDefault.replaceAll('`', ''),
      scopes: rows.get('scopes')?.byDefault.replaceAll('`', ''),
    }).toEqual({
      absoluteMs: defaults.absoluteMs,
      rollingMs: defaults.rollingMs,
      storeTimeoutMs: defaults.storeTimeoutMs,
      timeoutMs: defaults.timeoutMs,
      mountPath: defaults.mountPath,
      scopes: `['${defaults.scopes.join("', '")}']`,
    });
  });

  it('contain the actual defaults of webhooks()', () => {
    const rows = rowsUnder('Options of `webhooks()`');
    const told = (name: string) => numberIn(rows.get(name)?.byDefault ?? '');
    expect({
      timeoutMs: told('timeoutMs'),
      leaseMs: told('leaseSeconds') * 1000,
      keepMs: told('keepSeconds') * 1000,
      maxBodyBytes: told('maxBodyBytes'),
    }).toEqual({
      timeoutMs: webhookDefaults.timeoutMs,
      leaseMs: webhookDefaults.leaseMs,
      keepMs: webhookDefaults.keepMs,
      maxBodyBytes: webhookDefaults.maxBodyBytes,
    });
  });
});
