import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { fuzzRuns } from '../../../scripts/fuzz-runs.mjs';
import { consentPath, publicRequest, signedIn } from './authorization-flow.js';
import type { Browser } from './browser.js';
import { oddPageHeaders, oddPageText, oddQueryText } from './odd-page-input.js';
import { parsePage } from './pages/page-document.js';
import { type ServiceUnderTest, startService } from './service-under-test.js';

/** Pages from which links lead to all others of the areas. */
const ENTRIES = ['/account', '/seller', '/developer', '/sandbox/messenger', '/sandbox/mailbox'];
/** Paths of the crawled pages. */
const AREAS = /^\/(?:account|seller|developer|communities|products|sign-in|sandbox)(?:[/?]|$)/;
/** Forms that would sign the owner out, also by moving the clock. All later forms would then do nothing. */
const ENDS_SESSION = /^\/(?:sign-out|sandbox\/sign-in|sandbox\/clock|account\/sessions\/.*)$/;
/** Maximum number of crawled pages of one kind, such as pages of members, beyond those that are entries. */
const PAGES_OF_A_KIND = 1;
/** Maximum time of one response in milliseconds, on a busy machine too. A response without a limit takes minutes. */
const RESPONSE_MS = 5_000;
/** Maximum length of an address. Node itself rejects larger headers with 431. */
const ADDRESS_LENGTH = 30_000;
/** Maximum length of a page after a form of 100 kB whose fields are repeated. */
const PAGE_LENGTH = 60_000;
/** Text of a visitor that must never appear as markup. */
const MARKUP = '<fuzz-marker>';

/** Form of a page, as the page shows it. */
interface PageForm {
  action: string;
  method: string;
  fields: [name: string, value: string][];
}

let service: ServiceUnderTest;
let owner: Browser;
let visitor: Browser;
/** Value of the owner's session cookie. */
let session: string;
let forms: PageForm[];
let paths: string[];

beforeAll(async () => {
  service = await startService();
  owner = await signedIn(service, 'dana@example.com');
  visitor = service.browser();
  session = [...owner.cookies.values()].join();
  const consent = consentPath(publicRequest(service));
  const pages = await crawl(owner, [...ENTRIES, consent]);
  const signIn = await crawl(visitor, ['/sign-in']);
  forms = [...pages.forms, ...signIn.forms];
  ({ paths } = pages);
}, 120_000);

afterAll(async () => {
  await service.server.close();
});

/** Opens the pages that links lead to, breadth first, and returns their paths and forms. */
async function crawl(
  browser: Browser,
  entries: readonly string[],
): Promise<{ forms: PageForm[]; paths: string[] }> {
  const found = new Map<string, PageForm>();
  const seen = new Set(entries);
  const kinds = new Map<string, number>();
  for (const path of seen) {
    const response = await browser.get(path);
    if (!response.headers.get('content-type')?.startsWith('text/html')) continue;
    const $ = parsePage(await response.text());
    for (const form of $('form').toArray()) {
      const action = $(form).attr('action') ?? path;
      const fields = $(form)
        .find('input, select, textarea, button')
        .toArray()
        .flatMap((field): [string, string][] => {
          const name = $(field).attr('name');
          return name === undefined ? [] : [[name, String($(field).val() ?? '')]];
        });
      found.set(`${action} ${fields.map(([name]) => name)}`, {
        action,
        method: $(form).attr('method') ?? 'get',
        fields,
      });
    }
    for (const link of $('a[href^="/"]').toArray()) {
      const target = ($(link).attr('href') ?? '').split('#')[0] ?? '';
      const kind = target.replace(/\?.*/, '?').replaceAll(/[0-9a-f-]{8,}|oac_\w+/g, '*');
      const count = kinds.get(kind) ?? 0;
      if (!AREAS.test(target) || seen.has(target) || count >= PAGES_OF_A_KIND) continue;
      kinds.set(kind, count + 1);
      seen.add(target);
    }
  }
  const kept = [...found.values()].filter(({ action }) => !ENDS_SESSION.test(action));
  return { forms: kept, paths: [...seen] };
}

/** Asserts that a response is no internal error, arrived in time, and contains neither markup of the sender nor a secret. */
async function expectSafe(send: () => Promise<Response>, sent: string): Promise<number> {
  const started = performance.now();
  const response = await send();
  const text = await response.text();
  const seen = `${sent.slice(0, 2_000)}: ${response.status} ${text.slice(0, 300)}`;
  expect(response.status, seen).toBeLessThan(500);
  expect(performance.now() - started, seen).toBeLessThan(RESPONSE_MS);
  expect(text.includes(MARKUP), seen).toBe(false);
  expect(text.includes(session), seen).toBe(false);
  expect(response.headers.get('x-content-type-options'), seen).toBe('nosniff');
  return response.status;
}

