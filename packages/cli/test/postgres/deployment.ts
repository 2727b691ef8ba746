import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { localhostCertificate } from '../../../../scripts/localhost-certificate.mjs';
import { ensureProgram } from '../../../../scripts/system-program.mjs';
import { SocketSupervisor, type SupervisedLatchkey } from '../socket-supervisor.js';
import { createDatabase, type OnFinished, onDatabase } from './create-database.js';

const EXAMPLE = join(import.meta.dirname, '../../../../examples/deployment');
/** User and group without rights on Debian. PgBouncer refuses to run as root. */
const UNPRIVILEGED_ID = 65534;

/** Role of the service in PostgreSQL, whose time limits PgBouncer can't pass on. */
const ROLE = { name: 'latchkey', password: 'a-password-of-this-test' };

/** Processes of examples/deployment on this machine: nginx, PgBouncer and two processes of the service. */
export interface Deployment {
  /** Address of nginx. */
  readonly url: string;
  /** URL of the database, without PgBouncer. */
  readonly database: string;
  /** Process ids of the service that ran so far. */
  readonly pids: readonly number[];
  /** Returns nginx's log so far: each failed request with the cause. */
  proxyLog(): string;
  /** Runs rolling-restart.sh. Resolves with what it printed, once it ended. */
  restartAll(): Promise<{ code: number | null; output: string }>;
}

