import { createHmac } from 'node:crypto';
import type { Page } from '@playwright/test';

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

/** Returns the secret that the set-up page shows as text. */
export async function readSecret(page: Page): Promise<string> {
  const text = await page.getByRole('status', { name: 'Or enter this key' }).textContent();
  return (text ?? '').replaceAll(/\s/g, '');
}
