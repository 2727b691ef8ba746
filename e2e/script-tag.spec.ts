import { longIf } from './levels.js';
import { expect, loginOf, recordPageErrors, signInWithPopup, test, type World } from './world.js';

interface Release {
  files: Record<string, { url: string; integrity: string }>;
}

async function releaseOf(world: World): Promise<{ url: string; integrity: string }> {
  const answer = await fetch(`${world.service.baseUrl}/widget/release.json`);
  const { files } = (await answer.json()) as Release;
  const file = files['latchkey.js'];
  if (file === undefined) throw new Error('The release has no script.');
  return file;
}

const pinned = ({ url, integrity }: { url: string; integrity: string }) =>
  `<script src="${url}" integrity="${integrity}" crossorigin="anonymous" defer></script>`;

test('a page may pin the script by its address and its hash', async ({ page, context, world }) => {
  const pageErrors = await recordPageErrors(context);
  const release = await releaseOf(world);
  const shop = await world.shop({ scripts: () => pinned(release) });
  const loaded = page.waitForResponse(release.url);
  await page.goto(shop.url);
  expect((await loaded).headers()['cache-control']).toContain('immutable');
  await signInWithPopup(page, 'ada@example.com');
  await expect(loginOf(page)).toContainText('ada@example.com');
  expect(pageErrors).toEqual([]);
});

test('a pinned script with other content does not run, and the page keeps its own content', async ({
  page,
  world,
}) => {
  const release = await releaseOf(world);
  const shop = await world.shop({
    scripts: () => pinned(release),
    beside: '<p>Sign-in is not available right now.</p>',
  });
  await page.route(release.url, async (route) => {
    const response = await route.fetch();
    await route.fulfill({ response, body: `globalThis.stolen = true;${await response.text()}` });
  });
  const refused = page.waitForEvent('console', (message) => message.text().includes('integrity'));
  await page.goto(shop.url);
  await refused;
  expect(await page.evaluate(() => Reflect.get(globalThis, 'stolen'))).toBeUndefined();
  expect(await page.evaluate(() => customElements.get('latchkey-login'))).toBeUndefined();
  await expect(page.getByText('Sign-in is not available right now.')).toBeVisible();
});

/** Returns the script as another release: a different file with different text. */
async function serveAnotherVersion(world: World, page: import('@playwright/test').Page): Promise<string> {
  const url = `${world.service.baseUrl}/widget/0123456789abcdef/latchkey.js`;
  await page.route(url, async (route) => {
    const response = await route.fetch({ url: `${world.service.baseUrl}/widget/latchkey.js` });
    const body = (await response.text()).replace('`Sign in`', '`Enter`').replace('"Sign in"', '"Enter"');
    await route.fulfill({ response, body });
  });
  const partUrl = url.replace('latchkey.js', 'latchkey-sign-in.js');
  await page.route(
    ({ href }) => href.startsWith(partUrl),
    async (route) => {
      const { search } = new URL(route.request().url());
      const part = `${world.service.baseUrl}/widget/latchkey-sign-in.js${search}`;
      await route.fulfill({ response: await route.fetch({ url: part }) });
    },
  );
  return url;
}

