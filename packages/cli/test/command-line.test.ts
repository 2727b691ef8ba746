import { writeFileSync } from 'node:fs';
import type { Command } from 'commander';
import { describe, expect, it } from 'vitest';
import { ADMIN_COMMANDS, settingsOf } from '../src/admin/admin-command.js';
import { addAllCommands } from '../src/all-commands.js';
import { type Flag, flagsOf } from '../src/command-line/flag.js';
import { createProgram } from '../src/run-latchkey.js';
import { sandboxSettings } from '../src/sandbox/sandbox-command.js';
import { serveSettings } from '../src/serve/serve-command.js';
import { latchkey, temporaryFile } from './call.js';

const MAX_WIDTH = 96;

describe('the help', () => {
  it('prints the version', async () => {
    expect(await latchkey(['--version'])).toEqual({ code: 0, out: '1.2.3', err: '' });
  });

  it.for([[[]], [['--help']], [['-h']], [['help']]])('lists the commands for %j', async ([args = []]) => {
    const { code, out } = await latchkey(args);
    expect(code).toBe(0);
    for (const name of [
      'serve',
      'sandbox',
      'migrate',
      'doctor',
      'admin',
      'clock',
      'logs',
      'events',
      'resend',
      'trigger',
      'fault',
      'snapshot',
      'reset',
      'complete',
    ]) {
      expect(out).toContain(`\n  ${name} `);
    }
  });

  it.for([
    ['serve', serveSettings],
    ['sandbox', sandboxSettings],
  ] as const)(
    'of %s lists every flag with its variable and default, within the line width',
    async ([name, settings]) => {
      const { code, out } = await latchkey([name, '--help']);
      expect(code).toBe(0);
      for (const flag of flagsOf(settings).filter(({ meta }) => meta.isHidden !== true)) {
        const name = flag.meta.isVariableOnly === true ? flag.meta.variable : flag.name;
        expect(out).toMatch(new RegExp(`\\n {2}${name} `));
        expect(out).toContain(flag.meta.variable);
      }
      expect(out.replaceAll(/\s+/g, ' ')).toContain('(env: LATCHKEY_PORT, default: 4400)');
      const [help = ''] = out.split('\nExamples:');
      for (const line of help.split('\n')) expect(line.length).toBeLessThanOrEqual(MAX_WIDTH);
      expect(help).not.toContain('[object Object]');
      expect(await latchkey(['help', name])).toMatchObject({ code: 0, out });
    },
  );

  it.for(ADMIN_COMMANDS.map((command) => [`${command.verb} ${command.name}`, command] as const))(
    'of admin %s has its required values in the usage, and an example that is accepted',
    async ([name, command]) => {
      const words = ['admin', ...name.split(' ')];
      const { code, out } = await latchkey([...words, '--help']);
      expect(code).toBe(0);
      expect(out).toContain(`latchkey admin ${name} ${command.example}`);
      const [usage = ''] = out.split('\n');
      const flags = flagsOf(settingsOf(command)).filter(({ isRequired }) => isRequired);
      const isArgument = ({ meta }: Flag) => meta.isArgument === true;
      expect(usage.match(/<id>|--[a-z-]+/g)).toEqual(
        [...flags.filter(isArgument), ...flags.filter((flag) => !isArgument(flag))].map((flag) => flag.name),
      );
      const args = [...command.example.matchAll(/"([^"]*)"|\S+/g)].map(([word, text]) => text ?? word);
      const { code: exampleCode, err } = await latchkey([...words, ...args], {
        LATCHKEY_DATABASE: 'sqlite:./no-such-file.sqlite',
        LATCHKEY_BASE_URL: 'https://members.example',
      });
      expect({ exampleCode, err }).toEqual({
        exampleCode: 1,
        err: expect.stringContaining('no-such-file.sqlite'),
      });
    },
  );

  it('lists the values of a flag, unless its description does', async () => {
    const helpOf = async (...words: string[]) =>
      (await latchkey(['admin', 'create', ...words, '--help'])).out.replaceAll(/\s+/g, ' ');
    expect(await helpOf('key')).toContain('(required, repeatable, one of MEMBERSHIP_READ, MEMBERSHIP_WRITE,');
    expect(await helpOf('operator')).not.toContain('one of VIEWER');
  });

  it.for([
    ['foo', '--help'],
    ['help', 'foo'],
    ['foo', '-h'],
    ['admin', 'foo', '--help'],
    ['help', 'admin', 'foo'],
  ])('of an unknown command is an error: %j', async (args) => {
    const { code, out, err } = await latchkey(args);
    expect({ code, out }).toEqual({ code: 2, out: '' });
    expect(err).toContain("unknown command 'foo'");
  });

  it('of a command is also available as "help admin find"', async () => {
    const { out } = await latchkey(['help', 'admin', 'find']);
    expect(out).toBe((await latchkey(['admin', 'find', '--help'])).out);
  });
});