/** Starts the processes with the files of examples/deployment, on free ports and with a certificate for localhost. */
export async function startDeployment(onTestFinished: OnFinished): Promise<Deployment> {
  const folder = mkdtempSync(join(tmpdir(), 'latchkey-deployment-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  chmodSync(folder, 0o755);
  const database = await createDatabaseOfRole(onTestFinished);
  const pooled = await startPgBouncer(onTestFinished, folder, database);
  const sockets = [
    await SocketSupervisor.listen(onTestFinished),
    await SocketSupervisor.listen(onTestFinished),
  ];
  const [first = 0, second = 0] = sockets.map(({ port }) => port);
  const tls = await freePort();
  const url = `https://localhost:${tls}`;
  const services = serviceProcesses(sockets, { baseUrl: url, database: pooled });
  await Promise.all([services.start(first), services.start(second)]);
  await startNginx(onTestFinished, folder, { first, second, tls });
  const control = await startControl(onTestFinished, services.restart);
  const env = {
    PATH: process.env.PATH ?? '',
    PORTS: `${first} ${second}`,
    RESTART: `sh ${writeRestartCommand(folder, control)}`,
  };
  return {
    url,
    database,
    pids: services.pids,
    proxyLog: () => readFileSync(join(folder, 'nginx.log'), 'utf8'),
    restartAll: () => runToEnd(spawn('sh', [join(EXAMPLE, 'rolling-restart.sh')], { env })),
  };
}

/** Creates a database and, for it, the role of the example with the time limits that its README sets. */
async function createDatabaseOfRole(onTestFinished: OnFinished): Promise<string> {
  const admin = await createDatabase(onTestFinished);
  const name = `${ROLE.name}_${new URL(admin).pathname.slice(1)}`;
  await onDatabase(admin, async (client) => {
    await client.query(`create role ${name} login password '${ROLE.password}'`);
    await client.query(`alter role ${name} set statement_timeout = '10s'`);
    await client.query(`alter role ${name} set idle_in_transaction_session_timeout = '10s'`);
    await client.query(`grant all on schema public to ${name}`);
  });
  onTestFinished(() =>
    onDatabase(admin, async (client) => {
      await client.query(`drop owned by ${name} cascade`);
      await client.query(`drop role ${name}`);
    }),
  );
  const url = new URL(admin);
  url.username = name;
  url.password = ROLE.password;
  return url.href;
}

async function startPgBouncer(onTestFinished: OnFinished, folder: string, database: string): Promise<string> {
  const program = await ensureProgram({
    title: 'PgBouncer',
    names: ['pgbouncer'],
    debianPackage: 'pgbouncer',
    variable: 'LATCHKEY_PGBOUNCER',
  });
  const { hostname, port, pathname, username } = new URL(database);
  const name = pathname.slice(1);
  const listenPort = await freePort();
  const users = join(folder, 'userlist.txt');
  writeFileSync(users, `"${username}" "${ROLE.password}"\n`);
  const config = join(folder, 'pgbouncer.ini');
  writeFileSync(
    config,
    replaced('pgbouncer.ini', [
      [
        'latchkey = host=127.0.0.1 port=5432 dbname=latchkey',
        `${name} = host=${hostname} port=${port} dbname=${name}`,
      ],
      ['listen_port = 6432', `listen_port = ${listenPort}\nunix_socket_dir =`],
      ['/etc/pgbouncer/userlist.txt', users],
    ]),
  );
  const account = process.getuid?.() === 0 ? { uid: UNPRIVILEGED_ID, gid: UNPRIVILEGED_ID } : {};
  const child = spawn(program, ['-q', config], { stdio: ['ignore', 'ignore', 'pipe'], ...account });
  endWithTest(onTestFinished, child);
  await portOpens(listenPort, child, 'PgBouncer');
  const url = new URL(database);
  url.host = `127.0.0.1:${listenPort}`;
  return url.href;
}

interface Ports {
  first: number;
  second: number;
  tls: number;
}

async function startNginx(onTestFinished: OnFinished, folder: string, { first, second, tls }: Ports) {
  const program = await ensureProgram({
    title: 'nginx',
    names: ['nginx'],
    debianPackage: 'nginx-light',
    variable: 'LATCHKEY_NGINX',
    versionArguments: ['-v'],
  });
  for (const [file, text] of Object.entries({
    'fullchain.pem': localhostCertificate.cert,
    'privkey.pem': localhostCertificate.key,
  })) {
    writeFileSync(join(folder, file), text);
  }
  const config = join(folder, 'latchkey.conf');
  writeFileSync(
    config,
    replaced('nginx.conf', [
      ['127.0.0.1:4401', `127.0.0.1:${first}`],
      ['127.0.0.1:4402', `127.0.0.1:${second}`],
      ['listen 443 ssl', `listen 127.0.0.1:${tls} ssl`],
      ['server_name members.example', 'server_name localhost'],
      ['error_log /var/log/nginx/latchkey.log crit', `error_log ${join(folder, 'nginx.log')}`],
      ['/etc/ssl/members.example/fullchain.pem', join(folder, 'fullchain.pem')],
      ['/etc/ssl/members.example/privkey.pem', join(folder, 'privkey.pem')],
      // Browsers send the port of an address that is not the default one.
      ['proxy_set_header Host $host;', 'proxy_set_header Host $http_host;'],
    ]),
  );
  mkdirSync(join(folder, 'temporary'));
  const paths = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (name) => `${name}_temp_path ${join(folder, 'temporary', name)};`,
  );
  const main = join(folder, 'nginx.conf');
  const pid = join(folder, 'nginx.pid');
  writeFileSync(
    main,
    `worker_processes 2;\n${process.getuid?.() === 0 ? 'user root;\n' : ''}pid ${pid};\nerror_log ${join(folder, 'nginx.log')};\n` +
      `events { worker_connections 256; }\nhttp {\n${paths.join('\n')}\ninclude ${config};\n}\n`,
  );
  const child = spawn(program, ['-c', main, '-g', 'daemon off;'], { stdio: ['ignore', 'ignore', 'pipe'] });
  endWithTest(onTestFinished, child);
  await portOpens(tls, child, 'nginx');
}

/** The two processes of the service, each with the environment of latchkey.env and the socket of its unit. */
function serviceProcesses(
  sockets: readonly SocketSupervisor[],
  { baseUrl, database }: { baseUrl: string; database: string },
) {
  const running = new Map<number, SupervisedLatchkey>();
  const pids: number[] = [];
  const env = environmentOf({
    LATCHKEY_DATABASE: database,
    LATCHKEY_BASE_URL: baseUrl,
    LATCHKEY_SMTP_URL: 'smtp://127.0.0.1:9',
    LATCHKEY_LOG_LEVEL: 'error',
  });
  const start = async (port: number) => {
    const socket = sockets.find((each) => each.port === port);
    if (socket === undefined) throw new Error(`No socket listens at port ${port}.`);
    const latchkey = await socket.start(['serve'], env);
    running.set(port, latchkey);
    pids.push(latchkey.pid);
    const failed = latchkey.ended.then((code) => {
      throw new Error(`The process on port ${port} ended with ${code}:\n${socket.output()}`);
    });
    failed.catch(() => undefined);
    // The connection waits until the process accepts it.
    await Promise.race([fetch(`http://127.0.0.1:${port}/healthz`), failed]);
    return socket;
  };
  return {
    pids,
    start,
    async restart(port: number) {
      const old = running.get(port);
      if (old === undefined) throw new Error(`No process runs at port ${port}.`);
      process.kill(old.pid, 'SIGTERM');
      const code = await old.ended;
      const socket = await start(port);
      if (code !== 0) throw new Error(`The process on port ${port} ended with ${code}:\n${socket.output()}`);
    },
  };
}

/** Variables of latchkey.env, some of them replaced. */
function environmentOf(replacements: Record<string, string>): Record<string, string> {
  const lines = readFileSync(join(EXAMPLE, 'latchkey.env'), 'utf8').split('\n');
  const pairs = lines
    .filter((line) => /^[A-Z]/.test(line))
    .map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)] as const);
  return { ...Object.fromEntries(pairs), ...replacements };
}

