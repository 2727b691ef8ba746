import { expect } from 'chai';
import { clientId } from '../../test/support/client-id.js';
import { closePopup } from '../../test/support/close-popup.js';
import { createTestSession, disposeSessions } from '../../test/support/popup-session.js';
import { until } from '../../test/support/until.js';

const { fetch, open } = window;
const { error } = console;
let asked: string[] = [];
let logged: string[] = [];
let popup: Window | null = null;

beforeEach(() => {
  asked = [];
  logged = [];
  window.open = (...parts) => {
    popup = open.apply(window, parts);
    return popup;
  };
  window.fetch = async (input, init) => {
    asked.push(`${init?.method ?? 'GET'} ${input}`);
    return new Response(null, { headers: { 'cross-origin-opener-policy': 'same-origin' } });
  };
  console.error = (text: string) => logged.push(text);
});

afterEach(() => {
  disposeSessions();
  Object.assign(window, { fetch, open });
  console.error = error;
  Reflect.deleteProperty(document, 'hasFocus');
});

/** A session whose popup was open for a while, and then seems closed. */
async function closeAfter(milliseconds: number) {
  const { session, time } = createTestSession({ clientId: clientId('stays') });
  await session.prepare();
  session.signIn();
  await until('waiting', () => session.snapshot.status === 'waiting');
  await time.advance(milliseconds);
  await closePopup(popup);
  await time.advance(800);
  return session;
}

describe('a popup that seems closed', () => {
  it('after a while, with the visitor back on the page, was closed: the page is not asked for its headers', async () => {
    document.hasFocus = () => true;
    const session = await closeAfter(6000);
    expect(session.snapshot.failure?.code).to.equal('popup_closed');
    expect([asked, logged]).to.deep.equal([[], []]);
  });

  for (const [what, milliseconds, hasFocus] of [
    ['at once', 0, true],
    ['while the visitor is elsewhere', 6000, false],
  ] as const) {
    it(`${what} is reported as severed if the page’s headers say so, and the console names the header`, async () => {
      document.hasFocus = () => hasFocus;
      const session = await closeAfter(milliseconds);
      await until('told', () => session.snapshot.failure?.code === 'opener_severed');
      expect(logged.join()).to.contain('Cross-Origin-Opener-Policy: same-origin');
    });
  }
});
