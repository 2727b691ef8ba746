import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { clientSnippets } from '../../src/web/developer/clients/client-snippet.js';

const client = {
  clientId: `oac_${'a'.repeat(24)}`,
  redirectUris: ['http://localhost:4402/auth/callback'],
  scopes: ['memberships.read'] as const,
  hostedCallback: true,
};

const snippets = (type: 'public' | 'confidential') =>
  clientSnippets({ ...client, type }, 'https://members.example').map(({ text }) => text);

const STRICT = {
  strict: true,
  exactOptionalPropertyTypes: true,
  noUncheckedIndexedAccess: true,
  noPropertyAccessFromIndexSignature: false,
  noEmit: true,
  module: 'nodenext',
  target: 'es2022',
  types: ['node'],
  skipLibCheck: true,
};

describe('the code of the developer area', () => {
  it('compiles in strict TypeScript', async ({ onTestFinished }) => {
    // Inside the package, so that the compiler finds the installed kit and the types of Express.
    const folder = mkdtempSync(join(import.meta.dirname, 'snippet-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const [express = ''] = snippets('confidential');
    writeFileSync(join(folder, 'app.mts'), express);
    writeFileSync(
      join(folder, 'tsconfig.json'),
      JSON.stringify({ compilerOptions: STRICT, files: ['app.mts'] }),
    );
    const tsc = join(import.meta.dirname, '../../../../node_modules/typescript/bin/tsc');
    const compiled = await promisify(execFile)(process.execPath, [tsc, '--project', folder]).catch(
      ({ stdout }: { stdout: string }) => ({ stdout }),
    );
    expect(compiled.stdout).toBe('');
  });

  it('hides gates before the script runs, and says which gates are cosmetic', () => {
    const [page = ''] = snippets('public');
    const [, backend = ''] = snippets('confidential');
    for (const text of [page, backend]) {
      expect(text).toContain('<style>latchkey-gate:not(:defined){display:none}</style>');
      expect(text).toMatch(/product-type.*cosmetic|Cosmetic.*product-type/s);
    }
    expect(page).toContain('<latchkey-gate backend="/auth" community="…">');
    expect(backend).toMatch(/<latchkey-gate client-id="\w+" backend="\/auth" community="your community id">/);
  });
});