describe('every command', () => {
  const silent = { print() {}, warn() {}, setExitCode() {} };
  const context = { ...silent, env: {}, output: { writeOut() {}, writeErr() {} } };
  const program = createProgram('1.2.3', context, addAllCommands);
  const wordsOf = (command: Command, before: readonly string[]): string[][] =>
    command.commands
      // The completion is a library's.
      .filter((child) => child.name() !== 'complete')
      .flatMap((child) => {
        const words = [...before, child.name()];
        return [words, ...wordsOf(child, words)];
      });

  it.for([[], ...wordsOf(program, [])].map((words) => [words] as const))(
    '%j has examples in its help',
    async ([words]) => {
      const { code, out } = await latchkey([...words, '--help']);
      expect(code).toBe(0);
      expect(out).toContain(`\nExamples:\n  `);
    },
  );

  it('prints JSON on demand, except the ones that run a service or speak a protocol', async () => {
    const without = [];
    for (const words of wordsOf(program, [])) {
      const { out } = await latchkey([...words, '--help']);
      const isGroup = out.split('\n')[0]?.includes('<command>');
      if (!isGroup && !/^ {2}--json\b/m.test(out)) without.push(words.join(' '));
    }
    expect(without).toEqual(expect.arrayContaining(['serve', 'sandbox', 'mcp', 'conformance driver']));
    expect(without).toHaveLength(4);
  });
});

