import { sandboxScenario } from '@latchkey/sandbox';
import type { CheckoutSnapshot } from '@latchkey/widget';
import { gateStates, loginStates, plansStates } from '@latchkey/widget/testing';
import type { Locator, Page } from '@playwright/test';
import { violationsOf } from './axe.js';
import { longIf } from './long.js';
import { usesWideFont, useWideFont } from './wide-font.js';
import { expect, pickUser, test, type World } from './world.js';

// The repository contains no reference pictures: fonts and their rendering differ between machines. These
// tests check what holds everywhere. Each state shows its words, nothing is cut off or covers its neighbor,
// and the element keeps its size. A state looks, pixel by pixel, as it does when a visitor reaches it.

/** The switches of the gallery, as parameters of its address. */
const LOOKS = {
  light: 'scheme=light',
  dark: 'scheme=dark',
  arabic: 'lang=ar',
  narrow: 'width=176',
  designed: 'design=own',
} as const;
type Look = keyof typeof LOOKS;

/** The elements of the gallery, with the names of their cells. */
const buyingStates = Object.entries<CheckoutSnapshot>(plansStates).flatMap(([name, { planId }]) =>
  planId ? [name] : [],
);
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

const { clientId } = sandboxScenario.publicClient;

async function openGallery(page: Page, world: World, look: Look = 'light', element = 'login'): Promise<void> {
  await page.goto(`${world.scriptTagShop.url}/gallery?${LOOKS[look]}&element=${element}`);
  await expect(page.locator('html')).toHaveAttribute('data-ready', '');
}

/** Opens the gallery with one state of the sign-in alone. */
async function openState(page: Page, world: World, state: string): Promise<void> {
  const query = new URLSearchParams({ scheme: 'light', state });
  await page.goto(`${world.scriptTagShop.url}/gallery?${query}`);
  await expect(page.locator('html')).toHaveAttribute('data-ready', '');
  await expect(page.locator('figcaption')).toHaveText([state]);
}

/** Sets all switches of the open gallery, which takes less time than a load with the look in the address. */
async function switchTo(page: Page, look: Look): Promise<void> {
  await page.evaluate((query) => {
    const chosen = new URLSearchParams(query);
    const form = document.querySelector('form') as HTMLFormElement;
    for (const input of form.querySelectorAll('input'))
      input.checked = input.value === (chosen.get(input.name) ?? '');
    form.dispatchEvent(new Event('change'));
  }, LOOKS[look]);
  await expect(page.locator('html')).toHaveAttribute('data-ready', '');
}

const cell = (page: Page, name: string) =>
  page.locator('figure').filter({ has: page.locator('figcaption', { hasText: new RegExp(`^${name}$`) }) });

