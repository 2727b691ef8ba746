import { expect } from 'chai';
import '../define.js';
import { expectAccessible } from '../../test/support/accessibility.js';
import { createStubSession } from '../../test/support/stub-session.js';
import { until } from '../../test/support/until.js';
import type { SessionSnapshot } from '../session/index.js';
import { loginStates } from '../testing.js';

const longName = {
  ...loginStates['signed in'],
  user: { sub: 'a', email: 'a.very.long.address.of.somebody@a.very.long.domain.example.com' },
} satisfies SessionSnapshot;

afterEach(() => {
  document.body.replaceChildren();
  document.body.removeAttribute('style');
});

/** Shows a login element in this markup, at the place of `<i>`. */
async function show(
  snapshot: SessionSnapshot,
  {
    markup = '<p><i></i></p>',
    attributes = {},
  }: { markup?: string; attributes?: Record<string, string> } = {},
) {
  const stub = createStubSession(snapshot);
  const login = document.createElement('latchkey-login');
  for (const [name, value] of Object.entries(attributes)) login.setAttribute(name, value);
  login.session = stub.session;
  document.body.innerHTML = markup;
  document.querySelector('i')?.replaceWith(login);
  await painted();
  const button = () => (login.renderRoot.querySelector('button') as HTMLElement).getBoundingClientRect();
  return {
    login,
    button,
    async change(next: SessionSnapshot) {
      stub.become(next);
      await login.updateComplete;
      await painted();
    },
  };
}

/** Waits until the page was painted twice, so that its layout shifts are recorded. */
async function painted(): Promise<void> {
  for (let frame = 0; frame < 2; frame += 1) await new Promise((resolve) => requestAnimationFrame(resolve));
}

const HEADER = `<header style="display: flex; justify-content: space-between; align-items: center; width: 700px">
  <b>Shop</b><nav>Coffee Table Course</nav><i></i></header><p id="below">Text</p>`;
const ROW = '<p>Text before <i></i> <span id="after">text after</span></p><p id="below">Text</p>';

const journey = (
  ['signed out', 'waiting', 'exchanging', 'signed in', 'signed out', 'popup closed'] as const
).map((name) => [name, loginStates[name]] as const);

