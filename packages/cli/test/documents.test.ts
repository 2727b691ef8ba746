import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ADMIN_COMMANDS } from '../src/admin/admin-commands.js';
import { type Flag, flagName } from '../src/command-line/flag.js';
import { SERVE_FLAGS } from '../src/serve/serve-flags.js';

const ROOT = join(import.meta.dirname, '../../..');
const DOCUMENTS = ['packages/cli/README.md', ...globSync('examples/deployment/*', { cwd: ROOT })];

const SERVE = Object.entries<Flag>(SERVE_FLAGS);
const ADMIN = new Map(
  ADMIN_COMMANDS.map(({ name, flags }) => [
    name,
    [...Object.keys(flags).map(flagName), '--database', '--base-url', '--json'],
  ]),
);

/** Every call of a command in a document, its continued lines joined, up to the end of the line. */
function callsOf(text: string, command: string): string[] {
  return [
    ...text.replaceAll(/\\\n\s*/g, ' ').matchAll(new RegExp(`latchkey ${command}\\b([^\\n\`|]*)`, 'g')),
  ].map(([, call = '']) => call);
}

const flagsIn = (call: string) => call.match(/--[a-z][a-z-]*/g) ?? [];

describe.each(DOCUMENTS)('%s', (document) => {
  const text = readFileSync(join(ROOT, document), 'utf8');

  it('names only variables that are read', () => {
    const known = SERVE.flatMap(
      ([
        ,
        {
          text: { variable },
        },
      ]) => variable ?? [],
    );
    expect((text.match(/LATCHKEY_[A-Z_]+/g) ?? []).filter((name) => !known.includes(name))).toEqual([]);
  });

  it('calls serve with flags that it has', () => {
    const known = SERVE.map(([setting]) => flagName(setting));
    expect(
      callsOf(text, 'serve')
        .flatMap(flagsIn)
        .filter((flag) => !known.includes(flag)),
    ).toEqual([]);
  });

  it('calls admin commands that exist, with flags that they have', () => {
    for (const call of callsOf(text, 'admin')) {
      const [, name = ''] = /^ ([a-z][a-z-]*)/.exec(call) ?? [];
      if (name === '') continue;
      expect(ADMIN.has(name), name).toBe(true);
      expect(
        flagsIn(call).filter((flag) => !ADMIN.get(name)?.includes(flag)),
        call,
      ).toEqual([]);
    }
  });
});

it('The README tells every flag and variable of serve', () => {
  const text = readFileSync(join(ROOT, 'packages/cli/README.md'), 'utf8');
  for (const [
    setting,
    {
      text: { variable = '' },
    },
  ] of SERVE) {
    expect(text).toContain(`\`${flagName(setting)}\``);
    expect(text).toContain(`\`${variable}\``);
  }
});
