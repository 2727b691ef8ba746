import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, it } from 'vitest';

const SERVER = join(import.meta.dirname, '../../dist/index.js');

/** Starts the built server, answers one request, and prints the modules that Node.js has loaded. */
const PROGRAM = `
  import { registerHooks } from 'node:module';
  import { connect } from 'node:net';
  import { once } from 'node:events';
  const files = [];
  registerHooks({
    load(url, context, nextLoad) {
      files.push(url);
      return nextLoad(url, context);
    },
  });
  const { startServer } = await import(${JSON.stringify(SERVER)});
  const server = await startServer({ database: 'sqlite::memory:', mailer: { send: async () => undefined }, port: 0 });
  const socket = connect(server.port, '127.0.0.1');
  socket.write('GET /oauth/userinfo HTTP/1.1\\r\\nHost: 127.0.0.1:' + server.port + '\\r\\nConnection: close\\r\\n\\r\\n');
  const [response] = await once(socket, 'data');
  await server.close();
  console.log(JSON.stringify({ response: String(response), files, builtIn: process.moduleLoadList }));`;

describe('the start of the built server on SQLite', () => {
  let loaded: { response: string; files: string[]; builtIn: string[] };

  beforeAll(async () => {
    const run = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', PROGRAM]);
    loaded = JSON.parse(run.stdout);
  }, 60_000);

  it('answers a request', () => {
    expect(loaded.response).toMatch(/^HTTP\/1\.1 401 /);
  });

  it('loads the bundle instead of single modules and languages of zod', () => {
    expect(loaded.files.filter((url) => url.includes('/server/dist/')).length).toBeLessThan(20);
    expect(loaded.files.filter((url) => /\/node_modules\/(zod|kysely)\//.test(url))).toEqual([]);
  });

  it('loads neither Node’s fetch nor TLS', () => {
    expect(loaded.builtIn).toContain('NativeModule http');
    expect(loaded.builtIn.filter((name) => /undici|NativeModule (https|tls)$/.test(name))).toEqual([]);
  });
});
