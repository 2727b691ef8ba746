import { createSandbox, type RunningSandbox, sandboxScenario } from '@latchkey/sandbox';
import type { Page } from '@playwright/test';
import { appCode, readSecret } from './authenticator-app.js';
import { violationsOf } from './axe.js';
import { restorePage, translatePage } from './pseudo-language.js';
import { crawl } from './site-crawl.js';
import { expect, signInAtService, test } from './world.js';

const { community, dropSlot, memberships, plans, products, users } = sandboxScenario;
const COMMUNITY = `/seller/communities/${community.id}`;
const PRODUCT = `/seller/products/${products.brewGuide.id}`;

/** The page that every wrong address shows. */
const NOT_FOUND = '/no-such-page';

/** Visitors, the pages that each can reach by links, and some of them, so that a lost link is noticed. */
const VISITORS = [
  {
    name: 'a visitor',
    person: undefined,
    from: ['/sandbox', '/docs', '/sandbox/rules', '/sign-in', '/signed-out', NOT_FOUND],
    within: /^\/(sandbox|docs|reference|sign-in|communities|products)/,
    among: [
      ...['mailbox', 'messenger', 'webhooks', 'requests'].map((page) => `/sandbox/${page}`),
      ...['/docs/:page', '/communities/:id', '/products/:id'],
    ],
  },
  {
    name: 'a member',
    person: users.ada,
    from: ['/account'],
    within: /^\/account/,
    among: ['/account/profile', '/account/sessions', '/account/two-step', '/account/delete'],
  },
  {
    name: 'a seller',
    person: users.dana,
    from: [
      ...['/seller', '/seller/communities/new', '/seller/products/new'],
      ...['', '/roles', '/plans', '/drops', '/members', '/sales', '/invitations'].map(
        (section) => `${COMMUNITY}${section}`,
      ),
      ...['status=active', 'status=ending', 'q=ada%40example.com'].map(
        (query) => `${COMMUNITY}/members?${query}`,
      ),
      ...['/roles', '/plans', '/drops', '/members'].map((section) => `${COMMUNITY}${section}/new`),
      `${COMMUNITY}/plans/${plans.monthly.id}`,
      `${COMMUNITY}/drops/${dropSlot.id}`,
      `${COMMUNITY}/members/${memberships.adaCommunity.id}`,
      ...['', '/buyers', '/sales'].map((section) => `${PRODUCT}${section}`),
    ],
    within: /^\/(seller|communities|products)/,
    among: ['/seller/communities/:id', '/seller/products/:id', '/communities/:id'],
  },
  {
    name: 'a developer',
    person: users.dana,
    from: ['/developer'],
    within: /^\/developer/,
    among: [
      ...['/developer/api-keys', '/developer/api-keys/new', '/developer/webhooks/deliveries/:id'],
      ...['clients', 'webhooks'].flatMap((list) =>
        ['', '/new', '/:id', '/:id/edit', '/:id/delete'].map((page) => `/developer/${list}${page}`),
      ),
    ],
  },
] as const;

// Reduced motion keeps colors from fading while axe reads them.
test.use({ contextOptions: { reducedMotion: 'reduce' } });

let sandbox: RunningSandbox;
test.beforeAll(async () => {
  sandbox = await createSandbox();
});
test.afterAll(() => sandbox.close());

for (const { name, person, from, within, among } of VISITORS) {
  test(`every page that ${name} can reach is accessible, fits 320 px and keeps its layout in other languages`, async ({
    page,
  }) => {
    if (person !== undefined) {
      await signInAtService(page, { service: sandbox }, person.name);
    }
    const defects: string[] = [];
    const found = await crawl(page, {
      origin: sandbox.baseUrl,
      ...{ from, within },
      visit: (at) =>
        test.step(at.pattern, async () => {
          if (at.status !== (at.address === NOT_FOUND ? 404 : 200))
            defects.push(`${at.pattern} (${at.address}): status ${at.status}`);
          defects.push(
            ...(await defectsOf(page)).map((defect) => `${at.pattern} (${at.address}): ${defect}`),
          );
        }),
    });
    expect(defects).toEqual([]);
    expect(found).toEqual(expect.arrayContaining([...among]));
  });
}