/** Returns a description of each layout error in the gallery. */
function layoutProblems(page: Page, { ignoreCells = false } = {}): Promise<string[]> {
  return page.evaluate((withoutCells) => {
    const problems: string[] = [];
    const root = document.documentElement;
    if (root.scrollWidth > root.clientWidth) problems.push(`the page is ${root.scrollWidth} px wide`);
    const texts = (element: Element): HTMLElement[] => [
      ...(element.shadowRoot?.querySelectorAll<HTMLElement>('button, p, li, .panel:not(.quiet), .notice') ??
        []),
      ...[...(element.shadowRoot?.querySelectorAll('latchkey-login') ?? [])].flatMap(texts),
    ];
    const sizes = new Set<string>();
    for (const figure of document.querySelectorAll('figure')) {
      const name = figure.querySelector('figcaption')?.textContent;
      const box = (figure.querySelector('.stage') as HTMLElement).getBoundingClientRect();
      const element = figure.querySelector('.place')?.lastElementChild as HTMLElement;
      for (const text of texts(element)) {
        const { left, right, top, bottom, width, height } = text.getBoundingClientRect();
        if (width <= 1 || text.closest('.quiet')) continue;
        const what = `${name}: "${text.textContent?.trim().replace(/\s+/g, ' ').slice(0, 40)}"`;
        if (left < 0 || right > root.clientWidth) problems.push(`${what} leaves the window`);
        if (!withoutCells && (top < box.top || bottom > box.bottom)) problems.push(`${what} leaves its cell`);
        if (text.scrollWidth > text.clientWidth + 1 && getComputedStyle(text).display !== 'inline')
          problems.push(`${what} is cut off`);
        if (text.matches('button') && (width < 24 || height < 24))
          problems.push(`${what} is too small to hit`);
      }
      if (element.localName !== 'latchkey-login') continue;
      const button = element.shadowRoot?.querySelector('button')?.getBoundingClientRect();
      sizes.add(`${element.getBoundingClientRect().width} x ${button?.height}`);
    }
    const hasVariants = document.querySelector('#headers') !== null;
    if (sizes.size > 1 && !hasVariants) problems.push(`elements of ${[...sizes].join(', ')}`);
    return problems;
  }, ignoreCells);
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
    return page.locator('latchkey-gate').evaluateAll((all) => all.map((gate) => gate.getAttribute('state')));
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

/** Takes a picture of an element at a fixed place, so that pictures of two elements can be compared. */
async function picture(page: Page, element: Locator): Promise<Buffer> {
  await element.evaluate((node) => {
    const spot = document.querySelector('#spot') ?? document.body.appendChild(document.createElement('div'));
    spot.id = 'spot';
    for (const before of spot.children) if (before !== node) (before as HTMLElement).hidden = true;
    (node as HTMLElement).hidden = false;
    Object.assign((spot as HTMLElement).style, {
      position: 'fixed',
      inset: '0 auto auto 0',
      inlineSize: '360px',
      blockSize: '320px',
      padding: '16px',
      zIndex: '5000',
      background: 'white',
      colorScheme: 'light',
    });
    spot.append(node);
    (document.activeElement as HTMLElement | null)?.blur();
  });
  await page.mouse.move(900, 600);
  return page.screenshot({ clip: { x: 0, y: 0, width: 360, height: 320 }, animations: 'disabled' });
}

/** Adds a real element to the gallery's page. */
async function addRealElement(page: Page, attributes: Record<string, string>): Promise<Locator> {
  await page.evaluate((given) => {
    const login = document.createElement('latchkey-login');
    login.id = 'live';
    for (const [name, value] of Object.entries(given)) login.setAttribute(name, value);
    document.querySelector('main')?.prepend(login);
  }, attributes);
  const live = page.locator('#live');
  await expect(live.getByRole('button').first()).toBeVisible();
  return live;
}

/** The steps by which a visitor reaches a state, with a real element on the gallery's page. */
interface Journey {
  state: keyof typeof loginStates;
  attributes?: Record<string, string>;
  /** Resolves when the element is in the state. */
  go(world: World, page: Page, live: Locator): Promise<void>;
}

const open = async (page: Page, live: Locator): Promise<Page> => {
  const opened = page.waitForEvent('popup');
  await live.getByRole('button').first().click();
  const popup = await opened;
  await popup.waitForLoadState();
  return popup;
};

const allow = async (page: Page, live: Locator, answer = 'Allow'): Promise<void> => {
  const popup = await open(page, live);
  await pickUser(popup, 'ada@example.com');
  await popup.getByRole('button', { name: answer }).click();
};

const JOURNEYS: Journey[] = [
  { state: 'signed out', go: async () => {} },
  { state: 'misconfigured', attributes: { 'client-id': '' }, go: async () => {} },
  {
    state: 'opening',
    async go(_world, page, live) {
      // The secrets of the attempt never resolve, so the element stays in this state after the click.
      await page.evaluate(() => {
        crypto.subtle.digest = () => new Promise(() => {});
        const login = document.querySelector('#live') as Element;
        login.setAttribute('client-id', `oac_${'0'.repeat(24)}`);
      });
      await live.getByRole('button').first().click();
    },
  },
  { state: 'waiting', go: async (_world, page, live) => void (await open(page, live)) },
  {
    state: 'popup closed',
    go: async (_world, page, live) => (await open(page, live)).close(),
  },
  {
    state: 'popup blocked',
    async go(_world, page, live) {
      await page.evaluate(() => {
        window.open = () => null;
      });
      await live.getByRole('button').first().click();
    },
  },
  {
    state: 'state mismatch',
    async go(world, page, live) {
      await page.evaluate(() => {
        const { open: openWindow } = window;
        window.open = (address, ...rest) => {
          document.body.dataset.opened = `${address}`;
          return openWindow.call(window, address, ...rest);
        };
      });
      await open(page, live);
      const address = (await page.locator('body').getAttribute('data-opened')) ?? '';
      const earlier = new URL(address).searchParams.get('state');
      await live.getByRole('button', { name: 'Cancel' }).click();
      const popup = await open(page, live);
      await popup
        .goto(`${world.service.baseUrl}/widget/callback/${clientId}?code=${'0'.repeat(43)}&state=${earlier}`)
        .catch(() => undefined);
    },
  },
  {
    state: 'checking',
    attributes: { storage: 'session' },
    async go(world, page, live) {
      await allow(page, live);
      await expect(live).toContainText('ada@example.com');
      await page.route('**/oauth/userinfo', () => {});
      await openState(page, world, 'checking');
      await addRealElement(page, { 'client-id': clientId, storage: 'session' });
      await expect(live.locator('.spinner')).toBeVisible();
    },
  },
  {
    state: 'check failed',
    attributes: { storage: 'session' },
    async go(world, page, live) {
      await allow(page, live);
      await expect(live).toContainText('ada@example.com');
      await page.route('**/oauth/userinfo', (route) => route.abort());
      await openState(page, world, 'check failed');
      await addRealElement(page, { 'client-id': clientId, storage: 'session' });
    },
  },
  { state: 'declined', go: (_world, page, live) => allow(page, live, 'Decline') },
  {
    state: 'origin refused',
    async go(world, page, live) {
      await world.service.operator.updateClient(clientId, { widgetOrigins: [] });
      // The service refuses the page before anybody signs in.
      await open(page, live);
    },
  },
  {
    state: 'exchanging',
    async go(_world, page, live) {
      // The response never arrives.
      await page.route('**/oauth/token', () => {});
      await allow(page, live);
    },
  },
  {
    state: 'no connection',
    async go(_world, page, live) {
      await page.route('**/oauth/token', (route) => route.abort());
      await allow(page, live);
    },
  },
  {
    state: 'service error',
    async go(_world, page, live) {
      await page.route('**/oauth/token', (route) => route.fulfill({ status: 500, body: '{}' }));
      await allow(page, live);
    },
  },
  {
    state: 'code expired',
    async go(world, page, live) {
      await page.route('**/oauth/token', async (route) => {
        await world.clock.advance(61_000);
        await route.continue();
      });
      await allow(page, live);
    },
  },
  { state: 'signed in', go: (_world, page, live) => allow(page, live) },
  {
    state: 'expired',
    async go(world, page, live) {
      await allow(page, live);
      await expect(live).toContainText('ada@example.com');
      await world.clock.advance(31 * 24 * 3_600_000);
      await live.evaluate((element) => (element as HTMLElement & { refresh(): Promise<void> }).refresh());
    },
  },
];

/** The state that the short form shows. */
const SHORT: Journey['state'] = 'signed in';

for (const { state, attributes = {}, go } of JOURNEYS) {
  test(
    `"${state}" looks the same in the gallery and in a real sign-in`,
    longIf(state !== SHORT),
    async ({ page, world }) => {
      await openState(page, world, state);
      const live = await addRealElement(page, { 'client-id': clientId, ...attributes });
      await go(world, page, live);
      const shown = cell(page, state).locator('latchkey-login');
      const words = (await shown.getByRole('status').textContent()) ?? '';
      await expect(live.getByRole('status')).toHaveText(words);
      // Without this check, the test could compare two pictures of an empty element.
      if (state !== 'signed out' && state !== 'checking')
        await expect(shown.getByRole('status')).not.toHaveText('');
      await page.bringToFront();
      const real = await picture(page, live);
      const still = await picture(page, shown);
      expect(
        still.equals(real),
        `compare ${await attachPicture(real, state, 'real')} and ${await attachPicture(still, state, 'still')}`,
      ).toBe(true);
    },
  );
}

/** Attaches a picture to the test's report. */
async function attachPicture(body: Buffer, state: string, kind: string): Promise<string> {
  const path = test.info().outputPath(`${state} ${kind}.png`);
  await test.info().attach(`${state}, ${kind}`, { body, contentType: 'image/png' });
  return path;
}
