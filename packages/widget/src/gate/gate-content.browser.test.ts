import { expect } from 'chai';
import '../define.js';
import { clientId } from '../../test/support/client-id.js';
import { community } from '../../test/support/fake-api.js';
import {
  createSignedInSession,
  createTestSession,
  disposeSessions,
} from '../../test/support/popup-session.js';
import { settled } from '../../test/support/settled.js';
import { createStubSession } from '../../test/support/stub-session.js';
import { until } from '../../test/support/until.js';
import { en } from '../messages/en.js';
import type { SessionSnapshot } from '../session/index.js';
import { loginStates } from '../testing.js';

const PART = '<p id="part">The roast curve.</p>';
const html = (body: string, init: ResponseInit = {}) =>
  new Response(body, { ...init, headers: { 'content-type': 'text/html; charset=utf-8' } });
/** A response that redirects, as the browser gives it to a page that does not follow. */
const redirect = () =>
  fetch(`/oauth/authorize?client_id=${clientId('declines')}&redirect_uri=${location.origin}/sign-in`, {
    redirect: 'manual',
  });
const part = () => document.querySelector('#part');

afterEach(() => {
  document.body.replaceChildren();
  disposeSessions();
});

async function show(
  answer: (init?: RequestInit) => Promise<Response>,
  snapshot: SessionSnapshot = loginStates['signed in'],
  src = '/roast-log',
) {
  const stub = createStubSession(snapshot, answer);
  const gate = document.createElement('latchkey-gate');
  gate.src = src;
  gate.session = stub.session;
  document.body.append(gate);
  await gate.updateComplete;
  return { ...stub, gate };
}

