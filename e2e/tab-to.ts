import { expect, type Locator, type Page } from '@playwright/test';

/** No page needs more presses of the Tab key to reach its last control. */
const MOST_TABS = 100;

/** Presses the Tab key until the control has the focus, and asserts that the focus is visible. */
export async function tabTo(page: Page, control: Locator): Promise<void> {
  await expect(control).toBeVisible();
  // `:focus` also matches in a shadow tree.
  const hasFocus = () => control.evaluate((element) => element.matches(':focus'));
  for (let presses = 0; presses < MOST_TABS && !(await hasFocus()); presses += 1)
    await page.keyboard.press('Tab');
  await expect(control).toBeFocused();
  await expect(control).not.toHaveCSS('outline-style', 'none');
}
