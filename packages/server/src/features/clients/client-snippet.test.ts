import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { clientSnippets } from './client-snippet.js';

const client = {
  clientId: `oac_${'a'.repeat(24)}`,
  redirectUris: ['http://localhost:4402/auth/callback'],
  scopes: ['memberships.read'] as const,
  hostedCallback: true,
};

const communityId = '5eed0000-0000-4000-8000-0000000000c0';
const snippets = (type: 'public' | 'confidential') =>
  clientSnippets({ ...client, type }, { baseUrl: 'https://members.example', communityId }).map(
    ({ text }) => text,
  );

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
    // Inside the package, where the compiler finds the installed kit and the types of Express.
    const folder = mkdtempSync(join(import.meta.dirname, 'snippet-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const [express = ''] = snippets('confidential');
    writeFileSync(join(folder, 'app.mts'), express);
    writeFileSync(
      join(folder, 'tsconfig.json'),
      JSON.stringify({ compilerOptions: STRICT, files: ['app.mts'] }),
    );
    const tsc = join(import.meta.dirname, '../../../../../node_modules/typescript/bin/tsc');
    const compiled = await promisify(execFile)(process.execPath, [tsc, '--project', folder]).catch(
      ({ stdout }: { stdout: string }) => ({ stdout }),
    );
    expect(compiled.stdout).toBe('');
  });

  it('names the community of the owner in every gate, and hides gates before the script runs', () => {
    const [express = '', pages = ''] = snippets('confidential');
    expect(express).toContain(`const communityId = '${communityId}';`);
    expect(pages).toContain(`<latchkey-gate backend="/auth" community="${communityId}">`);
    expect(pages).toContain('<style>latchkey-gate:not(:defined){display:none}</style>');
  });

  it('has no gate in a page without a backend, and says why', () => {
    const [page = ''] = snippets('public');
    const [shown = '', comment = ''] = page.split('<!--');
    expect(shown).not.toContain('latchkey-gate');
    expect(comment).toContain('opens for any seller’s members');
  });

  it('says where the id of a community goes if the owner has none', () => {
    const [express] = clientSnippets(
      { ...client, type: 'confidential' },
      { baseUrl: 'https://members.example' },
    );
    expect(express?.text).toContain("const communityId = 'id of your community';");
  });
});