describe('usage errors', () => {
  it.for([
    [['sevre'], 'Did you mean serve?'],
    [['admin', 'crate'], 'Did you mean create?'],
    [['admin', 'create', 'usr'], 'Did you mean user?'],
    [['admin'], 'Missing command'],
    [['migrate', '--databse', 'sqlite:x'], 'Unknown flag --databse. Did you mean --database?'],
    [['migrate', '-d'], 'Unknown flag -d.'],
    [['migrate', 'now', '--database', 'sqlite:x'], 'Unexpected argument "now".'],
    [['migrate', '--database'], '--database needs a value: --database <url>.'],
    [['serve', '--port', '--hostname', 'x'], '--port needs a value: --port <port>.'],
    [['admin', 'create', 'key', '--permission', '--permission', 'x'], '--permission needs a value'],
    [['serve', '--port', '1', '--port', '2'], '--port is given more than once.'],
    [['serve', '--brand-accent', 'red'], '--brand-accent: Enter a colour as # and six hex digits'],
    [['serve', '--brand-logo', 'http://a.example/l.png'], '--brand-logo: Use https, or http on a loopback'],
    [['serve', '--brand-name', ' '], '--brand-name: Enter a name.'],
    [['sandbox', '--background-work=perhaps'], '--background-work: must be true or false; got "perhaps".'],
  ] as const)('exit with code 2 and a hint for %j', async ([args, text]) => {
    const { code, out, err } = await latchkey(args);
    expect(code).toBe(2);
    expect(err).toContain(text);
    expect(out).toBe('');
  });

  it.for([
    [
      ['clock', '--json', '--sandbox', 'x'],
      ['--sandbox: must be', 'LATCHKEY_SANDBOX_TOKEN is required'],
    ],
    [['clokc', '--json'], ['Did you mean clock?']],
    [
      ['admin', 'create', 'user', '--json'],
      ['--database', '--email'],
    ],
    [['snapshot', '--json'], ['']],
  ] as const)('are one line of JSON with --json: %j', async ([args, texts]) => {
    const { code, err } = await latchkey(args);
    expect(code).toBe(2);
    const { error } = JSON.parse(err);
    expect(error).toMatchObject({
      code: 'usage_error',
      docs: 'https://github.com/latchkey/latchkey/blob/main/docs/troubleshooting.md#usage_error',
    });
    for (const text of texts) expect(error.message).toContain(text);
  });

  it('are all reported at once, with the flag or variable, the value and the fix', async () => {
    const { code, err } = await latchkey(
      [
        ...['serve', '--port', '65536', '--base-url', 'http://members.example', '--tust-proxy', '1'],
        ...['stray', '--drain-delay', '--log-level', 'info', '--log-level', 'warn'],
      ],
      {
        LATCHKEY_TRUST_PROXY: 'true',
        LATCHKEY_DATABASE: '',
      },
    );
    expect(code).toBe(2);
    expect(err.split('\n')).toEqual([
      'Unknown flag --tust-proxy. Did you mean --trust-proxy?',
      'Unexpected argument "stray". Every value needs a flag.',
      '--log-level is given more than once.',
      expect.stringMatching(/^--drain-delay needs a value: --drain-delay <duration>\./),
      '--port: must be at most 65535; got "65536".',
      expect.stringMatching(/^--base-url: must be an https origin .*; got "http:\/\/members\.example"\.$/),
      expect.stringMatching(/^LATCHKEY_TRUST_PROXY: must be the number of proxies .*; got "true"\.$/),
      expect.stringMatching(/^--database \(or LATCHKEY_DATABASE\) is required: .*sqlite:/),
      expect.stringMatching(/^--smtp-url \(or LATCHKEY_SMTP_URL\) is required: /),
    ]);
  });

  it('include conflicts between settings while other settings are invalid', async () => {
    const { err, docs } = await latchkey(['sandbox', '--port', 'x', '--hostname', '0.0.0.0']);
    expect(docs).toBe('usage_error');
    expect(err.split('\n')).toEqual([
      '--port: must be a number; got "x".',
      expect.stringMatching(/^--base-url \(or LATCHKEY_BASE_URL\) is required when --hostname/),
    ]);
  });

  it.for([
    [['sandbox', '--smtp-url', 'smtp://localhost'], 'Remove --smtp-url'],
    [
      ['serve', '--database', 'sqlite::memory:', '--smtp-url', 'smtp://localhost', '--mail-from', 'nope'],
      '--mail-from: must be an address, or a name and an address',
    ],
    [
      [
        'serve',
        '--database',
        'sqlite::memory:',
        '--smtp-url',
        'smtp://localhost',
        '--mail-from',
        'Ada <ada>',
      ],
      '--mail-from: must be an address, or a name and an address',
    ],
    [['sandbox', '--shutdown-grace', '40000m'], '--shutdown-grace: must be at most 1440m'],
    [['sandbox', '--hostname', '0.0.0.0'], '--base-url'],
    [['sandbox', '--hostname', '0.0.0.0', '--base-url', 'http://localhost:4400'], '--allow-public'],
    [['sandbox', '--base-url', 'https://sandbox.example'], '--allow-public'],
    [['sandbox', '--database', 'sqlite:/no/such/folder/service.sqlite'], 'does not exist: /no/such/folder.'],
    [
      [
        'serve',
        ...[
          '--site',
          'https://shop.example',
          '--database',
          'sqlite::memory:',
          '--smtp-url',
          'smtp://localhost',
        ],
      ],
      'Unknown flag --site.',
    ],
  ] as const)('include settings that do not belong together: %j', async ([args, text]) => {
    const { code, err } = await latchkey(args);
    expect(code).toBe(2);
    expect(err).toContain(text);
    expect(err.split('\n')).toHaveLength(1);
  });
});

