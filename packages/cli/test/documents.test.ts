import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { RecordKind } from '@latchkey/server/schemas';
import { describe, expect, it } from 'vitest';
import { ADMIN_COMMANDS, settingsOf, singularOf } from '../src/admin/admin-command.js';
import { type Flag, flagsOf } from '../src/command-line/flag.js';
import {
  callerSettings,
  conformanceSettings,
  paymentsSettings,
} from '../src/conformance/conformance-settings.js';
import { CONTROL_COMMANDS } from '../src/control/add-control-commands.js';
import { doctorSettings } from '../src/doctor/doctor-settings.js';
import { KNOWN_VARIABLES } from '../src/environment.js';
import { initSettings } from '../src/init/init-command.js';
import { mcpSettings } from '../src/mcp/mcp-command.js';
import { SANDBOX_TOOLS } from '../src/mcp/sandbox-tools.js';
import { sandboxSettings } from '../src/sandbox/sandbox-command.js';
import { serveSettings } from '../src/serve/serve-command.js';

const ROOT = join(import.meta.dirname, '../../..');
const README = readFileSync(join(ROOT, 'packages/cli/README.md'), 'utf8');
const DOCUMENTS = [
  'README.md',
  'packages/cli/README.md',
  'packages/cli/SKILL.md',
  'docs/live-service.md',
  ...globSync('examples/deployment/*', { cwd: ROOT }),
];
/** Variables of the demo. */
const DEMO_VARIABLES = ['LATCHKEY_SHOP_PORT', 'LATCHKEY_BACKEND_SHOP_PORT'];

const ADMIN = new Map(
  ADMIN_COMMANDS.map((command) => [
    `${command.verb} ${command.name}`,
    flagsOf(settingsOf(command)).map((flag) => flag.name),
  ]),
);

/** Settings of the commands that call a sandbox, by the words of the command. */
const CONTROL = new Map(
  CONTROL_COMMANDS.flatMap(({ command, commands }) => [
    ...('settings' in command ? [[command.name, command.settings] as const] : []),
    ...commands.map((child) => [`${command.name} ${child.name}`, child.settings] as const),
  ]),
);

const visible = ({ meta }: Flag) => meta.isHidden !== true;

/** All calls of a command in a document. Continued lines are joined. */
function callsOf(text: string, command: string): string[] {
  return [
    ...text.replaceAll(/\\\n\s*/g, ' ').matchAll(new RegExp(`latchkey ${command}\\b([^\\n\`|]*)`, 'g')),
  ].map(([, call = '']) => call);
}

const flagsIn = (call: string) => call.match(/--[a-z][a-z-]*/g) ?? [];

describe.each(DOCUMENTS)('%s', (document) => {
  const text = readFileSync(join(ROOT, document), 'utf8');

  it('names only existing variables', () => {
    const known = [...KNOWN_VARIABLES, ...DEMO_VARIABLES];
    // Apps choose the names of the variables that they read themselves.
    const named = text.match(/(?<!process\.env\.)LATCHKEY_[A-Z_]+/g) ?? [];
    expect(named.filter((name) => !known.includes(name))).toEqual([]);
  });

  it.for([
    ['serve', serveSettings],
    ['sandbox', sandboxSettings],
    ['doctor', doctorSettings],
    ['mcp', mcpSettings],
    ['init', initSettings],
  ] as const)('calls %s with existing flags', ([command, settings]) => {
    const known = flagsOf(settings).map(({ name }) => name);
    expect(
      callsOf(text, command)
        .flatMap(flagsIn)
        .filter((flag) => !known.includes(flag)),
    ).toEqual([]);
  });

  it('calls commands for a running sandbox with existing flags', () => {
    for (const [name] of [...CONTROL].filter(([words]) => !words.includes(' '))) {
      for (const call of callsOf(text, name)) {
        const [, child = ''] = /^ ([a-z]+)/.exec(call) ?? [];
        const settings = CONTROL.get(`${name} ${child}`) ?? CONTROL.get(name);
        const known = settings === undefined ? [] : flagsOf(settings).map((flag) => flag.name);
        expect(
          flagsIn(call).filter((flag) => !known.includes(flag)),
          `latchkey ${name}${call}`,
        ).toEqual([]);
      }
    }
  });

  it('calls existing admin commands with existing flags', () => {
    for (const call of callsOf(text, 'admin')) {
      const [, name = ''] = /^ ([a-z]+ [a-z]+)/.exec(call) ?? [];
      if (name === '') continue;
      expect(ADMIN.has(name), name).toBe(true);
      expect(
        flagsIn(call).filter((flag) => !ADMIN.get(name)?.includes(flag)),
        call,
      ).toEqual([]);
    }
  });
});

