import { expect } from 'chai';
import { createStillSession, loginStates } from '../src/testing.js';
import { until } from './support/until.js';

let frame: HTMLIFrameElement;

type LoadedPage = Window & typeof globalThis & { errors: string[] };

/** Opens a page with these script files, and with this Content-Security-Policy. */
async function openPage(scripts: string, policy = ''): Promise<LoadedPage> {
  frame = document.createElement('iframe');
  frame.src = `/kit/shop/page?${new URLSearchParams({ scripts, policy })}`;
  document.documentElement.append(frame);
  await new Promise((resolve) => frame.addEventListener('load', resolve, { once: true }));
  return frame.contentWindow as LoadedPage;
}

const cards = (page: Window) =>
  page.document.querySelector('latchkey-plans')?.shadowRoot?.querySelectorAll('[part=card]').length ?? 0;

afterEach(() => frame.remove());

describe('a policy with Trusted Types', () => {
  for (const scripts of [
    'latchkey latchkey-plans',
    'latchkey latchkey',
    'latchkey module:latchkey latchkey-plans latchkey-plans',
  ]) {
    it(`allows ${scripts} if it lists lit-html alone`, async () => {
      const page = await openPage(scripts, "trusted-types lit-html; require-trusted-types-for 'script'");
      const gate = page.document.createElement('latchkey-gate');
      gate.src = '/part';
      gate.session = createStillSession(loginStates['signed in'], {
        fetch: async () =>
          new Response('<b>The roast curve.</b>', { headers: { 'content-type': 'text/html' } }),
      });
      page.document.body.append(gate);
      await until('content', () => gate.querySelector('b')?.checkVisibility());
      if (scripts.includes('plans')) await until('cards', () => cards(page) === 3);
      expect(page.errors).to.deep.equal([]);
    });
  }
});

describe('latchkey-plans.js', () => {
  for (const [what, scripts] of [
    ['after latchkey.js', 'latchkey latchkey-plans'],
    ['before latchkey.js', 'latchkey-plans latchkey'],
    ['as modules', 'module:latchkey-plans module:latchkey'],
    ['twice', 'latchkey-plans latchkey latchkey-plans'],
  ] as const) {
    it(`shows the plans when loaded ${what}`, async () => {
      const page = await openPage(scripts);
      await until('cards', () => cards(page) === 3);
      expect(page.errors).to.deep.equal([]);
    });
  }

  it('names the missing script in the console, and still waits for it', async () => {
    const page = await openPage('latchkey-plans');
    await until('an error', () => page.errors.length > 0);
    expect(page.errors[0]).to.match(/latchkey-plans\.js needs latchkey\.js/);
    expect(page.customElements.get('latchkey-plans')).to.equal(undefined);
    const script = page.document.createElement('script');
    script.src = '/widget/latchkey.js';
    page.document.head.append(script);
    await until('cards', () => cards(page) === 3);
  });

  it('shares Lit and the theme with latchkey.js', async () => {
    const page = await openPage('latchkey latchkey-plans');
    await until('cards', () => cards(page) === 3);
    const base = (tag: string) => Object.getPrototypeOf(page.customElements.get(tag));
    expect(Object.getPrototypeOf(base('latchkey-join')) === base('latchkey-gate')).to.equal(true);
    const card = page.document.querySelector('latchkey-plans')?.shadowRoot?.querySelector('button');
    expect(page.getComputedStyle(card as Element).backgroundColor).to.equal('rgb(29, 78, 216)');
  });
});
