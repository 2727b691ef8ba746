import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { PassThrough } from 'node:stream';
import { parseEnv } from 'node:util';
import { sandboxScenario } from '@latchkey/sandbox';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { choiceOf, initSettings } from '../../src/init/init-command.js';
import { latchkey } from '../call.js';

const GUIDES = join(import.meta.dirname, '../../../../docs');
const SERVICE = ['--service-url', 'https://service.example', '--client-id', 'oac_0123456789abcdef01234567'];

let folder: string;
beforeEach(() => {
  folder = join(mkdtempSync(join(tmpdir(), 'latchkey-init-')), 'My site');
});
afterEach(() => rmSync(dirname(folder), { recursive: true }));

const init = (...args: string[]) => latchkey(['init', folder, ...args]);
const textOf = (path: string) => readFileSync(join(folder, path), 'utf8');
const manifest = () => JSON.parse(textOf('package.json'));

/** Writes files as a user has them. */
function have(files: Readonly<Record<string, string>>): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
}

/** All files with their texts, by path. */
function everything(): Record<string, string> {
  const entries = existsSync(folder) ? readdirSync(folder, { recursive: true, withFileTypes: true }) : [];
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  return Object.fromEntries(files.map((file) => [file.slice(folder.length + 1), readFileSync(file, 'utf8')]));
}

