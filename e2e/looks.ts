import { mkdirSync } from 'node:fs';
import type { Page } from '@playwright/test';
import { restorePage, translatePage } from './pseudo-language.js';

/** Folder of the pictures. `npm run look` sets it. */
const folder = process.env.LATCHKEY_LOOK ?? '';

/** Conditions in which each page is pictured. A popup is resized to the width too. */
export const LOOKS = [
  { name: 'light', colorScheme: 'light', width: 1280, language: undefined },
  { name: 'dark', colorScheme: 'dark', width: 1280, language: undefined },
  { name: 'phone', colorScheme: 'light', width: 390, language: undefined },
  { name: 'narrow', colorScheme: 'dark', width: 320, language: undefined },
  { name: 'long', colorScheme: 'light', width: 390, language: 'long' },
  { name: 'arabic', colorScheme: 'light', width: 1280, language: 'arabic' },
] as const;

/** One condition of {@link LOOKS}. */
export type Look = (typeof LOOKS)[number];

/** Saves a picture of the whole page, or of what is visible, once nothing moves. The page's texts are replaced if the look says so. */
export async function takePicture(
  page: Page,
  name: string,
  look: Look,
  { fullPage = true }: { fullPage?: boolean } = {},
): Promise<void> {
  await page.waitForLoadState('load');
  const size = page.viewportSize();
  // A popup has a size of its own: that of the widget's window.
  const isPopup = (await page.opener()) !== null;
  const width = isPopup ? Math.min(look.width, 480) : look.width;
  await page.setViewportSize({ width, height: isPopup ? 640 : (size?.height ?? 860) });
  if (look.language !== undefined) await translatePage(page, look.language);
  await settle(page);
  mkdirSync(folder, { recursive: true });
  await page.screenshot({ path: `${folder}/${name}-${look.name}.png`, fullPage });
  if (look.language !== undefined) await restorePage(page);
  if (isPopup && size !== null) await page.setViewportSize(size);
}

/** Resolves when the fonts are loaded and every transition has ended. Animations that never end do not count. */
async function settle(page: Page): Promise<void> {
  await page.evaluate(async () => {
    await document.fonts.ready;
    const endless = (animation: Animation) =>
      animation.effect?.getComputedTiming().endTime === Number.POSITIVE_INFINITY;
    await Promise.allSettled(
      document
        .getAnimations()
        .filter((animation) => !endless(animation))
        .map(({ finished }) => finished),
    );
  });
}