describe('any page of the service', () => {
  it('has forms to fuzz in every area', () => {
    for (const area of ['/account', '/seller', '/developer', '/oauth/consent', '/sign-in', '/communities']) {
      expect(
        forms.some(({ action }) => action.startsWith(area)),
        area,
      ).toBe(true);
    }
    expect(forms.length).toBeGreaterThan(30);
    expect(session).not.toBe('');
  });

  it('answers a form of 100 kB with repeated fields by a page of limited size', async () => {
    const kinds = new Map(
      forms.map((form) => [`${form.method} ${form.action.replaceAll(/[0-9a-f-]{8,}|oac_\w+/g, '*')}`, form]),
    );
    const statuses = new Map<number, number>();
    for (const { method, action, fields } of kinds.values()) {
      if (method !== 'post') continue;
      // The preview of a brand saves nothing, and checks nothing else.
      const plain = fields.filter(([name]) => name !== 'preview');
      const repeated = plain.filter(([name]) => name !== 'account');
      const times = Math.floor(80_000 / repeated.reduce((sum, [name]) => sum + name.length + 7, 1));
      const many = Array.from({ length: times }, (_, n) =>
        repeated.map(([name]): [string, string] => [name, `v${n.toString(36)}`]),
      );
      const own = { origin: service.baseUrl, 'sec-fetch-site': 'same-origin' };
      const response = await owner.post(action, grouped([...plain, ...many.flat()]), own);
      const text = await response.text();
      const sent = `${action} with ${times} of each field: ${text.length} characters`;
      expect(response.status, sent).toBeLessThan(500);
      expect(text.length, sent).toBeLessThan(PAGE_LENGTH);
      statuses.set(response.status, (statuses.get(response.status) ?? 0) + 1);
    }
    // The forms were read, and most of them rejected field by field.
    expect(statuses.get(400)).toBeGreaterThan(5);
    expect(statuses.get(409) ?? 0).toBeLessThan(3);
  });

  it('answers any form of any sender without an internal error, in bounded time, and never as markup', async () => {
    const change = fc.tuple(fc.nat(), oddPageText(MARKUP), fc.nat(9));
    const request = fc.record({
      form: fc.constantFrom(...forms),
      changes: fc.array(change, { minLength: 1, maxLength: 3 }),
      headers: oddPageHeaders,
      isOwner: fc.oneof({ weight: 9, arbitrary: fc.constant(true) }, fc.constant(false)),
    });
    await fc.assert(
      fc.asyncProperty(request, async ({ form, changes, headers, isOwner }) => {
        const fields = changed(form.fields, changes);
        const browser = isOwner ? owner : visitor;
        const own = { origin: service.baseUrl, 'sec-fetch-site': 'same-origin', ...headers };
        const sent = `${form.method} ${form.action} ${JSON.stringify(fields)} ${JSON.stringify(headers)}`;
        await expectSafe(
          () =>
            form.method === 'post'
              ? browser.post(form.action, grouped(fields), own)
              : browser.get(
                  `${form.action}?${new URLSearchParams(fields)}`.slice(0, ADDRESS_LENGTH),
                  headers,
                ),
          sent,
        );
      }),
      { ...fuzzRuns(80), endOnFailure: true },
    );
  });

  it('answers any query, cookie and preferred language without an internal error, and never as markup', async () => {
    const request = fc.record({
      path: fc.constantFrom(...paths),
      query: oddQueryText(MARKUP),
      headers: oddPageHeaders,
    });
    await fc.assert(
      fc.asyncProperty(request, async ({ path, query, headers }) => {
        const address = `${path}${path.includes('?') ? '&' : '?'}${query}`;
        await expectSafe(() => owner.get(address, headers), `${address} ${JSON.stringify(headers)}`);
      }),
      { ...fuzzRuns(60), endOnFailure: true },
    );
  });
});

/** Returns the fields of a form with some replaced, repeated, renamed or left out. */
function changed(
  fields: readonly [string, string][],
  changes: readonly [at: number, text: string, kind: number][],
): [string, string][] {
  const result: [string, string][] = [...fields];
  for (const [at, text, kind] of changes) {
    const index = at % Math.max(1, result.length);
    const [name = 'more'] = result[index] ?? [];
    // Most changes keep the owner's id, without which a form does nothing.
    if (name === 'account' && kind < 8) continue;
    if (kind === 0) result.splice(index, 1);
    else if (kind === 1) result.push([name, name === 'continue' ? '' : text]);
    else if (kind === 2) result.push([text, name]);
    // A redirect repeats this field in its header, of which fetch reads 16 kB.
    else result[index] = [name, name === 'continue' ? text.slice(0, 800) : text];
  }
  return result;
}

function grouped(fields: readonly [string, string][]): Record<string, string[]> {
  const groups: Record<string, string[]> = Object.create(null);
  for (const [name, value] of fields) groups[name] = [...(groups[name] ?? []), value];
  return groups;
}
