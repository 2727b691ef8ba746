import { fork } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { basename, dirname, join } from 'node:path';
import { type RunningSandbox, sandboxScenario, seedSandbox, startSandbox } from '@latchkey/sandbox';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const ROOT = join(import.meta.dirname, '../..');
const RUN_BLOCKS = new URL('./run-blocks.mjs', import.meta.url);
const CODE_BLOCKS = /^```(ts|js)\n(.*?)^```/gms;
const CURL_COMMANDS = /^```sh\n(curl http:\/\/127\.0\.0\.1:4400\/[^`]*)^```/gm;
/** The documents with something to run. */
const documents = globSync('{*.md,{docs,packages,demo,examples}/**/*.md}', {
  cwd: ROOT,
  exclude: ['**/{node_modules,dist}/**'],
})
  .map((document) => ({ document, text: readFileSync(join(ROOT, document), 'utf8') }))
  .filter(({ text }) => [CODE_BLOCKS, CURL_COMMANDS].some((pattern) => text.search(pattern) !== -1));

/** The sandbox that the documents describe: the same ids and secrets on another port. */
let sandbox: RunningSandbox;

beforeAll(async () => {
  // The token of the curl commands in the sandbox's README.
  sandbox = await startSandbox({ controlToken: 'my-token-on-this-machine' });
  await seedSandbox(sandbox, {
    scriptTagShop: 'http://localhost:4401',
    backendShop: 'http://localhost:4402',
  });
});
afterAll(() => sandbox.close());

// The blocks are processes that wait most of their time.
describe.concurrent.each(documents)('$document', ({ document, text }) => {
  const blocks = [...text.matchAll(CODE_BLOCKS)].map(([, language = '', code = '']) => ({
    language,
    code,
  }));
  let results: Promise<BlockResult[]> | undefined;
  for (const index of blocks.keys()) {
    it(`runs code block ${index + 1}`, { timeout: 120_000 }, async () => {
      results ??= runBlocks(document, blocks);
      const { error, output } = (await results)[index] ?? { error: 'The block did not run.', output: '' };
      expect(error, output).toBeUndefined();
    });
  }
  for (const [, command = ''] of text.matchAll(CURL_COMMANDS)) {
    it(`runs the curl command ${command.split(' ')[1]}`, async () => {
      const response = await sendAsCurl(command);
      expect(response.ok, await response.text()).toBe(true);
    });
  }
});

/** Sends the request of a curl command to the sandbox: its address, headers (-H) and JSON body (-d). */
async function sendAsCurl(command: string): Promise<Response> {
  const [, url = ''] = /(http\S+)/.exec(command) ?? [];
  const [, body] = /-d '([^']*)'/.exec(command) ?? [];
  const headers = [...command.matchAll(/-H '([^:']+): ([^']*)'/g)].map(([, name = '', value = '']) => [
    name,
    value,
  ]);
  return await fetch(url.replace('http://127.0.0.1:4400', sandbox.baseUrl), {
    headers: Object.fromEntries(headers),
    ...(body !== undefined && { method: 'POST', body }),
  });
}

interface Block {
  language: string;
  code: string;
}

interface BlockResult {
  error?: string;
  output: string;
}

/**
 * Runs the blocks of a document as modules in its folder, against the sandbox, until the top level of each completes. One process
 * runs them in turn: loading the packages takes longer than running a block.
 */
async function runBlocks(document: string, blocks: readonly Block[]): Promise<BlockResult[]> {
  const folder = join(ROOT, dirname(document), '.cache/docs', basename(document));
  const files: string[] = [];
  for (const [index, { language, code }] of blocks.entries()) {
    // A folder of its own: blocks create databases beside them.
    const file = join(folder, `${index + 1}`, `block.m${language}`);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, adapted(code, await freePort()));
    files.push(file);
  }
  const env = {
    ...process.env,
    LATCHKEY_CLIENT_SECRET: sandboxScenario.confidentialClient.clientSecret,
    LATCHKEY_API_KEY: sandboxScenario.apiKey,
    LATCHKEY_WEBHOOK_SECRET: '5eed00f1'.repeat(8),
    STRIPE_SECRET_KEY: `sk_test_${'a'.repeat(24)}`,
    STRIPE_WEBHOOK_SECRET: `whsec_${'a'.repeat(32)}`,
    COOKIE_SECRET: randomBytes(32).toString('base64url'),
  };
  try {
    return await new Promise((resolve) => {
      const results: BlockResult[] = [];
      const child = fork(RUN_BLOCKS, files, { cwd: folder, env, silent: true, timeout: 100_000 });
      let output = '';
      for (const stream of [child.stdout, child.stderr]) {
        stream?.setEncoding('utf8').on('data', (text) => {
          output += text;
        });
      }
      child.on('message', (result: { error?: string }) => results.push({ ...result, output }));
      child.on('close', (code, signal) => {
        // A block can fail or exit after its top level completed, so every block depends on the end of the process.
        const failed = code === 0 ? {} : { error: `The process ended with ${code ?? signal}.` };
        resolve(results.map((result) => ({ ...failed, ...result, output })));
      });
    });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The code, with the address of the sandbox, and a port that no other block uses. */
function adapted(code: string, port: number): string {
  return code
    .replaceAll('http://127.0.0.1:4400', sandbox.baseUrl)
    .replaceAll(/\.listen\([1-9]\d*/g, `.listen(${port}`)
    .replaceAll(/port: [1-9]\d*/g, `port: ${port}`);
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const { port } = server.address() as AddressInfo;
  await new Promise((closed) => server.close(closed));
  return port;
}
