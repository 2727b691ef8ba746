import { mkdirSync } from 'node:fs';
import type { Page } from '@playwright/test';

/** Folder of the pictures. `npm run look` sets it. */
export const folder = process.env.LATCHKEY_LOOK ?? '';

/** Conditions in which each page is pictured. */
export const LOOKS = [
  { name: 'light', colorScheme: 'light', width: 1280, rtl: false },
  { name: 'dark', colorScheme: 'dark', width: 1280, rtl: false },
  { name: 'narrow', colorScheme: 'light', width: 360, rtl: false },
  { name: 'rtl', colorScheme: 'light', width: 1280, rtl: true },
] as const;

/** Saves a picture of the whole page. */
export async function takePicture(page: Page, name: string, look: (typeof LOOKS)[number]): Promise<void> {
  if (look.rtl) await page.evaluate(() => document.documentElement.setAttribute('dir', 'rtl'));
  mkdirSync(folder, { recursive: true });
  await page.screenshot({ path: `${folder}/${name}-${look.name}.png`, fullPage: true });
}