/** Server that restarts a process of the service for rolling-restart.sh, as systemd does. */
async function startControl(
  onTestFinished: OnFinished,
  restart: (port: number) => Promise<void>,
): Promise<number> {
  const server: Server = createServer((request, response) => {
    restart(Number(request.url?.slice(1))).then(
      () => response.writeHead(204).end(),
      (error: unknown) => response.writeHead(500).end(String(error)),
    );
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  onTestFinished(() => void server.close());
  return (server.address() as AddressInfo).port;
}

function writeRestartCommand(folder: string, control: number): string {
  const path = join(folder, 'restart.sh');
  writeFileSync(path, `curl --silent --show-error --fail-with-body "http://127.0.0.1:${control}/$1"\n`);
  return path;
}

/** Text of a file of the example with replacements, each of which must occur in it. */
function replaced(file: string, replacements: readonly (readonly [string, string])[]): string {
  let text = readFileSync(join(EXAMPLE, file), 'utf8');
  for (const [from, to] of replacements) {
    if (!text.includes(from)) throw new Error(`${file} does not contain "${from}".`);
    text = text.replaceAll(from, to);
  }
  return text;
}

function endWithTest(onTestFinished: OnFinished, child: ChildProcess): void {
  onTestFinished(async () => {
    if (child.exitCode !== null) return;
    const ended = once(child, 'exit');
    child.kill('SIGTERM');
    const timer = setTimeout(() => child.kill('SIGKILL'), 5_000);
    await ended;
    clearTimeout(timer);
  });
}

async function portOpens(port: number, child: ChildProcess, name: string): Promise<void> {
  let output = '';
  child.stderr?.on('data', (chunk) => {
    output += chunk;
  });
  while (child.exitCode === null) {
    const socket = connect(port, '127.0.0.1');
    const isOpen = await Promise.race([
      once(socket, 'connect').then(
        () => true,
        () => false,
      ),
    ]);
    socket.destroy();
    if (isOpen) return;
    await pause(20);
  }
  throw new Error(`${name} ended with ${child.exitCode}:\n${output}`);
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const { port } = server.address() as AddressInfo;
  await new Promise((closed) => server.close(closed));
  return port;
}

async function runToEnd(child: ChildProcess): Promise<{ code: number | null; output: string }> {
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on('data', (chunk) => {
      output += chunk;
    });
  }
  const [code] = await once(child, 'close');
  return { code, output };
}
