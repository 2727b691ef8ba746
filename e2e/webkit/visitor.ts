import { By, error, type WebDriver, type WebElement } from 'selenium-webdriver';
import { expect } from '../world.js';

/** A visitor with a browser. Names are texts of the page. Every wait has a time limit. */
export interface Visitor {
  driver: WebDriver;
  goTo(url: string): Promise<void>;
  /** Runs an expression in the page. */
  evaluate<Value>(expression: string): Promise<Value>;
  /** Waits for a button of the page. */
  expectButton(name: string): Promise<void>;
  /** Clicks a button of the page. */
  click(name: string): Promise<void>;
  /** Clicks the widget's button. */
  clickSignIn(): Promise<void>;
  /**
   * Waits until the page has this address. The widget's text can't show that the visitor is back: a return
   * page greets them too, before it redirects.
   */
  expectAddress(url: string): Promise<void>;
  /** Waits until the widget shows this text. */
  expectWidget(text: string | RegExp): Promise<void>;
  /** Waits until the widget reports this failure. */
  expectFailure(code: string): Promise<void>;
  /** Waits until the gate is in this state. */
  expectGate(state: string): Promise<void>;
  /** Waits for a second window and switches to it. */
  toPopup(): Promise<void>;
  /** Waits until only one window is open and switches to it. */
  backToPage(): Promise<void>;
  /** Closes every window but this one. */
  closeOthers(): Promise<void>;
  /**
   * Simulates waking a laptop: the page's clock has advanced, no timer has run, and the page becomes visible.
   */
  wakeUpAfter(milliseconds: number): Promise<void>;
  /** Returns the number of the page's requests with an address that ends like this. */
  requests(ending: string): Promise<number>;
}

const LOGIN = `document.querySelector('latchkey-login')`;

export function createVisitor(driver: WebDriver): Visitor {
  const evaluate = <Value>(expression: string) => driver.executeScript<Value>(`return ${expression}`);

  const button = async (name: string): Promise<WebElement> => {
    const here = By.xpath(`//button[contains(normalize-space(.), ${JSON.stringify(name)})]`);
    await poll(async () => (await driver.findElements(here)).length, `buttons “${name}”`).toBe(1);
    return driver.findElement(here);
  };

  return {
    driver,
    evaluate,
    goTo: (url) => driver.get(url),
    expectButton: async (name) => void (await button(name)),
    // A press on the consent page counts only after the mouse has rested on the button.
    async click(name) {
      const found = await button(name);
      await poll(() => found.isDisplayed(), `the button “${name}” is visible`).toBe(true);
      await driver.actions().move({ x: 0, y: 0 }).move({ origin: found }).pause(700).click().perform();
    },
    async clickSignIn() {
      const inside = `${LOGIN}?.shadowRoot?.querySelector('button')`;
      await poll(() => evaluate(`Boolean(${inside})`), 'the widget’s button').toBe(true);
      await (await evaluate<WebElement>(inside)).click();
    },
    async expectAddress(url) {
      await poll(() => driver.getCurrentUrl()).toBe(url);
    },
    async expectWidget(text) {
      await poll(() => evaluate(`${LOGIN}?.shadowRoot?.textContent ?? ''`)).toMatch(text);
    },
    async expectFailure(code) {
      await poll(() => evaluate(`${LOGIN}.snapshot.failure?.code ?? null`)).toBe(code);
    },
    async expectGate(state) {
      await poll(() => evaluate(`document.querySelector('latchkey-gate')?.state`)).toBe(state);
    },
    ...createWindows(driver),
    wakeUpAfter: (milliseconds) =>
      driver.executeScript(
        `const now = Date.now; const ahead = arguments[0];
         Date.now = () => now() + ahead;
         document.dispatchEvent(new Event('visibilitychange'));`,
        milliseconds,
      ),
    requests: (ending) =>
      evaluate(
        `performance.getEntriesByType('resource').filter(({ name }) => name.endsWith(${JSON.stringify(ending)})).length`,
      ),
  };
}

/** Asks until the answer is as expected. A page that is just being left has none. */
function poll<Value>(ask: () => Promise<Value>, what?: string) {
  const answer = () =>
    ask().catch((cause: unknown) => {
      if (!(cause instanceof error.NoSuchFrameError)) throw cause;
    });
  return expect.poll(answer, what);
}

/** Creates the visitor's steps between windows. */
function createWindows(driver: WebDriver): Pick<Visitor, 'toPopup' | 'backToPage' | 'closeOthers'> {
  /** Waits until this number of windows is open. */
  const windows = async (count: number): Promise<string[]> => {
    await poll(async () => (await driver.getAllWindowHandles()).length).toBe(count);
    return driver.getAllWindowHandles();
  };

  return {
    async toPopup() {
      const page = await driver.getWindowHandle();
      const popup = (await windows(2)).find((handle) => handle !== page);
      await driver.switchTo().window(popup ?? page);
    },
    async backToPage() {
      const [page = ''] = await windows(1);
      await driver.switchTo().window(page);
    },
    async closeOthers() {
      const here = await driver.getWindowHandle();
      for (const handle of await driver.getAllWindowHandles()) {
        if (handle === here) continue;
        await driver.switchTo().window(handle);
        await driver.close();
      }
      await driver.switchTo().window(here);
    },
  };
}
