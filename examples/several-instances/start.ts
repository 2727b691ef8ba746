// Starts three instances of app.ts behind a minimal round-robin proxy.
import { fork } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, request as send } from 'node:http';
import process from 'node:process';

const { PORT = '4404', INSTANCES = '3', NODE_ENV } = process.env;
// In production, set your own secret: a generated one would sign out all visitors at every start.
const generated = NODE_ENV === 'production' ? {} : { COOKIE_SECRET: randomBytes(32).toString('base64url') };

const ports: number[] = [];
for (let instance = 1; instance <= Number(INSTANCES); instance += 1) {
  const child = fork(new URL('app.ts', import.meta.url), {
    env: { ...generated, ...process.env, INSTANCE: `${instance}` },
  });
  child.once('exit', (code) => process.exit(code ?? 1));
  const [port] = await once(child, 'message');
  ports.push(port);
}

let requestCount = 0;
createServer((request, response) => {
  requestCount += 1;
  const { method, url: path, headers } = request;
  const forwarded = send(
    { host: '127.0.0.1', port: ports[requestCount % ports.length], method, path, headers },
    (reply) => {
      response.writeHead(reply.statusCode ?? 502, reply.headers);
      reply.pipe(response);
    },
  );
  forwarded.on('error', () => response.writeHead(502).end());
  request.pipe(forwarded);
}).listen(Number(PORT), '127.0.0.1', () => process.stdout.write(`http://localhost:${PORT}\n`));