describe('a gate with src', () => {
  it('stays closed until the server responds, then shows the content', async () => {
    let give = (_: Response) => {};
    const { gate, calls } = await show(
      () =>
        new Promise((resolve) => {
          give = resolve;
        }),
    );
    expect(gate.state).to.equal('loading');
    expect(part()).to.equal(null);
    give(html(PART));
    await until('open', () => gate.state === 'open');
    expect(part()?.checkVisibility()).to.equal(true);
    expect(calls).to.deep.equal(['fetch /roast-log']);
  });

  it('sends no request while no user is signed in', async () => {
    const { gate, calls } = await show(async () => html(PART), loginStates['signed out']);
    await settled();
    expect(gate.state).to.equal('signed-out');
    expect(calls).to.deep.equal([]);
  });

  for (const [status, state] of [
    [403, 'locked'],
    [401, 'error'],
    [404, 'error'],
    [500, 'error'],
    [503, 'error'],
  ] as const) {
    it(`is ${state} at ${status}, and shows nothing of the answer`, async () => {
      const { gate } = await show(async () => html(PART, { status }));
      await until(state, () => gate.state === state);
      expect(part()).to.equal(null);
    });
  }

  it('stays closed for a redirect, which would have led to a sign-in page', async () => {
    const { gate } = await show(redirect);
    await until('settled', () => gate.state !== 'loading');
    expect(gate.state).to.equal('error');
  });

  it('stays closed without a connection, and tries again when asked to', async () => {
    let answer: () => Promise<Response> = () => Promise.reject(new TypeError('Failed to fetch'));
    const { gate } = await show(() => answer());
    await until('error', () => gate.state === 'error');
    answer = async () => html(PART);
    gate.shadowRoot?.querySelector('button')?.click();
    await until('open', () => gate.state === 'open');
  });

  it('asks again only once the session has been looked at, which may replace its token', async () => {
    const { gate, calls, session } = await show(async () => new Response('', { status: 500 }));
    await until('error', () => gate.state === 'error');
    let looked = () => {};
    session.refresh = () =>
      new Promise((resolve) => {
        looked = () => {
          calls.push('looked');
          resolve();
        };
      });
    gate.shadowRoot?.querySelector('button')?.click();
    await settled();
    looked();
    await until('asked', () => calls.length === 3);
    expect(calls).to.deep.equal(['fetch /roast-log', 'looked', 'fetch /roast-log']);
  });

  it('keeps the visitor’s place when the part that had the focus is taken away', async () => {
    const { gate, become } = await show(async () => html('<button id="part">Brew</button>'));
    await until('open', () => part());
    document.querySelector<HTMLElement>('#part')?.focus();
    become(loginStates['signed out']);
    await gate.updateComplete;
    expect(document.activeElement?.localName).to.equal('latchkey-gate');
  });

  it('refreshes the session if the server does not know the user', async () => {
    const { calls } = await show(async () => new Response('', { status: 401 }));
    await until('looked', () => calls.includes('refresh'));
  });

  it('sends no request after it left the page', async () => {
    const { gate, calls } = await show(async () => new Response('', { status: 403 }));
    await until('locked', () => gate.state === 'locked');
    gate.remove();
    gate.src = '/another-log';
    await gate.updateComplete;
    await settled();
    expect(calls).to.deep.equal(['fetch /roast-log']);
  });

  it('removes the content from the page at sign-out', async () => {
    const { gate, become } = await show(async () => html(PART));
    await until('open', () => part());
    become(loginStates['signed out']);
    await gate.updateComplete;
    expect(part()).to.equal(null);
    expect(gate.state).to.equal('signed-out');
  });

  it('requests the content again after a change of the memberships, and keeps it until the server answers', async () => {
    let status = 200;
    const { gate, become, calls } = await show(async () => html('<input id="part">', { status }));
    await until('open', () => part());
    const input = part();
    become({
      ...loginStates['signed in'],
      memberships: [{ ...community, validUntil: '2099-01-01T00:00:00.000Z' }],
    });
    await gate.updateComplete;
    await until('asked', () => calls.length === 2);
    await settled();
    expect(part()).to.equal(input);
    status = 403;
    become({ ...loginStates['signed in'], memberships: [] });
    await until('locked', () => gate.state === 'locked');
    expect(part()).to.equal(null);
    expect(calls).to.have.length(3);
  });

  it('hides the content at once from another user', async () => {
    let held = false;
    const { gate, become } = await show(() => (held ? new Promise(() => {}) : Promise.resolve(html(PART))));
    await until('open', () => part());
    held = true;
    become({ ...loginStates['signed in'], user: { sub: 'another', email: null } });
    await gate.updateComplete;
    expect(part()).to.equal(null);
    expect(gate.state).to.equal('loading');
  });

  it('that did not load tries again by itself, and shows its notice until then', async () => {
    let status = 502;
    const { gate, calls } = await show(async () => html(PART, { status }));
    await until('error', () => gate.state === 'error');
    status = 200;
    await until('open', () => part());
    expect(calls).to.have.length(2);
  });

  it('keeps open content while the server fails, and tries again', async () => {
    let answer = async () => html(PART);
    const { gate, become, calls } = await show(() => answer());
    await until('open', () => part());
    answer = async () => html('', { status: 502 });
    become({ ...loginStates['signed in'], memberships: [] });
    await until('asked', () => calls.length === 2);
    await settled();
    expect(gate.state).to.equal('open');
    answer = async () => html('', { status: 403 });
    await until('locked', () => gate.state === 'locked');
    expect(part()).to.equal(null);
  });

  it('leaves the content as the member changed it while the session is looked at again', async () => {
    const { gate, become } = await show(async () => html('<input id="part">'));
    await until('open', () => gate.state === 'open');
    const input = part() as HTMLInputElement;
    input.value = 'half a comment';
    input.focus();
    become(structuredClone(loginStates['signed in']));
    await gate.updateComplete;
    await settled();
    expect(part()).to.equal(input);
    expect(document.activeElement).to.equal(input);
    expect(input.value).to.equal('half a comment');
  });

  it('ignores a response for a user who signed out meanwhile', async () => {
    let give = (_: Response) => {};
    const { gate, become } = await show(
      () =>
        new Promise((resolve) => {
          give = resolve;
        }),
    );
    become(loginStates['signed out']);
    await gate.updateComplete;
    give(html(PART));
    await settled();
    expect(part()).to.equal(null);
    expect(gate.state).to.equal('signed-out');
  });

  it('checks its own conditions first, and sends a request only if they are met', async () => {
    const { gate, calls } = await show(async () => html(PART));
    gate.productType = 'agency';
    gate.reload();
    await until('locked', () => gate.state === 'locked');
    expect(part()).to.equal(null);
    expect(calls.length).to.be.at.most(2);
  });

  it('that did not open asks again after each look at the session, and shows its notice until then', async () => {
    let status = 403;
    let give: ((_: Response) => void) | undefined;
    const { gate, become, calls } = await show(() =>
      give ? new Promise((resolve) => (give = resolve)) : Promise.resolve(html(PART, { status })),
    );
    await until('locked', () => gate.state === 'locked');
    // The visitor pays in another tab, and the page is shown again.
    status = 200;
    give = () => {};
    become({ ...loginStates['signed in'] });
    await until('asked', () => calls.length === 2);
    await gate.updateComplete;
    expect(gate.state).to.equal('locked');
    give(html(PART));
    await until('open', () => part());
    // An open gate asks only after a change.
    become({ ...loginStates['signed in'] });
    await gate.updateComplete;
    await settled();
    expect(calls).to.have.length(2);
  });

  it('asks once for each look at the session, however many updates follow', async () => {
    const { gate, become, calls } = await show(async () => html('', { status: 503 }));
    await until('error', () => gate.state === 'error');
    become({ ...loginStates['signed in'] });
    for (let update = 0; update < 5; update++) {
      gate.requestUpdate();
      await gate.updateComplete;
      await settled();
    }
    expect(calls).to.have.length(2);
  });

  it('does not ask in a loop if the server does not know the user', async () => {
    const { become, session, calls } = await show(async () => html('', { status: 401 }));
    session.refresh = async () => {
      calls.push('refresh');
      become({ ...loginStates['signed in'] });
    };
    await until('refreshed', () => calls.includes('refresh'));
    await settled();
    become({ ...loginStates['signed in'] });
    await settled();
    expect(calls).to.deep.equal(['fetch /roast-log', 'refresh']);
  });
});

