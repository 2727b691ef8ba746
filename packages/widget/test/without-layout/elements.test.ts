import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { LatchkeyGate, LatchkeyLogin } from '@latchkey/widget';
import {
  createStillCheckout,
  createStillSession,
  gateStates,
  loginStates,
  plansStates,
} from '@latchkey/widget/testing';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import '@latchkey/widget/define';
import '@latchkey/widget/plans';

/** What the elements and Lit write to the console. */
const logged = vi.hoisted(() => {
  // vitest loads Lit's development build, which warns about its wrong use, and once about itself.
  Object.assign(globalThis, { litIssuedWarnings: new Set(['dev-mode']) });
  const lines: string[] = [];
  for (const level of ['warn', 'error'] as const)
    console[level] = (...values: unknown[]) => lines.push(values.join(' '));
  return lines;
});

const { plans } = plansStates.plans;
const { user, memberships } = loginStates['signed in'];
const SETTINGS = { 'client-id': 'oac_0123456789abcdef01234567', 'service-url': 'https://service.example' };

/** Values of attributes that aren't ids. */
const VALUES: Record<string, string> = {
  backend: '/visitor',
  'membership-names': '{}',
  'product-type': 'community',
};

/** The page's site, with one backend that knows a member and one that knows nobody. */
const site = createServer(({ method, url = '' }, response) => {
  const json = (body: object) =>
    response.setHeader('content-type', 'application/json').end(JSON.stringify(body));
  const [path = ''] = url.split('?');
  if (path === '/member/session')
    json({ signedIn: true, user, memberships, expiresAt: Date.now() + 3600_000 });
  else if (path === '/visitor/session') json({ signedIn: false });
  else if (path === '/member/logout' && method === 'POST') json({});
  else if (path === '/visitor/plans') json({ plans });
  else if (path === '/content') response.setHeader('content-type', 'text/html').end('<p>For members</p>');
  else response.writeHead(404).end();
});

/** The browsers' own controls, which vitest makes global. */
interface Controls {
  jsdom?: { reconfigure(settings: { url: string }): void };
  happyDOM?: { setURL(url: string): void };
}

beforeAll(async () => {
  await new Promise<void>((listening) => site.listen(0, '127.0.0.1', listening));
  const url = `http://127.0.0.1:${(site.address() as AddressInfo).port}/`;
  const { jsdom, happyDOM } = globalThis as Controls;
  jsdom?.reconfigure({ url });
  happyDOM?.setURL(url);
});
afterAll(() => {
  site.closeAllConnections();
  site.close();
});
afterEach(() => {
  document.body.replaceChildren();
  expect(logged.splice(0)).toEqual([]);
});

/** Adds an element to the page. */
function place<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  properties: Partial<HTMLElementTagNameMap[Name]> = {},
  attributes: Record<string, string> = {},
): HTMLElementTagNameMap[Name] {
  const element = Object.assign(document.createElement(name), properties);
  for (const [key, value] of Object.entries({ ...SETTINGS, ...attributes })) element.setAttribute(key, value);
  document.body.append(element);
  return element;
}

/** Returns what an element renders, with single spaces. */
async function shownBy(element: LatchkeyLogin | LatchkeyGate | Element): Promise<string> {
  if ('updateComplete' in element) await element.updateComplete;
  return element.shadowRoot?.textContent?.replaceAll(/\s+/g, ' ').trim() ?? '';
}

describe.each(['latchkey-login', 'latchkey-gate', 'latchkey-plans', 'latchkey-join'] as const)(
  '%s',
  (name) => {
    it('is created, connected, moved and removed, and takes its attributes', async () => {
      const element = place(name, {
        session: createStillSession(loginStates['signed out'], { backend: '/visitor' }),
      });
      const { observedAttributes } = customElements.get(name) as unknown as { observedAttributes: string[] };
      expect(observedAttributes).toContain('client-id');
      for (const attribute of observedAttributes) {
        element.setAttribute(attribute, VALUES[attribute] ?? memberships[0].id);
        await element.updateComplete;
        element.removeAttribute(attribute);
        await element.updateComplete;
      }
      const box = document.createElement('div');
      document.body.append(box);
      box.append(element);
      await element.updateComplete;
      expect(element.shadowRoot).not.toBeNull();
      element.remove();
      await element.updateComplete;
    });
  },
);

describe('a session that stays in one state', () => {
  it.each(Object.entries(loginStates))('shows the login "%s"', async (_name, snapshot) => {
    const login = place('latchkey-login', { session: createStillSession(snapshot) });
    expect(await shownBy(login)).toContain(
      snapshot.signedIn ? (snapshot.user?.email ?? 'Your account') : 'Sign in',
    );
  });

  it('opens the account menu on a click', async () => {
    const login = place('latchkey-login', { session: createStillSession(loginStates['signed in']) });
    await login.updateComplete;
    login.shadowRoot?.querySelector('button')?.click();
    expect(await shownBy(login)).toContain('Sign out');
  });

  it.each(Object.entries(gateStates))('shows the gate "%s"', async (name, snapshot) => {
    const gate = place('latchkey-gate', { session: createStillSession(snapshot) });
    await gate.updateComplete;
    expect(gate.state).toBe(name === 'misconfigured' ? 'error' : name);
    expect((await shownBy(gate)) === '').toBe(name === 'open');
  });

  it.each(Object.entries(plansStates))('shows the plans "%s"', async (_name, snapshot) => {
    const element = place('latchkey-plans', { checkout: createStillCheckout(snapshot) });
    const shown = await shownBy(element);
    for (const { name } of 'plans' in snapshot ? snapshot.plans : []) expect(shown).toContain(name);
    expect(shown).not.toBe('');
  });
});

describe('a backend that is asked over HTTP', () => {
  it('shows the button to a visitor', async () => {
    const login = place('latchkey-login', {}, { backend: '/visitor' });
    await expect.poll(() => login.snapshot?.status).toBe('signed-out');
    await login.session?.prepare();
    expect(login.snapshot?.failure).toBeUndefined();
    expect(await shownBy(login)).toBe('Sign in');
  });

  it('opens a gate for a member, and closes it after the sign-out', async () => {
    const login = place('latchkey-login', {}, { backend: '/member' });
    const community = memberships[0].communityId;
    const gate = place('latchkey-gate', {}, { backend: '/member', community, src: '/content' });
    await expect.poll(() => gate.textContent).toBe('For members');
    expect(gate.state).toBe('open');
    expect(await shownBy(login)).toContain('ada@example.com');
    await login.signOut();
    await gate.updateComplete;
    expect([gate.state, gate.textContent]).toEqual(['signed-out', '']);
  });

  it('sends the plans', async () => {
    const element = place('latchkey-plans', {}, { backend: '/visitor' });
    await expect.poll(() => element.state).toBe('ready');
    for (const { name, price } of plans) expect(await shownBy(element)).toContain(`${name} ${price}`);
  });
});

it('a click on the button fails without an exception, because these browsers open no windows', async () => {
  const login = place('latchkey-login');
  await login.updateComplete;
  login.shadowRoot?.querySelector('button')?.click();
  await expect.poll(() => login.snapshot?.status).toBe('failed');
});
