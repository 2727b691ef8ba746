import { expect } from 'chai';
import '../define.js';
import { createStubSession } from '../../test/support/stub-session.js';
import { until } from '../../test/support/until.js';
import { loginStates } from '../testing.js';
import { ar } from './ar.js';
import { de } from './de.js';
import { en, type Messages } from './en.js';
import { es } from './es.js';
import { fr } from './fr.js';
import { ja } from './ja.js';
import { messagesFor } from './messages.js';
import { plansEn } from './plans-en.js';
import { pt } from './pt.js';
import { registerMessages } from './registry.js';

const LANGUAGES: Messages[] = [ar, de, es, fr, ja, pt];

afterEach(() => {
  document.body.replaceChildren();
  document.documentElement.lang = 'en';
});

/** Every text of a language by its path; functions are called. */
function texts(value: unknown, path = ''): [string, string][] {
  if (typeof value === 'string') return [[path, value]];
  if (typeof value === 'function') return [[path, value('NAME')]];
  return Object.entries(value as object).flatMap(([name, part]) => texts(part, `${path}.${name}`));
}

async function show(name: keyof typeof loginStates) {
  const login = document.createElement('latchkey-login');
  login.session = createStubSession(loginStates[name]).session;
  document.body.append(login);
  await login.updateComplete;
  const root = login.shadowRoot as ShadowRoot;
  return { login, says: () => root.querySelector('[role=status]')?.textContent, root };
}

describe('the languages', () => {
  for (const language of LANGUAGES) {
    it(`${language.locale} has its own text for everything`, () => {
      const english = new Map(texts({ ...en, plans: plansEn }));
      expect(texts(language).map(([path]) => path)).to.have.members([...english.keys()]);
      const untranslated = texts(language).filter(([path, text]) => text === english.get(path));
      expect(untranslated).to.deep.equal([]);
      expect(texts(language).filter(([, text]) => text.trim() === '')).to.deep.equal([]);
      expect(language.signedInAs('NAME')).to.contain('NAME');
      expect(language.until('NAME')).to.contain('NAME');
      expect(() => new Intl.DateTimeFormat(language.locale)).not.to.throw();
    });
  }

  it('are chosen by lang: the region, else the language, else English', () => {
    const austrian = { ...de, locale: 'de-AT', signIn: 'Servus' };
    registerMessages(austrian);
    expect(messagesFor('de-AT')).to.equal(austrian);
    expect(messagesFor('de-CH')).to.equal(de);
    expect(messagesFor('tlh')).to.equal(en);
    expect(messagesFor('')).to.equal(en);
    expect(messagesFor('constructor')).to.equal(en);
  });

  it('are chosen by lang in any spelling, one subtag less at a time', () => {
    const chinese = { ...en, locale: 'zh-Hans' };
    registerMessages(chinese);
    for (const tag of ['DE', 'de_DE', 'De-ch', 'de-CH-1996'])
      expect(messagesFor(tag).signIn, tag).to.equal(de.signIn);
    for (const tag of ['zh-Hans-CN', 'ZH-HANS', 'zh_hans_sg'])
      expect(messagesFor(tag).locale, tag).to.equal('zh-Hans');
    for (const tag of ['zh', 'zh-Hant', 'deu', '-']) expect(messagesFor(tag).locale, tag).to.equal('en');
  });

  it('change with any ancestor, also with one in the shadow of another component', async () => {
    const section = document.body.appendChild(document.createElement('section'));
    const host = section.appendChild(document.createElement('div'));
    const inner = host.attachShadow({ mode: 'open' }).appendChild(document.createElement('div'));
    const { login, says } = await show('expired');
    inner.append(login);
    await login.updateComplete;
    section.lang = 'de';
    await until('German', () => says() === de.expired);
    inner.lang = 'fr';
    await until('French', () => says() === fr.expired);
    inner.lang = 'ja';
    await until('Japanese', () => says() === ja.expired);
  });

  it('change with the page, failures included', async () => {
    const { says } = await show('no connection');
    expect(says()).to.equal(en.failures.network);
    document.documentElement.lang = 'de';
    await until('German', () => says() === de.failures.network);
    document.documentElement.lang = 'ja-JP';
    await until('Japanese', () => says() === ja.failures.network);
  });

  it('can be one element’s alone', async () => {
    const { login, says } = await show('expired');
    login.lang = 'fr';
    await until('French', () => says() === fr.expired);
    expect(login.lang).to.equal('fr');
  });

  it('that come later are taken when they come', async () => {
    document.documentElement.lang = 'nl';
    const { says } = await show('expired');
    expect(says()).to.equal(en.expired);
    registerMessages({ ...en, locale: 'nl', expired: 'Uw sessie is afgelopen.' });
    await until('Dutch', () => says() === 'Uw sessie is afgelopen.');
  });

  it('give way to a page’s own texts, one by one', async () => {
    const { login, root } = await show('expired');
    login.messages = { expired: 'Back so soon?' };
    await login.updateComplete;
    expect(root.querySelector('[role=status]')?.textContent).to.equal('Back so soon?');
    expect(root.querySelector('.actions button')?.textContent).to.equal(en.signInAgain);
  });

  it('give way to single texts of a group', async () => {
    const { login, says } = await show('popup blocked');
    login.messages = { failures: { popup_closed: 'Closed!' }, kinds: { community: 'The Table' } };
    await login.updateComplete;
    expect(says()).to.equal(en.failures.popup_blocked);
    expect(login.messages.failures.popup_closed).to.equal('Closed!');
    expect(login.messages.kinds).to.deep.equal({ ...en.kinds, community: 'The Table' });
    login.lang = 'de';
    await until('German', () => says() === de.failures.popup_blocked);
    const gate = document.createElement('latchkey-gate');
    gate.session = createStubSession(loginStates['signed out']).session;
    gate.messages = { gate: { locked: 'Members only.' }, plans: { join: 'Sit down' } };
    document.body.append(gate);
    await gate.updateComplete;
    expect(gate.shadowRoot?.querySelector('[role=status]')?.textContent).to.equal(en.gate['signed-out']);
    expect(gate.messages.gate.locked).to.equal('Members only.');
    expect(gate.messages.plans).to.deep.equal({ join: 'Sit down' });
  });

  it('hold in the shadow of what an element is part of, and a gate’s own texts for its button', async () => {
    const section = document.createElement('section');
    section.lang = 'de';
    const host = section.appendChild(document.createElement('div'));
    const gate = document.createElement('latchkey-gate');
    gate.session = createStubSession(loginStates['signed out']).session;
    document.body.append(section);
    host.attachShadow({ mode: 'open' }).append(gate);
    const button = () =>
      gate.shadowRoot?.querySelector('latchkey-login')?.shadowRoot?.querySelector('button')?.textContent;
    await until('German', () => button()?.includes(de.signIn));
    expect(gate.shadowRoot?.querySelector('[role=status]')?.textContent).to.equal(de.gate['signed-out']);
    gate.lang = 'ar';
    await until('Arabic', () => button()?.includes(ar.signIn));
    gate.messages = { signIn: 'Join us' };
    await until('own text', () => button()?.includes('Join us'));
  });
});