describe('secrets', () => {
  const PASSWORD = 'hunter2-and-more';

  it('never appear in errors', async () => {
    const { code, err } = await latchkey(['serve', '--database', `mysql://root:${PASSWORD}@db/x`], {
      LATCHKEY_SMTP_URL: `http://user:${PASSWORD}@mail.example`,
    });
    expect(code).toBe(2);
    expect(err).toContain('--database: must be');
    expect(err).toContain('LATCHKEY_SMTP_URL: must be');
    expect(err).not.toContain(PASSWORD);
  });

  it.for([
    [['migrate', '--databse', `postgres://root:${PASSWORD}@db/x`]],
    [['migrate', `--databse=postgres://root:${PASSWORD}@db/x`]],
    [['migrate', `postgres://root:${PASSWORD}@db/x`]],
    [['migrate', `--database:postgres://root:${PASSWORD}@db/x`]],
    [['serve', '--base-url', `https://root:${PASSWORD}@members.example`]],
    [[`postgres://root:${PASSWORD}@db/x`]],
  ] as const)('do not appear in errors even if they are in the wrong place: %j', async ([args]) => {
    const { code, err } = await latchkey(args);
    expect(code).toBe(2);
    expect(err).not.toContain(PASSWORD);
  });

  it('of the control API do not appear in errors, and can come from a file', async ({ onTestFinished }) => {
    const short = 'short-secret';
    for (const [args, env] of [
      [['sandbox', '--control-token', short], {}],
      [['sandbox'], { LATCHKEY_SANDBOX_TOKEN: short }],
    ] as const) {
      const { code, err } = await latchkey(args, env);
      expect(code).toBe(2);
      expect(err).toContain('must be 24 to 200 letters');
      expect(err).not.toContain(short);
    }
    const file = temporaryFile(onTestFinished);
    writeFileSync(file, short);
    const { err } = await latchkey(['sandbox'], { LATCHKEY_SANDBOX_TOKEN_FILE: file });
    expect(err).toContain('LATCHKEY_SANDBOX_TOKEN_FILE: must be 24 to 200 letters');
  });

  it('can come from a file, which the errors name without its content', async ({ onTestFinished }) => {
    const file = temporaryFile(onTestFinished);
    writeFileSync(file, `mysql://root:${PASSWORD}@db/x\n`);
    const { code, err } = await latchkey(['migrate'], { LATCHKEY_DATABASE_FILE: file });
    expect(code).toBe(2);
    expect(err).toMatch(/^LATCHKEY_DATABASE_FILE: must be sqlite:/);
    expect(err).not.toContain(PASSWORD);
  });

  it('must not come from both a variable and a file, nor from a file that cannot be read', async () => {
    const LATCHKEY_DATABASE_FILE = '/no/such/file';
    const missing = await latchkey(['migrate'], { LATCHKEY_DATABASE_FILE });
    expect(missing.err).toContain('LATCHKEY_DATABASE_FILE: cannot read the file "/no/such/file" (ENOENT).');
    const both = await latchkey(['migrate'], { LATCHKEY_DATABASE: 'sqlite:x', LATCHKEY_DATABASE_FILE });
    expect(both.err).toContain('LATCHKEY_DATABASE and LATCHKEY_DATABASE_FILE are both set. Remove one.');
    expect([missing.code, both.code]).toEqual([2, 2]);
  });
});

describe('environment variables', () => {
  it('that look mistyped cause a warning; those of other programs do not', async () => {
    const env = {
      LATCHKEY_DATABSE: 'sqlite:x',
      LATCHKEY_SMTP_URL_FLIE: '/run/secrets/smtp',
      LATCHKEY_CHROMIUM: '/usr/bin/chromium',
      LATCHKEY_SHOP_PORT: '1',
    };
    const { err } = await latchkey(['--version'], env);
    expect(err.split('\n')).toEqual([
      'Unknown variable LATCHKEY_DATABSE. Did you mean LATCHKEY_DATABASE?',
      'Unknown variable LATCHKEY_SMTP_URL_FLIE. Did you mean LATCHKEY_SMTP_URL_FILE?',
    ]);
  });
});
