// Three instances of app.ts, and in front of them the smallest thing that passes requests on in turn.
import { fork } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, request as send } from 'node:http';
import process from 'node:process';

const { PORT = '4404', INSTANCES = '3', NODE_ENV } = process.env;
// Of your own in production, or every start would sign everybody out.
const made = NODE_ENV === 'production' ? {} : { COOKIE_SECRET: randomBytes(32).toString('base64url') };

const ports: number[] = [];
for (let instance = 1; instance <= Number(INSTANCES); instance += 1) {
  const child = fork(new URL('app.ts', import.meta.url), {
    env: { ...made, ...process.env, INSTANCE: `${instance}` },
  });
  child.once('exit', (code) => process.exit(code ?? 1));
  const [port] = await once(child, 'message');
  ports.push(port);
}

let turn = 0;
createServer((request, response) => {
  turn += 1;
  const { method, url: path, headers } = request;
  const passedOn = send(
    { host: '127.0.0.1', port: ports[turn % ports.length], method, path, headers },
    (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    },
  );
  passedOn.on('error', () => response.writeHead(502).end());
  request.pipe(passedOn);
}).listen(Number(PORT), '127.0.0.1', () => process.stdout.write(`http://localhost:${PORT}\n`));
