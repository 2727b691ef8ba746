import { encodeWidgetState } from '@latchkey/oauth';
import { expect } from 'chai';
import { clientId } from '../../test/support/client-id.js';
import { until } from '../../test/support/until.js';
import { RESPONSE_TYPE } from '../sign-in/popup.js';

/** The callback page on this page's own origin, so that the tests can look into the window. */
const CLIENT = clientId('allowed');
let popup: Window | null = null;
let messages: (Pick<MessageEvent, 'data' | 'origin' | 'source'> & { isOpen: boolean })[] = [];
const keep = ({ data, origin, source }: MessageEvent) =>
  messages.push({ data, origin, source, isOpen: popup?.closed === false });

beforeEach(() => {
  messages = [];
  addEventListener('message', keep);
});

afterEach(() => {
  removeEventListener('message', keep);
  popup?.close();
  popup = null;
});

function address(query: Record<string, string>, client = CLIENT): string {
  return `/widget/callback/${client}?${new URLSearchParams(query)}`;
}

const stateFor = (origin: string) => encodeWidgetState({ nonce: 'n', origin });

function openCallback(query: Record<string, string>, client?: string): Window {
  return openPopup(address(query, client));
}

/** Under a name of its own: one that is still closing must not be taken for it. */
function openPopup(url: string): Window {
  popup = open(url, crypto.randomUUID(), 'popup,width=480,height=640');
  if (!popup) throw new Error('The test browser blocks popups.');
  return popup;
}

/** Returns the requests of a window to the service. The browser can record a request shortly after the page received the response. */
function askedBy({ performance }: Window): URL[] {
  return performance
    .getEntriesByType('resource')
    .map(({ name }) => new URL(name))
    .filter(({ pathname }) => pathname.startsWith('/oauth/'));
}

function textOf(window: Window, name: string): string | null {
  const element = window.document.getElementById(`callback-${name}`);
  return element && !element.hidden ? element.textContent : null;
}

const answers = () => messages.filter(({ data }) => data?.type === 'latchkey:authorization-response');

const refusal = (state: string) => ({ type: RESPONSE_TYPE, state, error: 'origin_refused' });

