import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fuzzRuns } from '../../../scripts/fuzz-runs.mjs';
import { UsageError } from '../src/command-line/command-failure.js';
import { flagsOf } from '../src/command-line/flag.js';
import { readSettings } from '../src/command-line/read-settings.js';
import { sandboxSettings } from '../src/sandbox/sandbox-command.js';
import { serveSettings } from '../src/serve/serve-command.js';

/** Part of every secret. It must not appear in an error. */
const SECRET = 'hunter2-of-the-fuzzer';
const VALID: Readonly<Record<string, string>> = {
  database: 'sqlite::memory:',
  smtpUrl: 'smtp://127.0.0.1:25',
};

const oddText = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.constantFrom(
    ...[
      '0',
      '-1',
      '65536',
      '1e3',
      '٣',
      '1.5',
      '9'.repeat(40),
      'true',
      'yes',
      'TRUE',
      ' ',
      '\t',
      '0s',
      '10x',
      '999999999m',
    ],
    ...[
      'http://',
      'https://members.example/path',
      'https://members.example',
      'http://10.0.0.1',
      'https://[::1',
      'file:///etc',
    ],
    ...[
      '::',
      '0.0.0.0',
      'localhost.evil.example',
      '127.1',
      '10.0.0.0/8',
      '10.0.0.0/99',
      'uniquelocal',
      ',',
      '__proto__',
    ],
    ...[
      'svc_',
      'X-Svc-',
      '#b4541a',
      'data:image/png,',
      'Name <a@b.example>',
      '\u001b[2J',
      '\u202e',
      '{traceId}',
      'https://l/{traceId}',
    ],
  ),
  fc
    .tuple(fc.constantFrom('a', '1', '/', ':', '@', '.', '-', '😀'), fc.nat(20_000))
    .map(([unit, times]) => unit.repeat(times)),
);

/** Values that contain a password where one can be. */
const secretText = fc
  .tuple(
    fc.constantFrom(
      '',
      'postgres://',
      'postgres://user:',
      'smtp://user:',
      'smtps://:',
      'mysql://u:',
      'user:',
    ),
    fc.constantFrom('', '@', '@host', '@host:99999', '@[::1', '@host/db?connection_limit=x', '%zz@host/db'),
  )
  .map(([before, after]) => `${before}${SECRET}${after}`);

describe.each([
  ['serve', serveSettings],
  ['sandbox', sandboxSettings],
] as const)('any environment of %s', (_name, schema) => {
  const flags = flagsOf(schema);
  const variables = flags.flatMap(({ setting, meta: { variable, isSecret = false } }) =>
    variable === undefined ? [] : [{ setting, variable, isSecret }],
  );

  it('is read in bounded time, or rejected with printable errors that contain no secret', () => {
    expect(variables.length).toBeGreaterThan(10);
    const value = ({ isSecret, setting }: { isSecret: boolean; setting: string }) =>
      fc.oneof(
        { weight: 2, arbitrary: fc.constant(VALID[setting]) },
        isSecret ? fc.oneof(secretText, oddText) : oddText,
      );
    const environment = fc.record(
      Object.fromEntries(variables.map((variable) => [variable.variable, value(variable)])),
      { requiredKeys: [] },
    );
    fc.assert(
      fc.property(environment, (env) => {
        const started = performance.now();
        try {
          readSettings(schema, { given: new Map(), env });
        } catch (error) {
          expect(error).toBeInstanceOf(UsageError);
          for (const text of (error as UsageError).errors) {
            expect(text).not.toContain(SECRET);
            expect(text).toMatch(/^\P{Cc}+$/u);
            expect(text.length).toBeLessThan(2_000);
          }
        }
        expect(performance.now() - started).toBeLessThan(1_000);
      }),
      fuzzRuns(150),
    );
  });
});
