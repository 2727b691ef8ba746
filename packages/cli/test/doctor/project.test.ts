import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { projectChecks } from '../../src/doctor/project-checks.js';
import { siteDoctor } from './site-doctor.js';

const SECRET = `ocs_${'5e'.repeat(24)}`;
const installed = (name: string, version: string) => ({
  [`node_modules/@latchkey/${name}/package.json`]: JSON.stringify({ version }),
});
const GOOD = {
  'package.json': JSON.stringify({
    engines: { node: '>=22.13' },
    dependencies: { '@latchkey/express': '^0.1.0', '@latchkey/widget': '^0.1.0' },
  }),
  ...installed('express', '0.1.0'),
  ...installed('widget', '0.1.0'),
  '.env': `LATCHKEY_CLIENT_SECRET=${SECRET}\n`,
  '.gitignore': 'node_modules\n.env\n',
  '.git/HEAD': 'ref: refs/heads/main\n',
};

function project(files: Record<string, string>): string {
  const folder = mkdtempSync(join(tmpdir(), 'latchkey-project-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
  return folder;
}

it('finds nothing in a good project', async () => {
  const { findings, code } = await siteDoctor(['--project', project(GOOD)]);
  expect(findings).toEqual([]);
  expect(code).toBe(0);
});

it.for<[string, Record<string, string>]>([
  ['packages-missing', { 'package.json': '{' }],
  [
    'packages-missing',
    { 'package.json': JSON.stringify({ dependencies: { '@latchkey/client': '^0.1.0' } }) },
  ],
  ['package-versions', installed('widget', '0.2.0')],
  ['engines-node', { 'package.json': JSON.stringify({ engines: { node: '^20.0.0 || >=22.13' } }) }],
  ['env-secret-in-bundle', { '.env.local': `VITE_LATCHKEY_SECRET="${SECRET}"\n` }],
  ['env-file-tracked', { '.gitignore': 'node_modules\n' }],
])('finds only %s in a project with this mistake', async ([code, files]) => {
  const { codes, text } = await siteDoctor(['--project', project({ ...GOOD, ...files })]);
  expect(codes).toEqual([code]);
  expect(text).not.toContain(SECRET);
});

it('says why package.json cannot be read', async () => {
  const meaningOf = async (files: Record<string, string>) =>
    (await siteDoctor(['--project', project(files)])).finding('packages-missing')?.meaning;
  expect(await meaningOf({ ...GOOD, 'package.json': '{"name": "x",}' })).toContain('it is not JSON');
  expect(await meaningOf({ ...GOOD, 'package.json': '[]' })).toContain('it is not an object');
  expect(await meaningOf({ '.env': '' })).toContain('ENOENT');
});

it('reads a package.json that begins with a byte order mark', async () => {
  const folder = project({ ...GOOD, 'package.json': `\u{feff}${GOOD['package.json']}` });
  expect((await siteDoctor(['--project', folder])).findings).toEqual([]);
});

it('names a Node.js version that is too old', () => {
  const folder = project(GOOD);
  const codes = (nodeVersion: string) =>
    projectChecks({ folder, nodeVersion, apiKeyPrefix: 'svc_', secrets: [] }).map(({ code }) => code);
  expect(codes('20.19.0')).toEqual(['node-version']);
  expect(codes('22.13.0')).toEqual([]);
});

it.for([
  [['--site', 'ftp://shop.example'], 'must be an http or https URL'],
  [['--site', 'https://ada:password@shop.example'], 'without a password'],
  [['--site', 'https://shop.example', '--fix'], 'Set LATCHKEY_SANDBOX_TOKEN'],
  [
    ['--site', 'https://shop.example', '--backend', 'https://api.example/auth'],
    'must be a path such as /auth',
  ],
] as const)('rejects %j', async ([args, error]) => {
  await expect(siteDoctor([...args])).rejects.toThrow(error);
});