/** The errors in the console since the beginning of the test. */
let logged: string[] = [];
const { error } = console;
beforeEach(() => {
  logged = [];
  console.error = (text: string) => logged.push(text);
});
afterEach(() => {
  console.error = error;
});

describe('a gate that cannot load its src', () => {
  const shown = (gate: Element) => gate.shadowRoot?.querySelector('.notice')?.textContent ?? '';
  const WHOLE_PAGE = 'leads to a page that contains this gate.';

  for (const [what, src, answer, reason] of [
    ['on another site', 'https://evil.example/log', undefined, `must be on ${location.origin}.`],
    ['malformed', 'http://[', undefined, `must be on ${location.origin}.`],
    ['the page itself', '', undefined, WHOLE_PAGE],
    ['not there', '/log', async () => html('', { status: 404 }), 'must return status 200; got 404.'],
    ['a redirect', '/log', redirect, 'must return status 200; got a redirect.'],
  ] as const) {
    it(`because it is ${what} shows the code, and the console names the reason once`, async () => {
      const { gate, calls, become } = await show(
        answer ?? (async () => html(PART)),
        loginStates['signed in'],
        src,
      );
      await until('error', () => gate.state === 'error');
      expect(shown(gate)).to.contain(en.failures.misconfigured).and.to.contain('misconfigured');
      become({ ...loginStates['signed in'] });
      await settled();
      expect(logged).to.deep.equal([`Latchkey: src="${src}" ${reason} latchkey explain misconfigured`]);
      expect(calls.length > 0).to.equal(!!answer);
      expect(part()).to.equal(null);
    });
  }

  it('because the server never answers can try again, and the console names the address', async () => {
    const limits: number[] = [];
    const controller = new AbortController();
    const { timeout } = AbortSignal;
    AbortSignal.timeout = (limit) => {
      limits.push(limit);
      return controller.signal;
    };
    const { gate, calls } = await show(
      (init) =>
        new Promise((_, reject) =>
          init?.signal?.addEventListener('abort', () => reject(init.signal?.reason)),
        ),
    );
    AbortSignal.timeout = timeout;
    await settled();
    expect(gate.state).to.equal('loading');
    controller.abort();
    await until('error', () => gate.state === 'error');
    expect(limits).to.deep.equal([30_000]);
    expect(logged).to.deep.equal([
      'Latchkey: src="/roast-log" did not answer within 30 seconds. latchkey explain network',
    ]);
    expect(shown(gate)).to.contain(en.gate.error).and.not.to.contain('network');
    gate.shadowRoot?.querySelector('button')?.click();
    await until('asked again', () => calls.length === 3);
  });

  it('because it is in the content that the same address returned loads nothing', async () => {
    const inner = `<latchkey-gate src="${location.origin}/roast-log#inner"></latchkey-gate>`;
    const { session, calls } = await show(async () => html(inner));
    const gate = await until('content', () =>
      document.querySelector<'latchkey-gate'>('latchkey-gate latchkey-gate' as 'latchkey-gate'),
    );
    const component = document.createElement('div');
    const nested = document.createElement('latchkey-gate');
    nested.src = 'roast-log/../../../../roast-log';
    component.attachShadow({ mode: 'open' }).append(nested);
    gate.after(component);
    for (const one of [gate, nested]) {
      one.session = session;
      await until('error', () => one.state === 'error');
      expect(shown(one)).to.contain(en.failures.misconfigured);
    }
    expect(calls).to.deep.equal(['fetch /roast-log']);
    expect(logged).to.deep.equal(
      [gate, nested].map(({ src }) => `Latchkey: src="${src}" ${WHOLE_PAGE} latchkey explain misconfigured`),
    );
  });

  it('because two addresses return each other’s gate stops at the first that comes again', async () => {
    let turn = 0;
    const { session, calls } = await show(async () => {
      turn += 1;
      return html(
        `<latchkey-gate id="gate-${turn}" src="${turn % 2 ? '/other' : '/roast-log'}"></latchkey-gate>`,
      );
    });
    for (const state of ['open', 'error']) {
      const id = state === 'open' ? 'gate-1' : 'gate-2';
      const gate = await until(id, () =>
        document.querySelector<'latchkey-gate'>(`#${id}` as 'latchkey-gate'),
      );
      gate.session = session;
      await until(state, () => gate.state === state);
    }
    expect(calls).to.deep.equal(['fetch /roast-log', 'fetch /other']);
    expect(logged).to.have.length(1);
  });
});

