import type { Locator, Page } from '@playwright/test';
import { expect, type World } from './world.js';

/** The switches of the gallery, as parameters of its address. */
const LOOKS = {
  light: 'scheme=light',
  dark: 'scheme=dark',
  arabic: 'lang=ar',
  narrow: 'width=176',
  designed: 'design=own',
} as const;
type Look = keyof typeof LOOKS;

/** Opens the gallery with all states of an element. */
export async function openGallery(
  page: Page,
  world: World,
  look: Look = 'light',
  element = 'login',
): Promise<void> {
  await page.goto(`${world.scriptTagShop.url}/gallery?${LOOKS[look]}&element=${element}`);
  await expect(page.locator('html')).toHaveAttribute('data-ready', '');
}

/** Opens the gallery with one state of the sign-in alone. */
export async function openState(page: Page, world: World, state: string): Promise<void> {
  const query = new URLSearchParams({ scheme: 'light', state });
  await page.goto(`${world.scriptTagShop.url}/gallery?${query}`);
  await expect(page.locator('html')).toHaveAttribute('data-ready', '');
  await expect(page.locator('figcaption')).toHaveText([state]);
}

/** Sets all switches of the open gallery, which takes less time than a load with the look in the address. */
export async function switchTo(page: Page, look: Look): Promise<void> {
  await page.evaluate((query) => {
    const chosen = new URLSearchParams(query);
    const form = document.querySelector('form') as HTMLFormElement;
    for (const input of form.querySelectorAll('input'))
      input.checked = input.value === (chosen.get(input.name) ?? '');
    form.dispatchEvent(new Event('change'));
  }, LOOKS[look]);
  await expect(page.locator('html')).toHaveAttribute('data-ready', '');
}

/** Returns the cell of a state. */
export const cell = (page: Page, name: string): Locator =>
  page.locator('figure').filter({ has: page.locator('figcaption', { hasText: new RegExp(`^${name}$`) }) });