describe('latchkey init', () => {
  it.for([
    ['page', 'quick-start-script-tag', ['index.html', 'greeting.js', 'serve.mjs']],
    ['express', 'quick-start-express', ['server.mjs', 'public/index.html']],
    ['nextjs', 'quick-start-nextjs', ['next.config.mjs']],
  ] as const)('writes for the kind %s what the guide shows', async ([kind, guide, files]) => {
    expect(await init('--kind', kind)).toMatchObject({ code: 0, err: '' });
    for (const file of files)
      expect(readFileSync(join(GUIDES, `${guide}.md`), 'utf8')).toContain(textOf(file));
    expect(manifest()).toMatchObject({
      name: 'my-site',
      private: true,
      scripts: { sandbox: expect.any(String) },
    });
    expect(textOf('.gitignore')).toMatch(/^\.latchkey\/$/m);
  });

  it.for([
    ['nextjs', undefined],
    ['express', 'commonjs'],
  ])('leaves Next.js no CommonJS, which npm 11 writes into every package.json: %s', async ([kind, type]) => {
    have({ 'package.json': '{ "name": "mine", "type": "commonjs" }' });
    await init('--kind', `${kind}`);
    expect(manifest().type).toBe(type);
  });

  it('takes packages from the folder where it comes from, never by a name that nobody owns', async () => {
    await init('--kind', 'nextjs', '--typescript');
    const { dependencies, devDependencies } = manifest();
    const own = Object.entries({ ...dependencies, ...devDependencies }).filter(([name]) =>
      name.startsWith('@latchkey/'),
    );
    expect(own.map(([name]) => name)).toEqual(['@latchkey/express', '@latchkey/widget', '@latchkey/cli']);
    for (const [name, source] of own)
      expect(source).toMatch(new RegExp(`^file:.*/packed/${name.slice(10)}\\.tgz$`));
  });

  it('writes the .env file of the sandbox, for the user only, with the token that the folder has', async () => {
    const token = 'token-of-the-running-sandbox';
    await latchkey(['init', folder, '--kind', 'express'], { LATCHKEY_SANDBOX_TOKEN: token });
    expect(parseEnv(textOf('.env'))).toMatchObject({
      LATCHKEY_SERVICE_URL: 'http://127.0.0.1:4400',
      LATCHKEY_CLIENT_ID: sandboxScenario.confidentialClient.clientId,
      LATCHKEY_SANDBOX_TOKEN: token,
    });
    expect(statSync(join(folder, '.env')).mode & 0o777).toBe(0o600);
  });

  it('writes nothing of the sandbox for a service, and says what to fill in', async () => {
    for (const kind of ['page', 'express', 'nextjs']) {
      rmSync(folder, { recursive: true, force: true });
      const { out } = await init('--kind', kind, ...SERVICE);
      const { '.latchkey/init.json': _, ...files } = everything();
      const texts = Object.values(files).join('\n');
      expect(texts).toContain('https://service.example');
      expect(texts).toContain('oac_0123456789abcdef01234567');
      expect(texts).not.toMatch(/5eed0000|c0ffee|a1b2c3d4|127\.0\.0\.1:4400|latchkey sandbox|Ada/);
      if (kind === 'page') continue;
      expect(out).toContain(
        'Fill in .env: LATCHKEY_COMMUNITY_ID, LATCHKEY_CLIENT_SECRET, LATCHKEY_WEBHOOK_SECRET\n',
      );
    }
  });

  it('writes JavaScript for Next.js without types', async () => {
    await init('--kind', 'nextjs', '--no-typescript');
    const { 'app/layout.jsx': layout = '', 'app/membership.jsx': membership = '', ...files } = everything();
    expect(Object.keys(files).filter((path) => /\.[mt]?tsx?$/.test(path))).toEqual([]);
    expect(`${layout}${membership}`).not.toMatch(/import type|ReactNode/);
  });

  it('guesses the kind and the language from what the folder contains', async () => {
    have({ 'package.json': '{"dependencies":{"next":"16.0.0"}}', 'tsconfig.json': '{}' });
    await init();
    expect(Object.keys(everything())).toEqual(expect.arrayContaining(['server.mts', 'app/page.tsx']));
  });

  it('gives an Express app the kit in a file of its own, and says what to add', async () => {
    have({ 'package.json': '{"dependencies":{"express":"5.0.0"},"scripts":{"start":"node app.js"}}' });
    const { out } = await init();
    expect(Object.keys(everything()).toSorted()).toEqual([
      '.env',
      '.gitignore',
      '.latchkey/init.json',
      'latchkey.mjs',
      'package.json',
    ]);
    expect(textOf('latchkey.mjs')).toMatch(
      /^import .*\n\nexport const communityId = .*\nexport const auth = latchkey\(\{\n[\s\S]*\n\}\);\n$/,
    );
    expect(manifest()).toMatchObject({
      dependencies: { express: '5.0.0' },
      scripts: { start: 'node app.js' },
    });
    expect(out).toContain("  import { auth, communityId } from './latchkey.mjs';\n");
    expect(out).toContain(
      "in CommonJS, write const { auth, communityId } = require('./latchkey.mjs'), and no await",
    );
    expect(out).toContain('  app.use(auth.router);\n');
    expect(out).toContain('  <latchkey-login client-id=');
    expect(out).not.toContain('app.listen');
  });

  it('keeps files that exist, also with another ending, and shows what they lack', async () => {
    have({
      'server.js': '// mine',
      'public/index.html': '<p>Mine</p>',
      '.env': 'PORT=80\nCOOKIE_SECRET=mine',
      '.gitignore': '.env\nnode_modules',
    });
    const { out } = await init('--kind', 'express');
    expect(everything()).toMatchObject({ 'server.js': '// mine', 'public/index.html': '<p>Mine</p>' });
    expect(existsSync(join(folder, 'server.mjs'))).toBe(false);
    expect(out).toContain('  kept      server.mjs\n');
    expect(out).toContain('  added to  .env\n');
    expect(out).toContain('public/index.html exists. Add what it lacks of this:\n\n  <!doctype html>');
    expect(textOf('.env')).toMatch(/^PORT=80\nCOOKIE_SECRET=mine\nLATCHKEY_SERVICE_URL=/);
    expect(textOf('.env').match(/COOKIE_SECRET/g)).toHaveLength(1);
    expect(textOf('.gitignore')).toBe('.env\nnode_modules\n.latchkey/\n*.sqlite*\n');
  });

  it('adds to package.json without moving what is there', async () => {
    const keys = ['name', 'dependencies', 'type', 'scripts', 'license'];
    have({
      'package.json':
        '{"name":"mine","dependencies":{"express":"5"},"type":"module","scripts":{},"license":"MIT"}',
    });
    await init('--kind', 'express');
    expect(Object.keys(manifest())).toEqual([...keys, 'devDependencies']);
  });

  it('writes out a command for which the user has a script of the same name', async () => {
    have({ 'package.json': '{\n\t"scripts": { "start": "mine", "sandbox": "mine" }\n}\n' });
    const { out } = await init('--kind', 'page');
    expect(out).toContain('npm install && npx --no latchkey sandbox --site http://localhost:3000\n');
    expect(out).toMatch(/&& node serve\.mjs\n/);
    expect(textOf('package.json')).toMatch(/^\{\n\t"scripts": \{\n\t\t"start": "mine",/);
  });

  it('prints commands of the package manager that the project uses', async () => {
    have({ 'package.json': '{}', '../pnpm-lock.yaml': '' });
    expect((await init('--kind', 'express')).out).toMatch(
      /pnpm install && pnpm run sandbox\n.* && pnpm start\n/,
    );
    have({ 'package-lock.json': '' });
    expect((await init('--kind', 'express')).out).toContain('&& npm install && npm run sandbox\n');
  });

  it('prints of a page what belongs to Latchkey, for an app with pages', async () => {
    have({ 'package.json': '{"dependencies":{"express":"5.0.0"}}' });
    const [, shown = ''] = (await init()).out.split('Add to your pages:');
    expect(shown).toMatch(/<style>.*<script .*<latchkey-login .*<\/latchkey-gate>/s);
    expect(shown).not.toMatch(/<\/?(?:head|body|html)>/);
  });

  it('prints commands for a folder with a space, and at least the installation', async () => {
    have({ 'package.json': '{"dependencies":{"express":"5.0.0"}}' });
    const { out } = await init(...SERVICE);
    expect(out).toMatch(/^Run:\n\n {2}cd '\S+\/My site' && npm install$/m);
    expect(out).toMatch(/npx --no latchkey init '\S+\/My site' --undo$/);
  });

  it('changes nothing when it runs again', async () => {
    await init('--kind', 'express');
    const first = everything();
    expect(JSON.parse((await init('--json')).out)).toMatchObject({ written: [], kept: [] });
    expect(everything()).toEqual(first);
  });

  it('writes nothing with --dry-run, and prints all of it', async () => {
    const { out } = await init('--kind', 'page', '--dry-run');
    expect(existsSync(folder)).toBe(false);
    expect(out).toContain('Would write index.html:\n\n  <!doctype html>');
    expect(out).toContain('Would write package.json:\n\n  {');
  });

  it('says what is wrong with the flags, the folder and its package.json', async () => {
    expect(await init('--typescript', '--kind', 'page')).toMatchObject({
      code: 2,
      err: expect.stringMatching(/a page has no build/),
    });
    expect(await init('--service-url', 'https://service.example')).toMatchObject({
      code: 2,
      err: expect.stringMatching(/belong together/),
    });
    expect(await init('--kind', 'vue')).toMatchObject({
      code: 2,
      err: expect.stringMatching(/must be page, express, or nextjs; got "vue"/),
    });
    have({ 'package.json': '{' });
    expect(await init()).toMatchObject({
      code: 1,
      err: expect.stringMatching(/package\.json" isn't valid JSON\. Nothing was written\./),
    });
    for (const text of ['[]', '{"scripts": "build"}', '{"dependencies": ["express"]}']) {
      have({ 'package.json': text });
      expect(await init('--kind', 'express')).toMatchObject({
        code: 1,
        err: expect.stringMatching(
          /package\.json" isn't a manifest of npm: .* must be an object\. Nothing was written\./,
        ),
      });
    }
    have({ 'package.json': '{' });
    expect(await latchkey(['init', join(folder, 'package.json')])).toMatchObject({
      code: 1,
      err: expect.stringMatching(/is a file/),
    });
    expect(everything()).toEqual({ 'package.json': '{' });
  });
});

describe('latchkey init in a folder with files of others', () => {
  it.for([
    ['leads out of the folder', '../outside/real', "isn't in the folder"],
    ['leads nowhere', 'nowhere', "is a link to a file that doesn't exist"],
  ] as const)('writes nothing if .env %s', async ([, target, reason]) => {
    mkdirSync(join(dirname(folder), 'outside'), { recursive: true });
    writeFileSync(join(dirname(folder), 'outside/real'), 'S=1\n');
    have({ 'mine.txt': '' });
    symlinkSync(target, join(folder, '.env'));
    const { code, err } = await init('--kind', 'express');
    expect([code, err]).toEqual([1, expect.stringContaining(`".env" ${reason}. Nothing was changed.`)]);
    expect(readFileSync(join(dirname(folder), 'outside/real'), 'utf8')).toBe('S=1\n');
    expect(readdirSync(folder).toSorted()).toEqual(['.env', 'mine.txt']);
  });

  it('writes nothing if .env is in another encoding', async () => {
    have({ 'mine.txt': '' });
    writeFileSync(join(folder, '.env'), Buffer.from([0x41, 0x3d, 0xe9, 0x0a]));
    expect(await init('--kind', 'express')).toMatchObject({
      code: 1,
      err: expect.stringMatching(/isn't text in UTF-8/),
    });
    expect(readFileSync(join(folder, '.env'))).toEqual(Buffer.from([0x41, 0x3d, 0xe9, 0x0a]));
    expect(readdirSync(folder).toSorted()).toEqual(['.env', 'mine.txt']);
  });

  it('names the folder that has the name of a file, as Docker leaves one', async () => {
    mkdirSync(join(folder, '.env'), { recursive: true });
    expect(await init('--kind', 'express')).toMatchObject({
      code: 1,
      err: expect.stringMatching(/\.env" can't be read or written \(EISDIR\)/),
    });
  });

  it('keeps line ends, a byte order mark and a missing last newline', async () => {
    have({ 'package.json': '\u{feff}{\r\n\t"name": "mine"\r\n}', '.env': 'A=1\r\nB=2' });
    await init('--kind', 'express');
    expect(textOf('package.json')).toMatch(/^\u{feff}\{\r\n\t"name": "mine",\r\n.*\r\n\}$/su);
    expect(textOf('package.json').replaceAll('\r\n', '')).not.toContain('\n');
    expect(textOf('.env')).toMatch(/^A=1\r\nB=2\r\nLATCHKEY_/);
    expect(textOf('.env').replaceAll('\r\n', '')).not.toContain('\n');
  });
});

describe('latchkey init --undo', () => {
  const USER = {
    'package.json': '{ "name": "mine", "scripts": {"test": "x"} }',
    '.env': 'PORT=80',
    'public/style.css': 'p {}',
  };

  it.for(['page', 'express', 'nextjs'])('leaves what was there before, byte for byte: %s', async (kind) => {
    have(USER);
    await init('--kind', kind, '--typescript', String(kind !== 'page'));
    await init('--kind', 'page');
    expect(await init('--undo', '--dry-run')).toMatchObject({
      code: 0,
      out: expect.stringMatching(/restored +package\.json/),
    });
    expect(Object.keys(everything()).length).toBeGreaterThan(3);
    expect(await init('--undo')).toMatchObject({ code: 0 });
    expect(everything()).toEqual(USER);
    expect(readdirSync(folder)).toEqual(['.env', 'package.json', 'public']);
    expect(await init('--undo')).toMatchObject({ code: 1, err: expect.stringMatching(/^Nothing to undo/) });
  });

  it('keeps files that were edited since then, and says so', async () => {
    await init('--kind', 'express');
    const edited = `${textOf('server.mjs')}// mine\n`;
    have({ 'server.mjs': edited });
    const { out } = await init('--undo');
    expect(out).toContain('kept, since you have edited it  server.mjs');
    expect(Object.keys(everything()).toSorted()).toEqual(['.latchkey/init.json', 'server.mjs']);
    expect(textOf('server.mjs')).toBe(edited);
    // Without the edit, another --undo takes it back.
    have({ 'server.mjs': edited.replace('// mine\n', '') });
    expect((await init('--undo')).out).toMatch(/removed +server\.mjs/);
    expect(everything()).toEqual({});
  });

  it('keeps an empty folder that was there before', async () => {
    mkdirSync(join(folder, 'public'), { recursive: true });
    await init('--kind', 'express');
    await init('--undo');
    expect(readdirSync(folder)).toEqual(['public']);
  });

  it('touches nothing outside the folder, whatever a record of a stranger says', async () => {
    have({ 'mine.txt': '' });
    const outside = join(dirname(folder), 'outside');
    mkdirSync(outside);
    writeFileSync(join(outside, 'victim'), '');
    symlinkSync(outside, join(folder, 'link'));
    const { createHash } = await import('node:crypto');
    const hash = createHash('sha256').update('').digest('hex');
    for (const path of ['../outside/victim', 'link/victim', join(outside, 'victim')]) {
      have({
        '.latchkey/init.json': JSON.stringify({
          changes: [
            { path: 'mine.txt', hash },
            { path, hash, before: 'evil' },
          ],
        }),
      });
      expect(await init('--undo')).toMatchObject({
        code: 1,
        err: expect.stringMatching(/isn't in the folder\. Nothing was changed\./),
      });
      expect(readFileSync(join(outside, 'victim'), 'utf8')).toBe('');
    }
    have({ '.latchkey/init.json': '[]' });
    expect(await init('--undo')).toMatchObject({ code: 1, err: expect.stringMatching(/isn't a record/) });
    expect(textOf('mine.txt')).toBe('');
  });
});

describe('the questions', () => {
  /** Types lines into a dialog, and returns what it asks and chooses. */
  async function answer(lines: readonly string[], given: Parameters<typeof initSettings.parse>[0] = {}) {
    const [input, output] = [new PassThrough(), new PassThrough()];
    let asked = '';
    let next = 0;
    output.setEncoding('utf8').on('data', (text: string) => {
      asked += text;
      if (!text.includes('? ') && !/\) $/.test(text)) return;
      const line = lines[next++];
      if (line === undefined) input.end();
      else input.write(`${line}\n`);
    });
    const choice = choiceOf(folder, initSettings.parse(given), { input, output });
    return { choice: await choice.catch((error: Error) => error.message), asked: () => asked };
  }

  it('are three, whose empty answers are the defaults', async () => {
    const { choice, asked } = await answer(['express', '', '']);
    expect(choice).toMatchObject({ kind: 'express', typescript: false, serviceUrl: 'http://127.0.0.1:4400' });
    expect(asked().match(/\?/g)).toHaveLength(3);
  });

  it('are asked again after an answer that is none, and once more about the client of a service', async () => {
    const { choice, asked } = await answer([
      ...[
        'vue',
        'nextjs',
        'maybe',
        'yes',
        'nowhere',
        'https://service.example',
        'x',
        'oac_0123456789abcdef01234567',
      ],
    ]);
    expect(choice).toMatchObject({
      ...{ kind: 'nextjs', typescript: true },
      ...{ serviceUrl: 'https://service.example', clientId: 'oac_0123456789abcdef01234567' },
    });
    expect(asked()).toContain('Answer page, express, nextjs.');
    expect(asked()).toContain('must be an https URL');
  });

  it('leave out what the flags say, and TypeScript for a page', async () => {
    expect((await answer([''], { kind: 'page' })).choice).toMatchObject({ kind: 'page', typescript: false });
  });

  it('end with the input, and then nothing is written', async () => {
    expect((await answer(['express'])).choice).toBe('Nothing was written.');
  });
});
