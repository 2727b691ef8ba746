import { sandboxScenario, seedSandbox, startSandbox } from '@latchkey/sandbox';
import { fetchAsHost } from '../../scripts/fetch-as-host.mjs';
import type { SimulatedService } from './token-service.ts';

const SERVICE_URL = 'https://service.example';
const SITE = 'https://shop.example';
const MINUTE_MS = 60_000;

/** The real server in this process, on SQLite. Schedules use it one after the other. */
export interface RealService {
  /** Creates the service of one schedule. Its clock follows that of the schedule. */
  createService(now: () => number): SimulatedService;
  close(): Promise<void>;
}

/** Starts the real server with a clock that the schedules move. */
export async function startRealService(): Promise<RealService> {
  let serverNow = Date.UTC(2026, 5, 12);
  let follow = () => serverNow;
  const sandbox = await startSandbox({
    baseUrl: SERVICE_URL,
    trustProxy: 'loopback',
    allowPublic: true,
    backgroundWork: false,
    clock: { now: () => follow() },
    logger: { info() {}, warn() {}, error() {} },
  });
  await seedSandbox(sandbox, { scriptTagShop: SITE, backendShop: SITE });
  const send = (path: string, init?: RequestInit) =>
    fetchAsHost(`http://127.0.0.1:${sandbox.port}`, SERVICE_URL, path, init);
  const form = (path: string, fields: Record<string, string>, cookie = '') =>
    send(path, {
      method: 'POST',
      headers: { cookie, 'sec-fetch-site': 'same-origin' },
      body: new URLSearchParams(fields),
    });
  const { email, id: account } = sandboxScenario.users.ada;
  /** Signs Ada in. A schedule may last longer than her session at the service. */
  const signIn = async () => {
    const { headers } = await form('/sandbox/sign-in', { email });
    return headers
      .getSetCookie()
      .map((line) => line.split(';')[0])
      .join('; ');
  };

  return {
    createService(now) {
      const [start, base] = [now(), serverNow + MINUTE_MS];
      follow = () => {
        serverNow = Math.max(serverNow, base + now() - start);
        return serverNow;
      };
      return {
        namesGrants: false,
        async handle({ method, path, headers, form: body }) {
          const response = await send(path, { method, headers, ...(method === 'POST' && { body }) });
          const text = await response.text();
          return { status: response.status, body: text === '' ? '' : JSON.parse(text) };
        },
        async issueCode({ searchParams }) {
          const fields = { ...Object.fromEntries(searchParams), account, decision: 'allow' };
          const { headers } = await form('/oauth/consent', fields, await signIn());
          const code = new URL(headers.get('location') ?? SITE, SITE).searchParams.get('code');
          if (code === null) throw new Error('The service issued no code.');
          return code;
        },
        async revokeAll() {
          await form('/account/sessions/end', { account, which: 'all', apps: 'on' }, await signIn());
        },
      };
    },
    close: () => sandbox.close(),
  };
}
