import { createSandbox, type RunningSandbox, sandboxScenario } from '@latchkey/sandbox';
import type { Page } from '@playwright/test';
import { appCode, readSecret } from './authenticator-app.js';
import { violationsOf } from './axe.js';
import { LONG, longIf } from './levels.js';
import { CONDITIONS } from './page-conditions.js';
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
    among: [
      '/account/profile',
      '/account/sessions',
      '/account/two-step',
      '/account/export',
      '/account/delete',
    ],
  },
  {
    name: 'a seller',
    person: users.dana,
    from: [
      ...['/seller', '/seller/communities/new', '/seller/products/new'],
      ...['', '/roles', '/plans', '/drops', '/members', '/sales'].map((section) => `${COMMUNITY}${section}`),
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

/** Returns what is wrong with a page. */
type FindDefects = (page: Page) => Promise<string[]>;

const [NARROW, WIDE] = CONDITIONS;

/** Each condition with what is checked in it. */
const CHECKS = [
  {
    ...NARROW,
    defectsOf: async (page: Page) => [...(await violationsIn(page)), ...(await overflowOf(page))],
  },
  { ...WIDE, defectsOf: violationsIn },
  { ...NARROW, name: 'in other languages', isLong: true, defectsOf: overflowInOtherLanguages },
] as const;

// Reduced motion keeps colors from fading while axe reads them.
test.use({ contextOptions: { reducedMotion: 'reduce' } });

let sandbox: RunningSandbox;
test.beforeAll(async () => {
  sandbox = await createSandbox();
});
test.afterAll(() => sandbox.close());

for (const { name: condition, isLong, defectsOf, ...options } of CHECKS) {
  test.describe(condition, () => {
    test.use(options);

    for (const visitor of VISITORS) {
      test(
        `every page that ${visitor.name} can reach is accessible and keeps its layout`,
        longIf(isLong),
        async ({ page }) => {
          await visitPagesOf(page, { ...visitor, defectsOf });
        },
      );
    }

    test('the pages of two-step sign-in are accessible and keep their layout', { tag: LONG }, async ({
      page,
    }) => {
      await visitTwoStepPages(page, defectsOf);
    });
  });
}

async function visitPagesOf(
  page: Page,
  { person, from, within, among, defectsOf }: (typeof VISITORS)[number] & { readonly defectsOf: FindDefects },
): Promise<void> {
  if (person !== undefined) await signInAtService(page, { service: sandbox }, person.name);
  const defects: string[] = [];
  const found = await crawl(page, {
    origin: sandbox.baseUrl,
    ...{ from, within },
    visit: (at) =>
      test.step(at.pattern, async () => {
        const wanted = at.address === NOT_FOUND ? 404 : 200;
        const problems = [
          ...(at.status === wanted ? [] : [`status ${at.status}`]),
          ...(await defectsOf(page)),
        ];
        defects.push(...problems.map((problem) => `${at.pattern} (${at.address}): ${problem}`));
      }),
  });
  expect(defects).toEqual([]);
  expect(found).toEqual(expect.arrayContaining([...among]));
}

async function visitTwoStepPages(page: Page, defectsOf: FindDefects): Promise<void> {
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
}

async function violationsIn(page: Page): Promise<string[]> {
  return await violationsOf(page, { hasFrames: true });
}

/** At 320 px no page may scroll sideways in longer words and from right to left either. */
async function overflowInOtherLanguages(page: Page): Promise<string[]> {
  const defects: string[] = [];
  for (const language of ['long', 'arabic'] as const) {
    await translatePage(page, language);
    defects.push(...(await overflowOf(page, language)));
    await restorePage(page);
  }
  return defects;
}

/** At 320 px no page may scroll sideways. */
async function overflowOf(page: Page, language = 'English'): Promise<string[]> {
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