describe('the size of <latchkey-login>', () => {
  for (const size of ['small', 'medium', 'large']) {
    for (const font of ['', '500 16px/1.5 sans-serif', '20px/1.2 serif', '13px/2 monospace']) {
      it(`has the same height before and after the sign-in: ${size}${font && ` in ${font}`}`, async () => {
        const { button, change } = await show(loginStates['signed out'], {
          attributes: { size, ...(font && { style: `--latchkey-font: ${font}` }) },
        });
        const before = button().height;
        await change(loginStates['signed in']);
        expect(button().height).to.equal(before);
      });
    }
  }

  for (const [where, markup] of Object.entries({ 'a header': HEADER, 'a line of text': ROW })) {
    it(`shifts no layout in ${where} from signed out to waiting to signed in`, async () => {
      const shifts: PerformanceEntry[] = [];
      const measures = PerformanceObserver.supportedEntryTypes.includes('layout-shift');
      const observer = new PerformanceObserver((list) => shifts.push(...list.getEntries()));
      if (measures) observer.observe({ type: 'layout-shift' });
      const { login, change } = await show(loginStates.checking, { markup });
      const places = () =>
        JSON.stringify(
          [login, ...document.querySelectorAll('#below, #after, nav')].map((e) => e.getBoundingClientRect()),
        );
      const before = places();
      shifts.length = 0;
      for (const [name, snapshot] of [...journey, ['long name', longName] as const]) {
        await change(snapshot);
        expect(places(), name).to.equal(before);
      }
      shifts.push(...observer.takeRecords());
      expect(shifts).to.deep.equal([]);
      if (!measures) return;
      // The browser records shifts here: a paragraph that moves is one.
      (document.querySelector('#below') as HTMLElement).style.marginBlockStart = '90px';
      await until('a shift', () => shifts.length > 0);
      observer.disconnect();
    });
  }

  it('fits its content, and is at most 16rem wide', async () => {
    const { button, change, login } = await show(loginStates['signed out']);
    expect(button().width).to.be.within(80, 150);
    await change(loginStates['signed in']);
    const name = login.shadowRoot?.querySelector('.name') as HTMLElement;
    expect(name.scrollWidth).to.equal(name.clientWidth);
    expect(button().width).to.be.within(150, 255);
    await change(longName);
    expect(button().width).to.equal(256);
    expect(name.isConnected && name.scrollWidth > name.clientWidth).to.equal(true);
  });

  for (const [place, markup, side] of [
    ['the end of a header', HEADER, 'right'],
    ['a wrapper at the end of a header', HEADER.replace('<i></i>', '<div><i></i></div>'), 'right'],
    ['a paragraph', '<p><i></i></p>', 'left'],
    ['a narrow card', '<div style="width: 256px; padding: 16px"><i></i></div>', 'left'],
    ['a header from right to left', `<div dir="rtl">${HEADER}</div>`, 'left'],
    ['a paragraph from right to left', '<p dir="rtl"><i></i></p>', 'right'],
    ['a centred column', '<div style="display: grid; justify-items: center"><i></i></div>', 'centre'],
  ] as const) {
    for (const name of ['signed out', 'signed in'] as const) {
      it(`keeps the button at its side of ${place} when ${name}`, async () => {
        const { login, button } = await show(loginStates[name], { markup });
        const box = login.getBoundingClientRect();
        await until('the side', () => {
          const { left, right } = button();
          const gaps = { left: left - box.left < 1, right: box.right - right < 1 };
          return side === 'centre'
            ? Math.abs(left - box.left - (box.right - right)) < 1
            : gaps[side] && !gaps[side === 'left' ? 'right' : 'left'];
        });
      });
    }
  }

  it('begins a plain button where the text around it begins', async () => {
    const { login } = await show(loginStates['signed out'], { attributes: { variant: 'plain' } });
    const icon = login.renderRoot.querySelector('svg')?.getBoundingClientRect();
    expect((icon?.left ?? 0) - (login.parentElement?.getBoundingClientRect().left ?? 0)).to.be.within(0, 2);
  });

  for (const name of ['signed out', 'waiting', 'signed in'] as const) {
    for (const size of ['small', 'medium', 'large']) {
      it(`is a target of at least 44 px with its name when compact, ${size} and ${name}`, async () => {
        const { login, button } = await show(loginStates[name], {
          attributes: { compact: '', size },
          markup: HEADER,
        });
        const { width, height } = button();
        expect(Math.abs(width - height)).to.be.below(1);
        expect(Math.round(width)).to.equal(size === 'large' ? 52 : 44);
        const label = login.shadowRoot?.querySelector('.text');
        expect(label?.getBoundingClientRect().width).to.equal(1);
        expect(label?.checkVisibility()).to.equal(true);
        await expectAccessible(login);
      });
    }
  }

  it('is compact where the page reserves less than 6rem', async () => {
    const { login, button } = await show(loginStates['signed in']);
    login.style.setProperty('--latchkey-inline-size', '2.75rem');
    await painted();
    expect(Math.round(button().width)).to.equal(44);
    expect(Math.round(login.getBoundingClientRect().width)).to.equal(44);
  });

  it('leaves the room to its neighbours in a header that is too narrow, down to 9.5rem', async () => {
    const narrow = HEADER.replace('700px', '320px');
    const { login, change } = await show(loginStates['signed out'], { markup: narrow });
    expect(login.getBoundingClientRect().width).to.be.within(152, 200);
    const header = document.querySelector('header') as Element;
    const { width } = login.getBoundingClientRect();
    await change(longName);
    expect(login.getBoundingClientRect().width).to.equal(width);
    expect(header.scrollWidth).to.equal(header.clientWidth);
  });

  it('fills its container with full-width', async () => {
    const { login, button } = await show(loginStates['signed in'], { attributes: { 'full-width': '' } });
    expect(button().width).to.equal((login.parentElement as Element).getBoundingClientRect().width);
  });

  it('opens its menu at the side of the button', async () => {
    for (const [markup, edge] of [
      [HEADER, 'right'],
      ['<p><i></i></p>', 'left'],
    ] as const) {
      const { login, button } = await show(loginStates['signed in'], { markup });
      login.shadowRoot?.querySelector('button')?.click();
      await login.updateComplete;
      const panel = login.shadowRoot?.querySelector('[part=panel]') as Element;
      expect(Math.abs(panel.getBoundingClientRect()[edge] - button()[edge])).to.be.below(1);
    }
  });
});
