import { createHmac } from 'node:crypto';
import type { Page } from '@playwright/test';
import { signInAtService, type World } from './world.js';

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';
const PERIOD_MS = 30_000;

/** Code that an authenticator app shows (RFC 6238). Written without the library of the server, as real apps are. */
export function appCode(secret: string, now: number): string {
  const bits = [...secret].map((letter) => ALPHABET.indexOf(letter).toString(2).padStart(5, '0')).join('');
  const key = Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)));
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(Math.floor(now / PERIOD_MS)));
  const mac = createHmac('sha1', key).update(counter).digest();
  const number = mac.readUInt32BE((mac.at(-1) ?? 0) & 15) & 0x7fffffff;
  return `${number % 1_000_000}`.padStart(6, '0');
}

/** Appoints a seeded user as operator, with two-step sign-in, and signs in as the user. */
export async function openAsOperator(
  page: Page,
  { service, clock }: Pick<World, 'clock' | 'service'>,
  { id, name }: { id: string; name: string },
): Promise<void> {
  const context = await page.context().browser()?.newContext({ locale: 'en' });
  const english = await context?.newPage();
  if (english === undefined) throw new Error('The test has no browser.');
  await signInAtService(english, { service }, name);
  await english.goto(`${service.baseUrl}/account/two-step`);
  await english.getByRole('button', { name: 'Set up two-step sign-in' }).click();
  await english.getByLabel('Six-digit code').fill(appCode(await readSecret(english), clock.now()));
  await english.getByRole('button', { name: 'Turn on two-step sign-in' }).click();
  await english.getByRole('heading', { name: 'Your recovery codes' }).waitFor();
  await context?.close();
  clock.advance(60_000);
  await service.operator.create('operators', { userId: id, role: 'ADMIN' });
  await signInAtService(page, { service }, name);
}

/** Returns the secret that the set-up page shows as text. */
export async function readSecret(page: Page): Promise<string> {
  const text = await page.getByRole('status', { name: 'Or enter this key' }).textContent();
  return (text ?? '').replaceAll(/\s/g, '');
}