for (const [what, order, isVariation] of [
  ['twice the same script', ['newest', 'newest'], true],
  ['a module and a classic script', ['module', 'newest'], false],
  ['an older version first', ['older', 'newest'], false],
  ['an older version last', ['newest', 'older'], true],
] as const) {
  test(
    `a page with ${what} has one widget in one state`,
    longIf(isVariation),
    async ({ page, context, world }) => {
      const pageErrors = await recordPageErrors(context);
      const older = await serveAnotherVersion(world, page);
      const shop = await world.shop({
        scripts: (service) =>
          order
            .map((which) => {
              const src = which === 'older' ? older : `${service}/widget/latchkey.js`;
              return which === 'module'
                ? `<script type="module" src="${src}"></script>`
                : `<script src="${src}" defer></script>`;
            })
            .join(''),
        more: '<latchkey-login id="second" hidden></latchkey-login>',
      });
      await page.goto(shop.url);
      // The first script to load wins.
      await expect(loginOf(page).getByRole('button')).toHaveText(order[0] === 'older' ? 'Enter' : 'Sign in');
      await expect(loginOf(page).getByRole('button')).toHaveCount(1);
      const opened = page.waitForEvent('popup');
      await loginOf(page).getByRole('button').click();
      const popup = await opened;
      await popup.getByRole('button', { name: 'ada@example.com' }).click();
      await popup.getByRole('button', { name: 'Allow' }).click();
      await expect(loginOf(page)).toContainText('ada@example.com');
      await expect(page.getByText('Members see this.')).toBeVisible();
      expect(context.pages()).toHaveLength(1);
      expect(pageErrors).toEqual([]);
    },
  );
}

const STYLES = `latchkey-login:defined + .plain { display: none; }
latchkey-gate:not(:defined) { display: none; }`;

for (const api of ['AbortSignal.any', 'URL.canParse']) {
  for (const backend of [true, false]) {
    test(`a browser without ${api} is named as the cause, ${backend ? 'with' : 'without'} a backend`, async ({
      page,
      world,
    }) => {
      const shop = await world.shop({ backend });
      await page.addInitScript(`delete ${api}`);
      const logged = page.waitForEvent('console', (message) => message.type() === 'error');
      await page.goto(shop.url);
      const press = () => loginOf(page).getByRole('button', { name: 'Sign in' }).click();
      // With a backend, the first check of the session already fails.
      if (!backend) await press();
      expect((await logged).text()).toContain('Old browser');
      if (backend) await press();
      await expect(page.getByText('update your browser').first()).toBeVisible();
    });
  }
}

for (const scheme of ['blob', 'data']) {
  test(`a script that a tool delays by a ${scheme}: address needs a service-url`, async ({ page, world }) => {
    const code = await (await fetch(`${world.service.baseUrl}/widget/latchkey-all.js`)).text();
    const shop = await world.shop({ scripts: () => '', headers: { 'content-security-policy': '' } });
    await page.goto(shop.url);
    await page.evaluate(
      ([content = '', kind]) => {
        const script = document.createElement('script');
        const encoded = `data:text/javascript,${encodeURIComponent(content)}`;
        script.src = kind === 'data' ? encoded : URL.createObjectURL(new Blob([content]));
        document.head.append(script);
      },
      [code, scheme],
    );
    const logged = page.waitForEvent('console', (message) => message.type() === 'error');
    await loginOf(page).getByRole('button', { name: 'Sign in' }).click();
    expect((await logged).text()).toContain('serviceUrl must be an absolute http(s) URL');
  });
}

test('without the script, the page shows its fallback, which signs in without the widget', async ({
  page,
  world,
}) => {
  const shop = await world.shop({
    backend: true,
    styles: STYLES,
    beside: '<a class="plain" href="/auth/login">Sign in without the widget</a>',
    gated: 'Bare text. <p>Members see this.</p>',
  });
  await page.goto(shop.url);
  await expect(loginOf(page).getByRole('button')).toBeVisible();
  await expect(page.getByRole('link', { name: 'Sign in without the widget' })).toBeHidden();

  await page.route('**/widget/latchkey.js', (route) => route.abort('blockedbyclient'));
  await page.reload();
  await expect(page.getByText('Bare text.')).toBeHidden();
  await expect(page.getByText('Members see this.')).toBeHidden();
  await page.getByRole('link', { name: 'Sign in without the widget' }).click();
  await page.getByRole('button', { name: 'ada@example.com' }).click();
  await page.getByRole('button', { name: 'Allow' }).click();
  await expect(page).toHaveURL(shop.url);
  expect(await (await page.request.get(`${shop.origin}/auth/session`)).json()).toMatchObject({
    signedIn: true,
  });
});