describe('the content of src', () => {
  const answerOf = (type: string | undefined) => async () => {
    const response = new Response(new TextEncoder().encode(PART));
    if (type !== undefined) response.headers.set('content-type', type);
    return response;
  };

  for (const type of [
    'text/html',
    'text/html; charset=utf-8',
    'Text/HTML;charset="utf-8"',
    'text/html ; charset=utf-8',
  ]) {
    it(`may be ${type}`, async () => {
      await show(answerOf(type));
      await until('open', () => part());
      expect(logged).to.deep.equal([]);
    });
  }

  for (const type of [
    undefined,
    '',
    'text/plain',
    'text/plain;charset=UTF-8',
    'application/json',
    'application/xhtml+xml',
    'text/htmlx',
    'application/json; x=text/html',
    'text/html, application/json',
    'text/html;charset=utf-8, text/plain',
  ]) {
    it(`is refused as ${type === undefined ? 'nothing' : `"${type}"`}, and the console and an event name it`, async () => {
      const told: string[] = [];
      const listen = ({ detail }: HTMLElementEventMap['latchkey-error']) =>
        told.push(`${detail.code}: ${detail.message}`);
      document.addEventListener('latchkey-error', listen);
      const { gate } = await show(answerOf(type));
      await until('error', () => gate.state === 'error');
      await gate.updateComplete;
      document.removeEventListener('latchkey-error', listen);
      expect(part()).to.equal(null);
      expect(gate.textContent).to.equal('');
      const message = `src="/roast-log" must return text/html; got ${type ?? null}.`;
      expect(logged).to.deep.equal([`Latchkey: ${message} latchkey explain misconfigured`]);
      expect(told).to.deep.equal([`misconfigured: ${message}`]);
    });
  }
});

