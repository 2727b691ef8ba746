import { EventEmitter, once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { type PassiveService, startPassiveService } from '../../src/caller.js';
import { LostAnswers } from '../../src/scripted-service/http-server.js';

const RULE = 'credentials.refresh-rotates';

/** Starts a service and signs in. Returns the parameters of a refresh. */
async function signIn(): Promise<{
  service: PassiveService;
  refresh: (token: string) => string;
  token: string;
}> {
  const service = await startPassiveService();
  onTestFinished(() => service.close());
  const env = service.environment;
  const client = { client_id: env.LATCHKEY_CLIENT_ID ?? '', client_secret: env.LATCHKEY_CLIENT_SECRET ?? '' };
  const redirectUri = 'http://localhost:8080/callback';
  const query = new URLSearchParams({
    client_id: client.client_id,
    redirect_uri: redirectUri,
    scope: 'memberships.read',
  });
  const redirect = await fetch(`${service.url}/oauth/authorize?${query}`, { redirect: 'manual' });
  const code = new URL(redirect.headers.get('location') ?? '').searchParams.get('code') ?? '';
  const grant = { grant_type: 'authorization_code', ...client, redirect_uri: redirectUri, code };
  const pair = await pairOf(service, new URLSearchParams(grant).toString());
  const refresh = (token: string) =>
    new URLSearchParams({ grant_type: 'refresh_token', ...client, refresh_token: token }).toString();
  return { service, refresh, token: pair.refresh_token };
}

async function pairOf({ url }: PassiveService, body: string): Promise<{ refresh_token: string }> {
  const headers = { 'content-type': 'application/x-www-form-urlencoded' };
  const answer = await fetch(`${url}/oauth/token`, { method: 'POST', headers, body });
  return (await answer.json()) as { refresh_token: string };
}

/** Sends a request on a connection of its own, as a client that keeps connections open. */
async function send({ url }: PassiveService, body: string): Promise<Socket> {
  const { hostname, port, host } = new URL(url);
  const socket = connect(Number(port), hostname);
  socket.on('error', () => {});
  await once(socket, 'connect');
  const headers = ['content-type: application/x-www-form-urlencoded', `content-length: ${body.length}`];
  socket.write(`POST /oauth/token HTTP/1.1\r\nhost: ${host}\r\n${headers.join('\r\n')}\r\n\r\n${body}`);
  return socket;
}

function outcomeOf(service: PassiveService): string | undefined {
  return service.report().results.find(({ id }) => id === RULE)?.outcome.kind;
}

it(`does not blame a client that sends a refresh token again after it lost the answer [${RULE}]`, async () => {
  const { service, refresh, token } = await signIn();
  const socket = await send(service, refresh(token));
  await once(socket, 'data');
  // A system also resets a connection if a program closes it before it reads everything.
  socket.resetAndDestroy();
  await pairOf(service, refresh(token));
  await expect.poll(() => outcomeOf(service)).toBe('not-run');
});

it(`blames a client that reads the answer, closes the connection and sends the refresh token again [${RULE}]`, async () => {
  const { service, refresh, token } = await signIn();
  const socket = await send(service, refresh(token));
  await once(socket, 'data');
  socket.end();
  await once(socket, 'close');
  await pairOf(service, refresh(token));
  expect(outcomeOf(service)).toBe('failed');
});

it(`blames a client whose connection is reset only after its next request [${RULE}]`, async () => {
  const { service, refresh, token } = await signIn();
  const socket = await send(service, refresh(token));
  await once(socket, 'data');
  socket.write(`GET /oauth/userinfo HTTP/1.1\r\nhost: localhost\r\n\r\n`);
  await once(socket, 'data');
  socket.resetAndDestroy();
  await pairOf(service, refresh(token));
  expect(outcomeOf(service)).toBe('failed');
});

it('ignores a request whose body never arrives completely', async () => {
  const { service, refresh, token } = await signIn();
  const { hostname, port } = new URL(service.url);
  const socket = connect(Number(port), hostname);
  await once(socket, 'connect');
  socket.write('POST /oauth/token HTTP/1.1\r\nhost: localhost\r\ncontent-length: 100\r\n\r\ngrant_type=');
  socket.end();
  await once(socket.resume(), 'close');
  await pairOf(service, refresh(token));
  expect(outcomeOf(service)).toBe('not-run');
});

it.for(['before', 'after'])(
  'an unwritten answer is lost if the client leaves %s the service follows it',
  async (when) => {
    const answers = new LostAnswers();
    const events = new EventEmitter();
    const [requested, lost] = [once(events, 'requested'), once(events, 'lost')];
    const report = () => void events.emit('lost');
    const server = createServer(async (_request, response) => {
      if (when === 'after') answers.follow(response, report);
      events.emit('requested');
      await once(response, 'close');
      if (when === 'before') answers.follow(response, report);
    });
    onTestFinished(() => void server.close());
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
    socket.write('GET / HTTP/1.1\r\nhost: localhost\r\n\r\n');
    await requested;
    socket.end();
    await lost;
  },
);
