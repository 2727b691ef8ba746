import { decodeWidgetState, encodeWidgetState } from '@latchkey/oauth';
import { expect } from 'chai';
import fc from 'fast-check';
import { handOver } from '../src/callback/hand-over.js';
import { createWebStore } from '../src/session/token-store.js';
import { listenForResponse, RESPONSE_TYPE } from '../src/sign-in/popup.js';
import { opensFor } from '../src/state/membership-rule.js';

/** Settings of `npm run fuzz`, which web-test-runner.config.mjs passes on. */
const settings = globalThis as { LATCHKEY_FUZZ_RUNS?: string; LATCHKEY_FUZZ_SEED?: string };

/** Settings like those of `fuzzRuns`: `npm test` repeats the same runs, so that it fails for changes only. */
function runs(numRuns: number): fc.Parameters<unknown> {
  const { LATCHKEY_FUZZ_RUNS: chosen, LATCHKEY_FUZZ_SEED } = settings;
  const seed = LATCHKEY_FUZZ_SEED ? Number(LATCHKEY_FUZZ_SEED) : chosen ? undefined : 20_261;
  return { numRuns: chosen ? Number(chosen) : numRuns, ...(seed !== undefined && { seed }) };
}

const ORIGIN = 'https://service.example';
const STATE = encodeWidgetState({ nonce: 'nonce-of-the-page', origin: location.origin });
const oddText = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.constantFrom(
    '',
    'null',
    '__proto__',
    ORIGIN,
    location.origin,
    STATE,
    `${STATE}=`,
    RESPONSE_TYPE,
    '<img src=x>',
  ),
  fc.nat(3_000).map((length) => 'a'.repeat(length)),
);
const oddValue: fc.Arbitrary<unknown> = fc.oneof(
  oddText,
  fc.jsonValue(),
  fc.constantFrom(undefined, null, 0, [], {}),
);
const base64url = (text: string) =>
  btoa(String.fromCharCode(...new TextEncoder().encode(text)))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replace(/=+$/, '');

/** Text that is nearly a state. */
const oddState = fc.oneof(
  { weight: 2, arbitrary: oddText },
  fc.jsonValue().map((value) => base64url(JSON.stringify(value))),
  fc
    .record({ n: oddValue, o: fc.oneof(oddValue, fc.webUrl()) }, { requiredKeys: [] })
    .map((value) => base64url(JSON.stringify(value))),
);