describe('the tables of packages/cli/README.md', () => {
  it.for([
    ['serve', serveSettings],
    ['sandbox', sandboxSettings],
  ] as const)('contain every flag, variable and default of %s', ([, settings]) => {
    for (const { name, defaultValue, meta } of flagsOf(settings).filter(visible)) {
      const key = meta.isVariableOnly === true ? meta.variable : name;
      const row = README.split('\n').filter((line) => line.startsWith('|') && line.includes(`\`${key}\``));
      expect(row.join('\n'), name).toContain(`\`${meta.variable}\``);
      if (defaultValue !== undefined) expect(row.join('\n'), name).toContain(`\`${defaultValue}\``);
    }
  });

  it.for([
    ['Doctor', doctorSettings],
    ['Conformance', conformanceSettings],
    ['Conformance of clients', callerSettings],
    ['Conformance of payment providers', paymentsSettings],
  ] as const)('contain every flag and variable of %s', ([heading, settings]) => {
    const [, section = ''] = README.split(`\n## ${heading}\n`);
    const [text = ''] = section.split('\n## ');
    for (const { name, meta } of flagsOf(settings)) {
      const isSecret = meta.isVariableOnly === true;
      const rows = text
        .split('\n')
        .filter((line) => line.startsWith(`| \`${isSecret ? meta.variable : name}\` |`));
      expect(rows, name).toHaveLength(1);
      if (!isSecret && meta.variable !== undefined) expect(rows[0]).toContain(`\`${meta.variable}\``);
    }
  });

  it.for([...CONTROL])('contain %s with its arguments', ([words, settings]) => {
    const positional = flagsOf(settings).filter(({ meta }) => meta.isArgument === true);
    const usage = positional.map(({ name, isRequired }) => (isRequired ? name : `[${name.slice(1, -1)}]`));
    expect(README).toContain(`\n| \`latchkey ${[words, ...usage].join(' ')}\` |`);
  });

  it('contain every flag of init', () => {
    const [, section = ''] = README.split('\n## A working site\n');
    const [text = ''] = section.split('\n## ');
    const rows = [...text.matchAll(/^\| (`--.*?) \|/gm)].flatMap(
      ([, names = '']) => names.match(/--[a-z-]+/g) ?? [],
    );
    const flags = flagsOf(initSettings).filter(({ meta }) => !meta.isArgument && !meta.isVariableOnly);
    expect(rows.toSorted()).toEqual(flags.map(({ name }) => name).toSorted());
  });

  it('name every flag of the commands for a running sandbox', () => {
    for (const [words, settings] of CONTROL) {
      for (const { name, meta } of flagsOf(settings).filter((flag) => flag.meta.isArgument !== true)) {
        expect(README, words).toMatch(
          meta.isVariableOnly ? `\`${meta.variable}\`` : new RegExp(`${name}\\b`),
        );
      }
    }
  });

  it('contain every tool of mcp and no other', () => {
    const [, section = ''] = README.split('\n## Coding assistants\n');
    const [text = ''] = section.split('\n## ');
    const named = [...text.matchAll(/`([a-z]+_[a-z]+)`/g)].map(([, name]) => name);
    expect(named.toSorted()).toEqual(SANDBOX_TOOLS.map(({ name }) => name).toSorted());
  });

  it('contain every admin command and no other', () => {
    const [, section = ''] = README.split('\n## Administrative commands\n');
    const rows = [...section.matchAll(/^\| `([a-z]+)` \| ([a-z, `]+) \|/gm)];
    const named = rows.flatMap(([, kind = '', verbs = '']) =>
      [...verbs.matchAll(/`([a-z]+)`/g)].map(([, verb]) => `${verb} ${kind}`),
    );
    const commands = ADMIN_COMMANDS.map(({ verb, name }) =>
      verb === 'list' ? `list ${singularOf(name as RecordKind)}` : `${verb} ${name}`,
    );
    expect(named.toSorted()).toEqual(commands.toSorted());
  });
});
