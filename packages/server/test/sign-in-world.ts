import { test as base, expect } from 'vitest';
import type { MailMessage, ServerOptions } from '../src/index.js';
import type { Browser } from './browser.js';
import { takeTestDatabase } from './database/database-under-test.js';
import { type ServiceUnderTest, startService } from './service-under-test.js';

/** Production server behind a proxy on this machine, with all mail that it sent. */
export interface SignInWorld {
  readonly service: ServiceUnderTest;
  readonly mails: readonly MailMessage[];
  /** Browser without cookies whose requests come from a client address. */
  from(address: string): Client;
}

/** Browser at one client address. */
export interface Client {
  readonly browser: Browser;
  /** Requests a code. */
  ask(email: string): Promise<Response>;
  /** Enters a code. */
  enter(code: string): Promise<Response>;
  get(path: string): Promise<Response>;
}

/** Starts the server of a {@link SignInWorld}. */
export async function startSignInWorld(options: ServerOptions = {}): Promise<SignInWorld> {
  const mails: MailMessage[] = [];
  const mailer = { send: async (mail: MailMessage) => void mails.push(mail) };
  const service = await startService({ sandbox: false, mailer, trustProxy: 'loopback', ...options });
  const from = (address: string): Client => {
    const browser = service.browser();
    const headers = {
      origin: service.baseUrl,
      'sec-fetch-site': 'same-origin',
      'x-forwarded-for': address,
    };
    return {
      browser,
      ask: (email) => browser.post('/sign-in/code', { email, continue: '/account' }, headers),
      enter: (code) => browser.post('/sign-in/verify', { code, continue: '/account' }, headers),
      get: (path) => browser.get(path, { 'x-forwarded-for': address }),
    };
  };
  return { service, mails, from };
}

/** `it` with a {@link SignInWorld}. */
export const it = base.extend<{ world: SignInWorld; database: string }>({
  // biome-ignore lint/correctness/noEmptyPattern: vitest reads the fixture's needs from this pattern.
  database: async ({}, use) => {
    const { url, giveBack } = await takeTestDatabase({ isShared: true });
    await use(url);
    await giveBack();
  },
  world: async ({ database }, use) => {
    const world = await startSignInWorld({ database });
    await use(world);
    await world.service.server.close();
  },
});

/** Returns the code of the newest mail to an address. */
export function newestCode({ mails }: SignInWorld, email: string): string {
  return mails.findLast(({ to }) => to === email)?.code ?? '';
}

/** Returns the path of the link in the newest mail to an address. */
export function newestLink({ mails, service }: SignInWorld, email: string): string | undefined {
  const text = mails.findLast(({ to }) => to === email)?.text ?? '';
  const [link] = /http\S+\/sign-in\/browser\S+/.exec(text) ?? [];
  return link?.slice(service.baseUrl.length);
}

/** Signs in with a code, and asserts that it works. */
export async function signIn(world: SignInWorld, client: Client, email: string): Promise<void> {
  expect((await client.ask(email)).status).toBe(303);
  expect((await client.enter(newestCode(world, email))).status).toBe(303);
  expect((await client.get('/account')).status).toBe(200);
}

/** Six digits that differ from the code. */
export function otherCode(code: string): string {
  return code === '000000' ? '000001' : '000000';
}