describe('the hosted callback', () => {
  it('posts code and state to the allowed origin, whose page closes the window [client-identity.origin-must-be-allowed]', async () => {
    const state = stateFor(location.origin);
    const window = openCallback({ code: 'c1', state });
    await until('a message', () => answers().length === 1);
    const [message] = answers();
    expect(message?.data).to.deep.equal({ type: 'latchkey:authorization-response', code: 'c1', state });
    expect(message?.origin).to.equal(location.origin);
    expect(message?.source).to.equal(window);
    // Browsers name no source once its window is gone, and then the widget cannot take the answer.
    expect(message?.isOpen).to.equal(true);
    await until('explained', () => textOf(window, 'title') === 'You can close this window');
    expect(window.closed).to.equal(false);
  });

  it('passes a refusal on', async () => {
    const state = stateFor(location.origin);
    openCallback({ error: 'access_denied', state });
    await until('a message', () => answers().length === 1);
    expect(answers()[0]?.data).to.deep.equal({
      type: 'latchkey:authorization-response',
      error: 'access_denied',
      state,
    });
  });

  it('removes the code from the address first', async () => {
    const window = openCallback({ code: 'c1', state: stateFor(location.origin) }, clientId('refuses'));
    await until('explained', () => textOf(window, 'detail'));
    expect(window.location.search).to.equal('');
    expect(window.location.pathname).to.equal(`/widget/callback/${clientId('refuses')}`);
    expect(window.history.length).to.equal(1);
    await until('told', () => answers().length > 0);
  });

  it('asks about the client of its own path, whatever state and page say [client-identity.widget-origin-sender]', async () => {
    const state = btoa(
      JSON.stringify({ n: 'n', o: location.origin, c: 'oac_attacker', client_id: 'oac_attacker' }),
    )
      .replaceAll('+', '-')
      .replaceAll('/', '_')
      .replace(/=+$/, '');
    const window = openCallback({ code: 'c1', state, client_id: 'oac_attacker' }, clientId('refuses'));
    await until('explained', () => textOf(window, 'detail'));
    await until('noted', () => askedBy(window).length > 0);
    const asked = askedBy(window);
    expect(asked.map(({ pathname }) => pathname)).to.deep.equal([`/oauth/client/${clientId('refuses')}`]);
    expect(asked[0]?.searchParams.get('widget_origin')).to.equal(location.origin);
    await until('told', () => answers().length > 0);
    expect(answers().map(({ data }) => data)).to.deep.equal([refusal(state)]);
  });

  it('refuses an origin that the client does not allow, and names it and the setting to change', async () => {
    const state = stateFor(location.origin);
    const window = openCallback({ code: 'c1', state }, clientId('refuses'));
    await until('explained', () => textOf(window, 'detail'));
    expect(textOf(window, 'detail')).to.equal(location.origin);
    expect(textOf(window, 'hint')).to.contain('Allowed web origins');
    // The opener receives the error and nothing else.
    await until('told', () => answers().length > 0);
    expect(answers().map(({ data }) => data)).to.deep.equal([refusal(state)]);
    window.document.querySelector('button')?.click();
    await until('closed', () => window.closed);
  });

  it('posts to the allowed origin only, and a page of another origin cannot tell that it was posted', async () => {
    const window = openCallback({ code: 'c1', state: stateFor('https://allowed.example') });
    await until('done', () => window.closed || textOf(window, 'title') === 'You can close this window');
    // A window that closes by itself would reveal that the visitor has allowed the client.
    expect(window.closed).to.equal(false);
    expect(window.length).to.equal(0);
    expect(window.history.length).to.equal(1);
    expect(answers()).to.deep.equal([]);
  });

  it('refuses an unknown client', async () => {
    const state = stateFor(location.origin);
    const window = openCallback({ code: 'c1', state }, clientId('unknown'));
    await until('explained', () => textOf(window, 'detail'));
    await until('told', () => answers().length > 0);
    expect(answers().map(({ data }) => data)).to.deep.equal([refusal(state)]);
  });

  it('asks once more, then offers to try again when the service does not answer', async () => {
    const window = openCallback({ code: 'c1', state: stateFor(location.origin) }, clientId('broken'));
    await until('explained', () => textOf(window, 'close') === 'Try again');
    await until('noted', () => askedBy(window).length === 2);
    window.document.querySelector('button')?.click();
    await until('asked again', () => askedBy(window).length === 4);
    expect(answers()).to.deep.equal([]);
  });

  for (const [what, query] of [
    ['no query', {}],
    ['no state', { code: 'c1' }],
    ['a state that is no base64url', { code: 'c1', state: '%%%' }],
    ['a state that is no JSON', { code: 'c1', state: btoa('hello').replace(/=+$/, '') }],
    ['a state over 1024 characters', { code: 'c1', state: 'a'.repeat(1025) }],
    ['neither code nor error', { state: stateFor(location.origin) }],
    [
      'a state whose origin is no origin',
      { code: 'c1', state: btoa(JSON.stringify({ n: 'n', o: '*' })).replace(/=+$/, '') },
    ],
  ] as [string, Record<string, string>][]) {
    it(`with ${what} explains that there is nothing to finish, and asks and posts nothing`, async () => {
      const window = openCallback(query);
      await until('explained', () => textOf(window, 'title') === 'Nothing to finish here');
      expect(textOf(window, 'close')).to.equal('Close this window');
      expect(answers()).to.deep.equal([]);
      expect(askedBy(window)).to.deep.equal([]);
    });
  }

  it('explains in the language that the service sent, and in English what that lacks', async () => {
    const window = openCallback({}, clientId('german'));
    await until('explained', () => textOf(window, 'title') === 'Hier ist nichts abzuschließen');
    expect(textOf(window, 'close')).to.equal('Dieses Fenster schließen');
    expect(textOf(window, 'text')).to.match(/^This page finishes a sign-in/);
  });

  it('severed from its opener names the header and sends no request', async () => {
    const channel = new BroadcastChannel('callback-report');
    const told = new Promise<{ text: string; asked: string[] }>((resolve) => {
      channel.onmessage = ({ data }) => resolve(data);
    });
    openCallback({ code: 'c1', state: stateFor(location.origin) }, clientId('severed'));
    const { text, asked } = await told;
    channel.close();
    expect(text).to.contain('The site is out of reach');
    expect(text).to.contain('Cross-Origin-Opener-Policy');
    expect(asked).to.deep.equal([]);
    expect(answers()).to.deep.equal([]);
  });

  it('whose opener was closed does not blame a header', async () => {
    const opener = open('about:blank', crypto.randomUUID(), 'popup,width=480,height=640');
    popup = opener?.open('about:blank', crypto.randomUUID(), 'popup,width=480,height=640') ?? null;
    opener?.close();
    await until('closed', () => opener?.closed);
    popup?.location.assign(address({ code: 'c1', state: stateFor(location.origin) }));
    const window = popup as Window;
    await until('explained', () => textOf(window, 'title') === 'The site is out of reach');
    expect(textOf(window, 'text')).to.contain('was closed');
    expect(textOf(window, 'hint')).to.equal(null);
    expect(askedBy(window)).to.deep.equal([]);
  });

  it('in a frame does nothing but say so', async () => {
    const frame = document.createElement('iframe');
    frame.title = 'callback';
    frame.src = address({ code: 'c1', state: stateFor(location.origin) });
    document.body.append(frame);
    const window = frame.contentWindow as Window;
    await until('explained', () => textOf(window, 'title') === 'This page must not be framed');
    expect(answers()).to.deep.equal([]);
    frame.remove();
  });
});

