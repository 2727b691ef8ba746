import type { CheckoutSnapshot } from '@latchkey/widget';
import { gateStates, loginStates, plansStates } from '@latchkey/widget/testing';
import type { Page } from '@playwright/test';
import { violationsOf } from './axe.js';
import { cell, openGallery, switchTo } from './gallery.js';
import { longIf } from './levels.js';
import { usesWideFont, useWideFont } from './wide-font.js';
import { expect, test } from './world.js';

// Fonts and their rendering differ between machines, so these tests compare no pictures. They check what holds everywhere: each state
// shows its words, nothing is cut off or leaves its cell, and the element keeps its size. A panel is above everything in the page: it
// must be in the window and at its button.

const buyingStates = Object.entries<CheckoutSnapshot>(plansStates).flatMap(([name, { planId }]) =>
  planId ? [name] : [],
);
/** The elements of the gallery, with the names of their cells. */
const NAMES = {
  login: [
    ...Object.keys(loginStates),
    'signed in, menu open',
    'signed in without e-mail or membership, menu open',
  ],
  gate: Object.keys(gateStates),
  plans: [...Object.keys(plansStates), 'one’s own plan'],
  join: ['ready', ...buyingStates, 'one’s own plan', 'another plan of a member'],
};
const ELEMENTS = [...Object.keys(NAMES), 'variants'];

/** Smallest distance of a panel to its button and to the edge of the window, in pixels. */
const MARGIN = 8;

/** Returns a description of each layout error in the gallery. Scrolls to each cell, as a visitor does. */
function layoutProblems(page: Page): Promise<string[]> {
  return page.evaluate(async (margin) => {
    const problems: string[] = [];
    const root = document.documentElement;
    if (root.scrollWidth > root.clientWidth) problems.push(`the page is ${root.scrollWidth} px wide`);
    const logins = (element: Element): Element[] =>
      element.localName === 'latchkey-login'
        ? [element]
        : [...(element.shadowRoot?.querySelectorAll('latchkey-login') ?? [])];
    const texts = (element: Element): HTMLElement[] => [
      ...(element.shadowRoot?.querySelectorAll<HTMLElement>('button, p, li, .panel:not(.quiet), .notice') ??
        []),
      ...(element.localName === 'latchkey-login' ? [] : logins(element).flatMap(texts)),
    ];
    const sizes = new Set<string>();
    for (const figure of document.querySelectorAll('figure')) {
      const name = figure.querySelector('figcaption')?.textContent;
      const stage = figure.querySelector('.stage') as HTMLElement;
      const element = figure.querySelector('.place')?.lastElementChild as HTMLElement;
      stage.scrollIntoView({ block: 'center', behavior: 'instant' });
      // The panel follows with the event of the scroll, which comes before the next frame but one.
      for (let frame = 0; frame < 2; frame += 1) await new Promise((done) => requestAnimationFrame(done));
      const box = stage.getBoundingClientRect();
      for (const text of texts(element)) {
        const { left, right, top, bottom, width, height } = text.getBoundingClientRect();
        if (width <= 1 || text.closest('.quiet')) continue;
        const what = `${name}: "${text.textContent?.trim().replace(/\s+/g, ' ').slice(0, 40)}"`;
        if (left < 0 || right > root.clientWidth) problems.push(`${what} leaves the window`);
        const isOnTop = text.closest(':popover-open') !== null;
        if (!isOnTop && (top < box.top || bottom > box.bottom)) problems.push(`${what} leaves its cell`);
        if (text.scrollWidth > text.clientWidth + 1 && getComputedStyle(text).display !== 'inline')
          problems.push(`${what} is cut off`);
        if (text.matches('button') && (width < 24 || height < 24))
          problems.push(`${what} is too small to hit`);
      }
      for (const login of logins(element)) {
        const panel = login.shadowRoot?.querySelector('.panel:not(.quiet)');
        if (!panel?.matches(':popover-open')) {
          // Only a gate has the panel in its own flow.
          if (panel && login === element) problems.push(`${name}: the panel is not on top`);
          continue;
        }
        const anchor = login.getBoundingClientRect();
        const { left, right, top, bottom } = panel.getBoundingClientRect();
        const isAt = (one: number, other: number) => Math.abs(one - other) < 1;
        if (top < 0 || bottom > innerHeight) problems.push(`${name}: the panel leaves the window`);
        if (!isAt(top, anchor.bottom + margin) && !isAt(bottom, anchor.top - margin))
          problems.push(`${name}: the panel is not at its button`);
        // At the edge of a narrow window, both of its sides may be elsewhere.
        if (
          !isAt(left, anchor.left) &&
          !isAt(right, anchor.right) &&
          !isAt(left, margin) &&
          !isAt(right, root.clientWidth - margin)
        )
          problems.push(`${name}: the panel is beside its button`);
      }
      if (element.localName !== 'latchkey-login') continue;
      const button = element.shadowRoot?.querySelector('button')?.getBoundingClientRect();
      sizes.add(`${element.getBoundingClientRect().width} x ${button?.height}`);
    }
    const hasVariants = document.querySelector('#headers') !== null;
    if (sizes.size > 1 && !hasVariants) problems.push(`elements of ${[...sizes].join(', ')}`);
    return problems;
  }, MARGIN);
}

