import { sandboxScenario } from '@latchkey/sandbox';
import type { loginStates } from '@latchkey/widget/testing';
import type { Locator, Page } from '@playwright/test';
import { cell, openState } from './gallery.js';
import { longIf } from './levels.js';
import { expect, pickUser, test, type World } from './world.js';

// A state of the gallery looks, pixel by pixel, as it does when a visitor reaches it.

const { clientId } = sandboxScenario.publicClient;

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
      await world.service.operator.change('clients', clientId, { widgetOrigins: [] });
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