describe('the page of the package that a site hosts itself', () => {
  const html = document.documentElement;
  const former = html.lang;
  afterEach(() => {
    html.lang = former;
  });
  const inLanguage = (language: string, query: Record<string, string>) => {
    html.lang = language;
    return openPopup(`/latchkey/callback.html?${new URLSearchParams(query)}`);
  };
  const REFUSED = { code: 'c1', state: stateFor('https://other.example') };

  for (const [language, dir, title, refused, hint] of [
    [
      ...['de-AT', 'ltr', 'Hier gibt es nichts abzuschließen'],
      ...['Diese Website darf Ihre Anmeldung nicht erhalten', 'Seiten von'],
    ],
    [...['ar', 'rtl', 'لا شيء لإتمامه هنا'], ...['لا يُسمح لهذا الموقع بتلقي تسجيل دخولك', 'لصفحات']],
  ] as [string, string, string, string, string][]) {
    it(`explains each failure in the language of the page that opened it: ${language}`, async () => {
      const byHand = inLanguage(language, {});
      await until('explained', () => textOf(byHand, 'title') === title);
      expect(byHand.document.title).to.equal(title);
      const { lang, dir: direction } = byHand.document.documentElement;
      expect([lang, direction]).to.deep.equal([language.slice(0, 2), dir]);
      byHand.close();
      const window = inLanguage(language, REFUSED);
      await until('explained', () => textOf(window, 'title') === refused);
      expect(textOf(window, 'hint')).to.contain(hint).and.contain(location.origin);
      expect(textOf(window, 'detail')).to.equal('https://other.example');
      for (const name of ['title', 'text', 'hint', 'close'])
        expect(textOf(window, name)?.replace(location.origin, '')).not.to.match(/\b(the|this|your)\b/i);
    });
  }

  it('explains in English to a page in a language that it lacks', async () => {
    const window = inLanguage('tlh', {});
    await until('explained', () => textOf(window, 'title') === 'Nothing to finish here');
  });
});

describe('a callback that a site hosts itself, with nothing on its page but the script', () => {
  const bare = new URL('../../test/support/bare-callback.html', import.meta.url).href;
  const openBare = (query: Record<string, string>) => openPopup(`${bare}?${new URLSearchParams(query)}`);

  it('posts the answer to a page of this site, which closes the window', async () => {
    const state = stateFor(location.origin);
    const window = openBare({ code: 'c1', state });
    await until('a message', () => answers().length === 1);
    expect(answers()[0]?.data).to.include({ code: 'c1', state });
    await until('explained', () => textOf(window, 'title') === 'You can close this window');
    expect(window.closed).to.equal(false);
  });

  it('creates the elements for its explanation and names the setting', async () => {
    const window = openBare({ code: 'c1', state: stateFor('https://other.example') });
    await until('explained', () => textOf(window, 'detail') === 'https://other.example');
    expect(textOf(window, 'title')).to.equal('This site may not receive your sign-in');
    expect(textOf(window, 'hint')).to.contain(`pages of ${location.origin} only`);
    expect(textOf(window, 'hint')).not.to.contain('Allowed web origins');
    expect(window.document.querySelectorAll('main')).to.have.length(1);
    expect(answers()).to.deep.equal([]);
    window.document.querySelector('button')?.click();
    await until('closed', () => window.closed);
  });

  it('opened by hand explains that there is nothing to finish', async () => {
    const window = openBare({});
    await until('explained', () => textOf(window, 'title') === 'Nothing to finish here');
  });
});
