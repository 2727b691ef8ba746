import { sandboxScenario } from '@latchkey/sandbox';
import type { CheerioAPI } from 'cheerio';
import { expect } from 'vitest';
import { signedIn } from './authorization-flow.js';
import { locationOf } from './browser.js';
import { parsePage, textOf } from './pages/page-document.js';
import type { ServiceUnderTest } from './service-under-test.js';

/** Path of the sandbox's community in the seller area. */
export const COMMUNITY = `/seller/communities/${sandboxScenario.community.id}`;

/** Signed-in user in the seller area. */
export interface Seller {
  /** Opens a page and asserts that it exists. */
  page(path: string): Promise<CheerioAPI>;
  /** Returns the status of a path. */
  get(path: string): Promise<Response>;
  /** Submits a form as the page does, with its account field. */
  post(path: string, fields?: Record<string, string>): Promise<Response>;
  /** Submits a valid form and returns the page of the redirect. */
  submit(path: string, fields?: Record<string, string>): Promise<CheerioAPI>;
  /** Submits an invalid form and returns the page with its errors. */
  refused(path: string, fields?: Record<string, string>, status?: number): Promise<CheerioAPI>;
}

/** Signs a user in. */
export async function sellerOf(service: ServiceUnderTest, email = 'dana@example.com'): Promise<Seller> {
  const browser = await signedIn(service, email);
  const form = parsePage(await (await browser.get('/seller/communities/new')).text());
  const account = form('input[name="account"]').first().attr('value') ?? '';
  const page = async (path: string) => {
    const response = await browser.get(path);
    expect(response.status).toBe(200);
    return parsePage(await response.text());
  };
  const post: Seller['post'] = (path, fields = {}) => browser.post(path, { account, ...fields });
  return {
    page,
    get: (path) => browser.get(path),
    post,
    async submit(path, fields) {
      const response = await post(path, fields);
      expect(response.status).toBe(303);
      return await page(locationOf(response));
    },
    async refused(path, fields, status = 400) {
      const response = await post(path, fields);
      expect(response.status).toBe(status);
      return parsePage(await response.text());
    },
  };
}

/** Creates an account: proves the address with an emailed code. */
export async function createAccount(service: ServiceUnderTest, email: string): Promise<void> {
  const browser = service.browser();
  await browser.post('/sign-in/code', { email });
  const code = service.server.mailbox?.latestFor(email)?.code ?? '';
  expect((await browser.post('/sign-in/verify', { code })).status).toBe(303);
}

/** Signs a user in, accepts the newest invitation to the address, and returns the account page. */
export async function acceptInvitation(service: ServiceUnderTest, email: string): Promise<CheerioAPI> {
  return await answerInvitation(service, { email, answer: 'accept' });
}

/** Signs a user in and answers the newest invitation to the address, as the account page does. */
export async function answerInvitation(
  service: ServiceUnderTest,
  { email, answer }: { email: string; answer: 'accept' | 'decline' },
): Promise<CheerioAPI> {
  const person = await sellerOf(service, email);
  const invitation = invitationsIn(await person.page('/account'))[0] ?? '';
  return await person.submit(`/account/invitations/${answer}`, { invitation });
}

/** Ids of the invitations on an account page. */
export function invitationsIn($: CheerioAPI): string[] {
  return $('form[action="/account/invitations/accept"] input[name="invitation"]')
    .toArray()
    .map((input) => $(input).attr('value') ?? '');
}

/** Error messages of a page, each with the field that it links to. */
export function errorsIn($: CheerioAPI): string[] {
  return $('.error-summary li a')
    .toArray()
    .map((link) => `${$(link).attr('href')} ${$(link).text()}`);
}

/** Confirmation message of a page. */
export function noticeIn($: CheerioAPI): string {
  return textOf($, '[role="status"]');
}

/** Value of a field. */
export function fieldIn($: CheerioAPI, name: string): string | undefined {
  const selected = $(`select[name="${name}"] option[selected]`).attr('value');
  const checked = $(`input[type="radio"][name="${name}"][checked]`).attr('value');
  return selected ?? checked ?? $(`input[name="${name}"]:not([type="hidden"], [type="radio"])`).attr('value');
}

/** Rows of a page's table, each with its cells joined: `Tea Club | Owner | Active`. Dialogs are left out. */
export function tableIn($: CheerioAPI, label: string): string[] {
  const tables = $('table').filter((_, table) => $(table).find('caption').text() === label);
  expect(tables.length).toBeLessThan(2);
  return tables
    .find('tbody tr')
    .toArray()
    .map((row) => {
      const cells = $(row).find('> th, > td').toArray();
      return cells.map((cell) => textOfCell($, cell)).join(' | ');
    });
}

function textOfCell($: CheerioAPI, cell: Parameters<CheerioAPI>[0]): string {
  const copy = $(cell).clone();
  copy.find('[popover]').remove();
  copy.find('p').before(' ');
  return copy.text().replace(/\s+/g, ' ').trim();
}

/** Facts of a page by their labels. */
export function factsIn($: CheerioAPI): Record<string, string> {
  const facts = $('#facts .facts > dt').toArray();
  return Object.fromEntries(
    facts.map((term) => [$(term).text(), textOfCell($, $(term).next('dd')[0] ?? term)]),
  );
}

/** Status on the page of one object. */
export function statusIn($: CheerioAPI): string {
  return textOf($, '#facts .pill');
}

/** Title of a page's empty list. */
export function emptyIn($: CheerioAPI): string {
  return textOf($, '.empty-title');
}

/** Last segment of the first link's address in the tables of a page: an id. */
export function firstIdIn($: CheerioAPI): string {
  return $('tbody th a').first().attr('href')?.split('/').at(-1) ?? '';
}
