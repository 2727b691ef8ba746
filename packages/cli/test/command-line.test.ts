import { describe, expect, it } from 'vitest';
import { ADMIN_COMMANDS } from '../src/admin/admin-commands.js';
import { flagName } from '../src/command-line/flag.js';
import { SERVE_FLAGS } from '../src/serve/serve-flags.js';
import { latchkey } from './call.js';

describe('the command line', () => {
  it('tells its version', async () => {
    expect(await latchkey(['--version'])).toEqual({ code: 0, out: '1.2.3', err: '' });
  });

  it.for([[[]], [['--help']], [['-h']], [['help']]])(
    'shows its commands when called with %j',
    async ([args = []]) => {
      const { code, out } = await latchkey(args);
      expect(code).toBe(0);
      for (const name of ['serve', 'migrate', 'admin']) expect(out).toContain(`\n  ${name} `);
    },
  );

  it('tells every flag of a command, with its variable and default, in lines that fit a screen', async () => {
    const { code, out } = await latchkey(['serve', '--help']);
    expect(code).toBe(0);
    for (const [setting, { text }] of Object.entries(SERVE_FLAGS)) {
      expect(out).toMatch(new RegExp(`\\n {2}${flagName(setting)}[ =]`));
      expect(out).toContain(text.variable);
    }
    expect(out.replaceAll(/\s+/g, ' ')).toContain('[LATCHKEY_PORT, default 4400]');
    for (const line of out.split('\n').filter((each) => !each.includes('latchkey serve'))) {
      expect(line.length).toBeLessThanOrEqual(96);
    }
    expect(await latchkey(['help', 'serve'])).toMatchObject({ code: 0, out });
  });

  it.for(ADMIN_COMMANDS.map(({ name }) => [name] as const))('has help for admin %s', async ([name]) => {
    const { code, out } = await latchkey(['admin', name, '--help']);
    expect(code).toBe(0);
    expect(out).toContain(`latchkey admin ${name}`);
    expect(out).toContain('--database');
  });

  it.for([
    [['sevre'], 'Did you mean serve?'],
    [['admin', 'create-usr'], 'Did you mean create-user?'],
    [['admin'], 'needs a command'],
    [
      ['migrate', '--databse', 'sqlite:x'],
      '--databse is not a flag of this command. Did you mean --database?',
    ],
    [['migrate', '-d'], '-d is not a flag'],
    [['migrate', 'now', '--database', 'sqlite:x'], '"now" stands alone'],
    [['migrate', '--database'], '--database needs a value: --database <url>.'],
    [['serve', '--port', '--sandbox'], '--port needs a value: --port <port>.'],
    [['serve', '--port', '1', '--port', '2'], '--port is given more than once.'],
    [['serve', '--sandbox=perhaps'], '--sandbox is "perhaps": give true or false.'],
  ] as const)('refuses %j with exit code 2 and the way out', async ([args, words]) => {
    const { code, out, err } = await latchkey(args);
    expect(code).toBe(2);
    expect(err).toContain(words);
    expect(out).toBe('');
  });

  it('tells everything that is wrong at once, by flag or variable, with what was seen and what to give', async () => {
    const { code, err } = await latchkey(
      ['serve', '--port', '65536', '--base-url', 'http://members.example', '--tust-proxy', '1'],
      {
        LATCHKEY_TRUST_PROXY: 'true',
        LATCHKEY_SANDBOX: 'no',
        LATCHKEY_DATABASE: '',
      },
    );
    expect(code).toBe(2);
    expect(err.split('\n')).toEqual([
      '--tust-proxy is not a flag of this command. Did you mean --trust-proxy?',
      '--port is "65536": give a whole number from 0 to 65535.',
      expect.stringMatching(/^--base-url is "http:\/\/members\.example": give an https origin/),
      expect.stringMatching(/^LATCHKEY_TRUST_PROXY is "true": give how many proxies/),
      expect.stringMatching(/^--database \(or the variable LATCHKEY_DATABASE\) is missing: give sqlite:/),
      expect.stringMatching(/^--smtp-url \(or the variable LATCHKEY_SMTP_URL\) is missing/),
    ]);
  });

  it('never shows what may hold a password', async () => {
    const password = 'hunter2-and-more';
    const { code, err } = await latchkey(['serve', '--database', `mysql://root:${password}@db/x`], {
      LATCHKEY_SMTP_URL: `http://user:${password}@mail.example`,
    });
    expect(code).toBe(2);
    expect(err).toContain('--database is unusable');
    expect(err).toContain('LATCHKEY_SMTP_URL is unusable');
    expect(err).not.toContain(password);
  });

  it.for([
    [['--sandbox', '--smtp-url', 'smtp://localhost'], 'leave out --smtp-url'],
    [['--hostname', '0.0.0.0', '--sandbox'], '--base-url'],
    [
      ['--sandbox', '--database', 'sqlite:/no/such/folder/service.sqlite'],
      '/no/such/folder, and there is no such folder',
    ],
    [
      ['--site', 'https://shop.example', '--database', 'sqlite::memory:', '--smtp-url', 'smtp://localhost'],
      '--site',
    ],
  ] as const)('refuses settings that do not go together: serve %j', async ([args, words]) => {
    const { code, err } = await latchkey(['serve', ...args]);
    expect(code).toBe(2);
    expect(err).toContain(words);
    expect(err.split('\n')).toHaveLength(1);
  });

  it('notes a variable that looks mistyped, and none that is somebody else’s', async () => {
    const env = {
      LATCHKEY_DATABSE: 'sqlite:x',
      LATCHKEY_CHROMIUM: '/usr/bin/chromium',
      LATCHKEY_SHOP_PORT: '1',
    };
    const { err } = await latchkey(['--version'], env);
    expect(err).toBe(
      'The variable LATCHKEY_DATABSE is set, which means nothing. Was it to be LATCHKEY_DATABASE?',
    );
  });
});