test('the start page links to the gallery, which shows every state of every element', async ({
  page,
  world,
}) => {
  await page.goto(world.scriptTagShop.url);
  await page.getByRole('link', { name: 'Every state' }).click();
  await expect(page.locator('html')).toHaveAttribute('data-ready', '');
  for (const [element, names] of Object.entries(NAMES)) {
    const tab = page.getByRole('navigation').getByRole('link').nth(Object.keys(NAMES).indexOf(element));
    await tab.click();
    await expect(tab).toHaveAttribute('aria-current', 'page');
    await expect(page.locator('html')).toHaveAttribute('data-ready', '');
    expect((await page.locator('figcaption').allTextContents()).sort()).toEqual([...names].sort());
  }
  const gates = await page.goto(`${world.scriptTagShop.url}/gallery?element=gate`).then(async () => {
    await expect(page.locator('html')).toHaveAttribute('data-ready', '');
    return page
      .locator('latchkey-gate')
      .evaluateAll((all) => all.map((gate) => (gate as HTMLElement & { state: string }).state));
  });
  const states = Object.keys(gateStates).map((name) => (name === 'misconfigured' ? 'error' : name));
  expect(gates.sort()).toEqual(states.sort());
});

for (const look of ['light', 'arabic'] as const) {
  test(
    `each state of the sign-in has words of its own: ${look}`,
    longIf(look === 'arabic'),
    async ({ page, world }) => {
      await openGallery(page, world, look);
      const texts = new Map<string, string>();
      for (const name of Object.keys(loginStates)) {
        const status = cell(page, name).getByRole('status');
        texts.set(name, (await status.textContent())?.trim() ?? '');
      }
      const silent = [...texts].filter(([, text]) => text === '').map(([name]) => name);
      expect(silent).toEqual(['checking', 'signed out']);
      // Two states with the same words would mean a wrong cell. "check failed" is a network failure too.
      const words = [...texts.values()].filter(Boolean);
      const repeated = [...texts].filter(
        ([, text], index) => text && words.indexOf(text) < index - silent.length,
      );
      expect(repeated.map(([name]) => name)).toEqual(['check failed']);
      for (const text of words) expect(/[\u0600-\u06ff]/.test(text)).toBe(look === 'arabic');
      await expect(cell(page, 'signed in, menu open').getByRole('listitem')).toHaveCount(2);
      await expect(cell(page, 'signed in, menu open')).toContainText('The Roaster’s Table');
    },
  );
}

