import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { nodeVersionError, OLDEST_NODE } from '../src/command-line/node-version.js';
import { startLatchkey } from './running-latchkey.js';

describe('the Node.js version check', () => {
  it('requires the version that package.json requires', () => {
    const { engines } = JSON.parse(readFileSync(join(import.meta.dirname, '../package.json'), 'utf8')) as {
      engines: { node: string };
    };
    expect(engines.node).toBe(`>=${OLDEST_NODE}`);
  });

  it.for(['22.13.0', '22.20.1', '23.0.0', '24.21.0', '100.1.0'])('accepts %s', (version) => {
    expect(nodeVersionError(version)).toBeUndefined();
  });

  it.for(['12.22.12', '18.20.0', '20.20.2', '22.2.0', '22.12.0'])(
    'rejects %s and names the version it needs',
    (version) => {
      expect(nodeVersionError(version)).toBe(
        `latchkey requires Node.js 22.13 or newer; this is Node.js ${version}. Install a newer version: https://nodejs.org`,
      );
    },
  );

  it('ends the command with exit code 1 before it loads anything else', async () => {
    const older = "Object.defineProperty(process.versions,'node',{value:'20.20.2'})";
    const latchkey = startLatchkey(['--version'], {
      NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(older)}`,
    });
    expect(await latchkey.ended).toBe(1);
    expect(latchkey.out()).toBe('');
    expect(latchkey.err()).toBe(`${nodeVersionError('20.20.2')}\n`);
  });

  it.for(['latchkey.ts', 'command-line/node-version.ts'])('%s loads nothing else statically', (file) => {
    const source = readFileSync(join(import.meta.dirname, '../src', file), 'utf8');
    const imports = [...source.matchAll(/^import .*from '(.+)';$/gm)].map(([, name]) => name);
    expect(imports).toEqual(file === 'latchkey.ts' ? ['./command-line/node-version.js'] : []);
  });
});