describe('any state', () => {
  it('names an http origin and a nonce, or is none of the widget', () => {
    fc.assert(
      fc.property(oddState, (text) => {
        const state = decodeWidgetState(text);
        if (!state) return;
        expect(state.nonce).to.be.a('string').and.not.equal('');
        expect(new URL(state.origin).origin).to.equal(state.origin);
        expect(state.origin).to.match(/^https?:\/\//);
      }),
      runs(2_000),
    );
  });
});

describe('any message to the page', () => {
  it('is a response only from the popup and the origin of the callback, and is made of texts', () => {
    const popup = window;
    const other = document.createElement('iframe');
    document.body.append(other);
    const message = fc.record({
      data: fc.oneof(
        oddValue,
        fc.record(
          {
            type: fc.oneof(fc.constant(RESPONSE_TYPE), oddValue),
            state: fc.oneof(fc.constant(STATE), oddValue),
            code: oddValue,
            error: oddValue,
          },
          { requiredKeys: [] },
        ),
      ),
      isOrigin: fc.boolean(),
      isPopup: fc.boolean(),
      origin: oddText,
    });
    const received: URLSearchParams[] = [];
    let accepted = 0;
    const ended = new AbortController();
    listenForResponse({ origin: ORIGIN, popup, state: STATE }, ended.signal, (response) =>
      received.push(response),
    );
    fc.assert(
      fc.property(message, ({ data, isOrigin, isPopup, origin }) => {
        received.length = 0;
        const source = isPopup ? popup : other.contentWindow;
        dispatchEvent(new MessageEvent('message', { data, origin: isOrigin ? ORIGIN : origin, source }));
        const [response] = received;
        if (!response) return;
        accepted += 1;
        expect(isPopup && (isOrigin || origin === ORIGIN)).to.equal(true);
        const sent = Object(data) as Record<string, unknown>;
        expect(sent.type).to.equal(RESPONSE_TYPE);
        for (const [name, value] of response) expect(sent[name]).to.equal(value);
      }),
      runs(1_500),
    );
    expect(accepted).to.be.greaterThan(0);
    ended.abort();
    other.remove();
  });
});

describe('any address of the callback page', () => {
  it('posts only to the origin in the state, and only after the service allows it', async () => {
    const request = fc.record({
      path: fc.constantFrom(
        '/widget/callback/oac_1',
        '/base/widget/callback/oac_1',
        '/latchkey/callback.html',
        '/widget/callback/',
        '//',
      ),
      code: fc.option(oddText, { nil: undefined }),
      error: fc.option(oddText, { nil: undefined }),
      state: fc.oneof(fc.constant(STATE), oddState),
      answer: fc.constantFrom<unknown>(true, true, true, true, false, null, 'true', 1, {}),
      status: fc.constantFrom(200, 200, 200, 404),
      isFramed: fc.boolean(),
    });
    let codes = 0;
    await fc.assert(
      fc.asyncProperty(request, async ({ path, code, error, state, answer, status, isFramed }) => {
        const posted: { message: Record<string, unknown>; target: unknown }[] = [];
        const opener = {
          closed: false,
          postMessage: (message: Record<string, unknown>, target: unknown) =>
            posted.push({ message, target }),
        };
        const search = new URLSearchParams({ state });
        if (code !== undefined) search.set('code', code);
        if (error !== undefined) search.set('error', error);
        const page = document.implementation.createHTMLDocument();
        for (const name of ['title', 'text', 'detail', 'hint', 'close']) {
          const element = page.createElement('p');
          element.id = `callback-${name}`;
          page.body.append(element);
        }
        const replaced: string[] = [];
        const fake = {
          location: { search: `?${search}`, pathname: path, origin: ORIGIN },
          history: {
            replaceState: (_state: unknown, _title: string, address: string) => replaced.push(address),
          },
          document: page,
          opener,
          fetch: async () =>
            new Response(JSON.stringify({ data: { widgetOriginAllowed: answer } }), { status }),
          setTimeout: () => 0,
          close: () => {},
          navigator: window.navigator,
        } as unknown as Window & typeof globalThis;
        Object.assign(fake, { self: fake, top: isFramed ? {} : fake });
        await handOver(fake);

        expect(replaced).to.deep.equal([path]);
        expect(page.querySelector('img, script')).to.equal(null);
        const origin = decodeWidgetState(state)?.origin;
        for (const { message, target } of posted) {
          expect(target).to.equal(origin);
          expect(isFramed).to.equal(false);
          if ('code' in message) codes += 1;
          if (message.error === 'origin_refused' && error !== 'origin_refused')
            expect(message).to.not.have.property('code');
          else
            expect(path.includes('oac_1') ? answer === true && status === 200 : origin === ORIGIN).to.equal(
              true,
            );
        }
      }),
      runs(400),
    );
    expect(codes).to.be.greaterThan(0);
  });
});

describe('any stored value and any membership', () => {
  it('is a token set with texts and numbers, or nothing', () => {
    const stored = fc.oneof(
      oddText,
      fc
        .record(
          {
            accessToken: oddValue,
            refreshToken: oddValue,
            expiresAt: oddValue,
            renewAt: fc.oneof(fc.integer(), oddValue),
            scopes: oddValue,
          },
          { requiredKeys: [] },
        )
        .map((value) => JSON.stringify(value)),
    );
    fc.assert(
      fc.property(stored, (text) => {
        sessionStorage.setItem('fuzz', text);
        const tokens = createWebStore('session', 'fuzz').read();
        if (!tokens) return;
        expect(tokens.accessToken).to.be.a('string');
        expect(Number.isFinite(tokens.expiresAt) && Number.isFinite(tokens.renewAt)).to.equal(true);
      }),
      runs(1_000),
    );
  });

  it('never opens a rule by community unless it is known', () => {
    const membership = fc.record(
      {
        id: oddText,
        productType: oddText,
        communityId: fc.oneof(fc.constant('c1'), oddValue),
        isKnown: fc.oneof(fc.boolean(), oddValue),
      },
      { requiredKeys: [] },
    );
    fc.assert(
      fc.property(fc.array(membership, { maxLength: 3 }), (memberships) => {
        const isOpen = opensFor(memberships as never, { communityIds: ['c1'] });
        if (isOpen)
          expect(
            memberships.some((one) => one.isKnown && String(one.communityId).toLowerCase() === 'c1'),
          ).to.equal(true);
      }),
      runs(1_000),
    );
  });
});