test('the gallery shows everyday states apart from errors, and offers the markup of each to copy', async ({
  page,
  context,
  world,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await openGallery(page, world);
  await expect(page.locator('#everyday').getByText('waiting', { exact: true })).toBeVisible();
  await expect(page.locator('#errors').getByText('origin refused', { exact: true })).toBeVisible();
  await cell(page, 'expired')
    .getByRole('button', { name: /^Copy the markup/ })
    .click();
  await expect(cell(page, 'expired').getByText('Copied')).toBeVisible();
  const copied = await page.evaluate(() => navigator.clipboard.readText());
  expect(copied).toContain('<latchkey-login client-id="oac_');
  expect(copied).toContain('createStillSession(loginStates["expired"])');
  await cell(page, 'signed in, menu open').getByText('Markup').click();
  await expect(cell(page, 'signed in, menu open').locator('code')).toContainText(
    'membership-names=\'{"7b0c0f5e',
  );
});

test('an address with an unknown state shows all states', async ({ page, world }) => {
  await page.goto(`${world.scriptTagShop.url}/gallery?state=unknown`);
  await expect(page.locator('html')).toHaveAttribute('data-ready', '');
  await expect(page.locator('figcaption')).toHaveCount(NAMES.login.length);
});

test('the switches change the look at once, and stay in the address and in the links', async ({
  page,
  world,
}) => {
  await page.goto(`${world.scriptTagShop.url}/gallery`);
  await expect(page.locator('html')).toHaveAttribute('data-ready', '');
  const scheme = () =>
    page
      .locator('main figure')
      .first()
      .evaluate((node) => getComputedStyle(node).colorScheme);
  await page.getByRole('radio', { name: 'Dark' }).check();
  expect(await scheme()).toBe('dark');
  await page.getByRole('radio', { name: 'العربية' }).check();
  await expect(cell(page, 'waiting').getByRole('status')).toHaveText(/[\u0600-\u06ff]/);
  expect(page.url()).toContain('scheme=dark');
  await page.getByRole('link', { name: 'Gate', exact: true }).click();
  await expect(page.locator('html')).toHaveAttribute('data-ready', '');
  expect(await scheme()).toBe('dark');
  await expect(cell(page, 'signed-out').getByRole('button').nth(1)).toHaveText(/[\u0600-\u06ff]/);
  await expect(page.getByRole('radio', { name: 'Dark' })).toBeChecked();
});

/** Conditions in which each element is checked, by the size of the window. A switch or a setting of the visitor changes no size. */
const CONDITIONS = {
  'in a wide window': {
    use: { viewport: { width: 1280, height: 720 } },
    isLong: () => true,
    conditions: [
      { look: 'light', media: { colorScheme: 'light' } },
      // The switch differs from the visitor's own setting, here and on the phone.
      { look: 'dark', media: { colorScheme: 'light' } },
      { look: 'designed', media: { colorScheme: 'dark' } },
      // With forced colors the visitor's own colors apply, but axe measures those of the page.
      {
        look: 'arabic',
        media: { colorScheme: 'dark', forcedColors: 'active' },
        except: ['color-contrast'],
      },
    ],
  },
  'on a phone of 320 px': {
    use: { viewport: { width: 320, height: 640 } },
    // The others contain the sign-in.
    isLong: (element: string) => element !== 'login',
    conditions: [
      { look: 'narrow', media: { colorScheme: 'light' } },
      { look: 'light', media: { colorScheme: 'dark' } },
    ],
  },
} as const;

for (const [name, { use, conditions, isLong }] of Object.entries(CONDITIONS)) {
  test.describe(name, () => {
    test.use(use);

    for (const element of ELEMENTS) {
      test(
        `the gallery’s ${element} has no layout problem, in a wider font too, and no accessibility violation`,
        longIf(isLong(element)),
        async ({ page, world }) => {
          await openGallery(page, world, conditions[0].look, element);
          for (const font of ['the system’s font', 'a wider font']) {
            if (font === 'a wider font') await useWideFont(page);
            for (const { look, media, ...rest } of conditions) {
              const settings = Object.entries(media).map(([setting, value]) => `${setting} ${value}`);
              const condition = [look, ...settings, font].join(', ');
              await page.emulateMedia({ forcedColors: 'none', ...media });
              await switchTo(page, look);
              expect(await usesWideFont(page)).toBe(font === 'a wider font');
              expect.soft(await layoutProblems(page), condition).toEqual([]);
              if (font === 'a wider font') continue;
              const violations = await violationsOf(page, rest);
              expect.soft(violations, condition).toEqual([]);
              if (look === 'arabic' && element === 'login') await expectBorders(page);
            }
          }
        },
      );
    }
  });
}

/** Asserts that each button has a border. With forced colors, only a border distinguishes a button from text. */
async function expectBorders(page: Page): Promise<void> {
  const borders = await page.locator('latchkey-login').evaluateAll((logins) =>
    logins.flatMap((login) =>
      [...(login.shadowRoot?.querySelectorAll('button') ?? [])].map((button) => {
        const { borderTopWidth, borderTopStyle, borderTopColor, backgroundColor } = getComputedStyle(button);
        return borderTopColor === backgroundColor ? 'none' : `${borderTopStyle} ${borderTopWidth}`;
      }),
    ),
  );
  expect([...new Set(borders)]).toEqual(['solid 1px']);
}

for (const [what, rule] of Object.entries({
  'text at twice the size': ':root { font-size: 200% }',
  'text spaced as far as WCAG 1.4.12 asks':
    'latchkey-login, latchkey-gate { line-height: 1.5 !important; letter-spacing: 0.12em !important; word-spacing: 0.16em !important }',
})) {
  test(`${what} is not cut off and stays in the window, in a wider font too`, async ({ page, world }) => {
    // The visitor's settings apply before the page loads.
    await page.addInitScript((text) => {
      const sheet = new CSSStyleSheet();
      sheet.replaceSync(text);
      document.adoptedStyleSheets.push(sheet);
    }, rule);
    for (const element of ['login', 'gate', 'plans']) {
      await openGallery(page, world, 'light', element);
      for (const font of ['the system’s font', 'a wider font']) {
        if (font === 'a wider font') await useWideFont(page);
        expect(await usesWideFont(page)).toBe(font === 'a wider font');
        // A button with twice the text may have a second line, as long as no text is cut off.
        const problems = await layoutProblems(page);
        const cutOff = problems.filter((problem) => !problem.startsWith('elements of'));
        expect.soft(cutOff, `${element}, ${font}`).toEqual([]);
      }
    }
  });
}

test('the keyboard reaches every control of a state in order, with a visible focus, and leaves it again', async ({
  page,
  world,
}) => {
  await openGallery(page, world);
  const focused = () =>
    page.evaluate(() => {
      let element = document.activeElement;
      while (element?.shadowRoot?.activeElement) element = element.shadowRoot.activeElement;
      const { outlineStyle, outlineWidth, outlineOffset } = getComputedStyle(element as Element);
      return `${element?.textContent?.trim()}: ${outlineStyle} ${outlineWidth} ${outlineOffset}`;
    });
  await cell(page, 'waiting').locator('latchkey-login').getByRole('button').first().focus();
  const seen: string[] = [];
  for (let step = 0; step < 3; step += 1) {
    await page.keyboard.press('Tab');
    seen.push(await focused());
  }
  const ring = 'solid 2px 2px';
  // Focus leaves the element for the next control of the page.
  expect(seen).toEqual([`Show the window: ${ring}`, `Cancel: ${ring}`, `Markup: ${ring}`]);
  await page.keyboard.press('Shift+Tab');
  await page.keyboard.press('Enter');
  await expect(page.locator('#called')).toHaveText('The element called cancel().');
});
