import { test as base, type Locator, type Page } from '@playwright/test';

/** Longer than the service's pages wait before a press counts. */
const CALM_MS = 700;

/** Prototypes whose clicks are calm already. A worker has one. */
const calm = new WeakSet<object>();

/**
 * Makes all clicks of the tests those of a calm person: they move to a button that decides something, rest there for a moment, and
 * then press. Playwright's own clicks arrive and press in a millisecond, like the second press of a double click, which the service's
 * pages ignore. `quick-presses.spec.ts` presses without it.
 */
function clickCalmly(page: Page): void {
  const prototype = Object.getPrototypeOf(page.locator('html')) as Locator;
  if (calm.has(prototype)) return;
  calm.add(prototype);
  const { click } = prototype;
  prototype.click = async function calmClick(this: Locator, options) {
    if (options?.trial === true || !(await this.evaluate(decides, undefined, options)))
      return await click.call(this, options);
    do {
      await rest(this);
      await click.call(this, options);
      // A window that got the focus between the rest and the press takes none. A person reads that and presses again.
    } while (await hasRefused(this.page()));
  };
}

/** Playwright's `test`, in which all clicks are those of a calm person. */
export const test = base.extend<object, { calm: undefined }>({
  calm: [
    async ({ browser }, use) => {
      const page = await browser.newPage();
      clickCalmly(page);
      await page.close();
      await use(undefined);
    },
    { scope: 'worker', auto: true },
  ],
});

/** True if the page has just refused a press that came too soon. A page that is gone has not. */
async function hasRefused(page: Page): Promise<boolean> {
  const settling = page.evaluate(() => document.documentElement.dataset.settling);
  return (await settling.catch(() => undefined)) === 'pressed';
}

/** Rests on a button, or keeps its focus, until a press on it counts. */
export async function rest(button: Locator): Promise<void> {
  const page = button.page();
  do {
    await page.mouse.move(0, 0);
    const before = await button.evaluate(() => performance.now());
    // Forced: without scripts, the button takes no pointer until it has rested on the form.
    await button.hover({ force: true });
    await page.waitForTimeout(CALM_MS);
    // A page whose clock the test has stopped rests by that clock.
    const isStopped = before === (await button.evaluate(() => performance.now()));
    if (isStopped) await page.clock.runFor(CALM_MS);
    // A window that got the focus or its size meanwhile begins again.
  } while (await page.evaluate(() => document.documentElement.dataset.settling !== undefined));
}

/** Presses a key on the control that has the focus, once its page accepts it. */
export async function pressCalmly(page: Page, key: 'Enter' | 'Space'): Promise<void> {
  await page.waitForTimeout(CALM_MS);
  await page.keyboard.press(key);
}

function decides(element: Element): boolean {
  const isService = document.querySelector('script[src^="/assets/pages"]') !== null;
  return isService && element.closest('form[method="post"]:not([data-at-once]) button') !== null;
}