describe('the markup of the content', () => {
  type Ran = { ran: string[] };
  const ran = () => (window as unknown as Ran).ran;
  beforeEach(() => Object.assign(window, { ran: [] }));

  for (const [what, markup] of [
    ['a script', '<script>ran.push("it")</script>'],
    ['a script in a drawing', '<svg><script>ran.push("it")</script></svg>'],
    [
      'a declarative shadow root',
      '<div><template shadowrootmode="open"><img src="data:," onerror="ran.push(`it`)"></template></div>',
    ],
  ] as const) {
    it(`does not run ${what}`, async () => {
      const { gate } = await show(async () => html(`${PART}${markup}`));
      await until('open', () => gate.state === 'open' && part());
      await settled();
      await new Promise((resolve) => setTimeout(resolve, 50));
      expect(ran()).to.deep.equal([]);
    });
  }

  for (const [what, markup] of [
    ['an event handler', '<img src="data:," onerror="ran.push(`it`)">'],
    ['a javascript: link', '<a id="link" href="javascript:void ran.push(`it`)">Brew</a>'],
    ['the scripts of a frame with srcdoc', '<iframe srcdoc="<script>parent.ran.push(1)</script>"></iframe>'],
    ['a custom element of the page', '<gate-test-element></gate-test-element>'],
  ] as const) {
    it(`runs ${what}, so the URL must return markup that the site trusts`, async () => {
      if (!customElements.get('gate-test-element')) {
        customElements.define(
          'gate-test-element',
          class extends HTMLElement {
            connectedCallback() {
              ran().push('it');
            }
          },
        );
      }
      await show(async () => html(`${PART}${markup}`));
      await until('open', () => part());
      document.querySelector<HTMLElement>('#link')?.click();
      await until('ran', () => ran().length === 1);
    });
  }
});

describe('a request as the signed-in user', () => {
  it('carries the access token to this site', async () => {
    const { session, api } = await createSignedInSession();
    api.on('GET /roast-log', () => html(PART));
    expect(await (await session.fetch('/roast-log')).text()).to.equal(PART);
    const asked = api.seen.find(({ path }) => path === '/roast-log');
    expect(asked?.headers.authorization).to.equal('Bearer access-1');
  });

  for (const address of [
    'https://evil.example/part',
    '//evil.example/part',
    'http://127.0.0.1:1/',
    'data:text/html,hi',
  ]) {
    it(`is refused for ${address}: no other site may see the token`, async () => {
      const { session, api } = await createSignedInSession();
      const before = api.seen.length;
      const error = await session.fetch(address).then(
        () => undefined,
        (cause) => cause,
      );
      expect(error?.code).to.equal('invalid_configuration');
      expect(api.seen.length).to.equal(before);
    });
  }

  it('is rejected while no user is signed in', async () => {
    const { session, api } = createTestSession();
    const error = await session.fetch('/roast-log').then(
      () => undefined,
      (cause) => cause,
    );
    expect(error?.code).to.equal('invalid_token');
    expect(api.log()).to.deep.equal([]);
  });

  it('goes by the cookie alone with a backend', async () => {
    const { session, api } = createTestSession({ backend: '/auth' });
    api.on('GET /auth/session', () =>
      Response.json({
        signedIn: true,
        user: { sub: 's', email: null },
        memberships: [community],
        expiresAt: Date.UTC(2030, 1, 1),
      }),
    );
    api.on('GET /roast-log', () => html(PART));
    await session.fetch('/roast-log');
    const asked = api.seen.find(({ path }) => path === '/roast-log');
    expect(asked?.headers).not.to.have.property('authorization');
  });
});
