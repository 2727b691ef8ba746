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

/**
 * Saves a picture of the whole page, or of what is visible, once nothing moves or loads. A page with an open modal dialog is
 * pictured in its window. The page's texts are replaced if the look says so.
 */
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
  // The pointer rests on the control that it clicked last.
  await page.mouse.move(0, 0);
  await waitForContent(page);
  if (look.language !== undefined) await translatePage(page, look.language);
  const hasDialog = (await page.locator('dialog:modal').count()) > 0;
  if (fullPage && !hasDialog) await page.evaluate(() => scrollTo({ top: 0, behavior: 'instant' }));
  await settle(page);
  mkdirSync(folder, { recursive: true });
  await page.screenshot({
    path: `${folder}/${name}-${look.name}.png`,
    fullPage: fullPage && !hasDialog,
  });
  if (look.language !== undefined) await restorePage(page);
  if (isPopup && size !== null) await page.setViewportSize(size);
}

/**
 * Milliseconds to wait for content at most. The picture of a page that loads for longer shows that: it is a state too, such as a
 * service that does not respond.
 */
const CONTENT_MS = 15_000;

/** Resolves when no text of the page, of its frames and of all shadow trees announces content, and each video shows a picture. */
async function waitForContent(page: Page): Promise<void> {
  const frames = page.frames().map((frame) =>
    frame.waitForFunction(
      () => {
        const isLoading = (root: Document | ShadowRoot): boolean =>
          [...root.querySelectorAll('*')].some((element) => {
            if (element.shadowRoot !== null && isLoading(element.shadowRoot)) return true;
            if (element instanceof HTMLVideoElement) return element.readyState < 2;
            const text = [...element.childNodes].find(
              (node) => node instanceof Text && /^\s*(Loading|Looking up)\b.*…\s*$/.test(node.data),
            );
            return text !== undefined && element.checkVisibility();
          });
        return !isLoading(document);
      },
      undefined,
      { timeout: CONTENT_MS },
    ),
  );
  await Promise.allSettled(frames);
}

/**
 * Resolves when the fonts are loaded and every transition has ended, in shadow trees too. Animations that never end do not
 * count, nor those that follow a scroll position.
 */
async function settle(page: Page): Promise<void> {
  await page.evaluate(async () => {
    await document.fonts.ready;
    const ends = ({ effect, timeline }: Animation) =>
      timeline instanceof DocumentTimeline &&
      effect?.getComputedTiming().endTime !== Number.POSITIVE_INFINITY;
    const animationsIn = (root: Document | ShadowRoot): Animation[] => [
      ...root.getAnimations(),
      ...[...root.querySelectorAll('*')].flatMap(({ shadowRoot }) =>
        shadowRoot === null ? [] : animationsIn(shadowRoot),
      ),
    ];
    await Promise.allSettled(
      animationsIn(document)
        .filter(ends)
        .map(({ finished }) => finished),
    );
  });
}