test('the pages of two-step sign-in are accessible, fit 320 px and keep their layout in other languages', async ({
  page,
}) => {
  const defects: string[] = [];
  const check = async (name: string) => {
    await test.step(name, async () => {
      defects.push(...(await defectsOf(page)).map((defect) => `${name}: ${defect}`));
    });
  };
  await signInAtService(page, { service: sandbox }, users.ben.name);
  await page.goto(`${sandbox.baseUrl}/account/two-step`);
  await page.getByRole('button', { name: 'Set up two-step sign-in' }).click();
  await check('set-up');
  const secret = await readSecret(page);
  await page.getByLabel('Six-digit code').fill('0');
  await page.getByRole('button', { name: 'Turn on two-step sign-in' }).click();
  await check('set-up with an error');
  await page.getByLabel('Six-digit code').fill(appCode(secret, sandbox.clock.now()));
  await page.getByRole('button', { name: 'Turn on two-step sign-in' }).click();
  await expect(page.getByRole('heading', { name: 'Your recovery codes' })).toBeVisible();
  await check('recovery codes');
  const found = await crawl(page, {
    origin: sandbox.baseUrl,
    from: ['/account/two-step', '/sandbox/mailbox'],
    within: /^\/account\/two-step/,
    visit: ({ pattern }) => check(pattern),
  });
  expect(found).toEqual(
    expect.arrayContaining(['turn-off', 'recovery-codes'].map((name) => `/account/two-step/${name}`)),
  );
  await page.setViewportSize({ width: 1280, height: 860 });
  await page.goto(`${sandbox.baseUrl}/account/two-step`);
  await page.getByRole('button', { name: 'Sign out' }).click();
  await page.goto(`${sandbox.baseUrl}/sign-in`);
  await page.getByLabel('E-mail address').fill(users.ben.email);
  await page.getByRole('button', { name: 'E-mail me a code' }).click();
  await page.getByLabel('Six-digit code').fill(sandbox.mailbox.codeFor(users.ben.email) ?? '');
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await expect(page.getByRole('heading', { name: 'One more step' })).toBeVisible();
  await check('second step');
  await page.getByRole('link', { name: 'Use a recovery code' }).click();
  await check('second step with a recovery code');
  await page.getByLabel('Recovery code').fill('WRONG');
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await check('second step with an error');
  expect(defects).toEqual([]);
});

/** Conditions of a check. 320 px is the narrowest width that WCAG 1.4.10 names. At that width no page may scroll sideways. */
const WIDE_AND_LIGHT = { colorScheme: 'light', width: 1280 } as const;
const NARROW_AND_DARK = { colorScheme: 'dark', width: 320 } as const;

/** Checks the page in both conditions. Begins with the one in which it is, because a change is a layout of the whole page. */
async function defectsOf(page: Page): Promise<string[]> {
  const isNarrow = page.viewportSize()?.width === NARROW_AND_DARK.width;
  const defects: string[] = [];
  for (const condition of isNarrow ? [NARROW_AND_DARK, WIDE_AND_LIGHT] : [WIDE_AND_LIGHT, NARROW_AND_DARK]) {
    const { colorScheme, width } = condition;
    await page.emulateMedia({ colorScheme });
    await page.setViewportSize({ width, height: 860 });
    const violations = await violationsOf(page, { hasFrames: true });
    defects.push(...violations.map((violation) => `${colorScheme}: ${violation}`));
    if (condition !== NARROW_AND_DARK) continue;
    defects.push(...(await overflowOf(page, 'English')));
    for (const language of ['long', 'arabic'] as const) {
      await translatePage(page, language);
      defects.push(...(await overflowOf(page, language)));
      await restorePage(page);
    }
  }
  return defects;
}

async function overflowOf(page: Page, language: string): Promise<string[]> {
  const { width, pills } = await page.evaluate(() => ({
    width: document.documentElement.scrollWidth,
    pills: [...document.querySelectorAll('.pill')]
      .filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth)
      .map(({ textContent }) => textContent),
  }));
  return [
    ...(width > 320 ? [`${language}: ${width} px wide at 320 px`] : []),
    ...pills.map((text) => `${language}: the pill “${text}” is narrower than its text`),
  ];
}
