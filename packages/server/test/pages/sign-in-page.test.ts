import { describe, expect, it } from 'vitest';
import { signInCodePage } from '../../src/features/sign-in/enter-code.pages.js';
import { signInPage } from '../../src/features/sign-in/sign-in.pages.js';
import { PLAIN_SITE } from '../../src/web/kit/frame/send-page.js';
import { formOf, parsePage, textOf } from './page-document.js';

const SERVICE = { name: 'Latchkey' };
const CONTINUE_TO = '/oauth/authorize?client_id=oac_1&state="a"';
const ADA = { email: 'ada@example.com', name: 'Ada Member', note: 'Community for life' };
const BEN = { email: 'ben@example.com', name: 'Ben Visitor', note: 'No membership' };

describe('sign-in page', () => {
  it('sends the email address and the target to /sign-in/code', () => {
    const $ = parsePage(signInPage({ service: SERVICE, continueTo: CONTINUE_TO, email: 'ada@example.com' }));
    expect(formOf($, '/sign-in/code')).toEqual({
      method: 'post',
      hidden: [['continue', CONTINUE_TO]],
      buttons: [],
    });
    expect($('#email').attr()).toMatchObject({
      name: 'email',
      type: 'email',
      autocomplete: 'email',
      value: 'ada@example.com',
    });
  });

  it('names the client, and shows its logo without a Referer', () => {
    const logoUrl = 'https://shop.example/logo.png';
    const $ = parsePage(
      signInPage({ service: SERVICE, client: { name: 'Ember & Oak', logoUrl }, continueTo: '/' }),
    );
    expect(textOf($, 'h1')).toBe('Sign in to Ember & Oak');
    expect($('img').attr()).toMatchObject({ src: logoUrl, alt: '', referrerpolicy: 'no-referrer' });
  });

  it('links an error to the field and announces it', () => {
    const $ = parsePage(
      signInPage({ service: SERVICE, continueTo: '/', email: 'ada@', error: 'That is not an address.' }),
    );
    expect($('#email').attr()).toMatchObject({ 'aria-invalid': 'true', 'aria-describedby': 'email-error' });
    expect($('#email-error').attr('role')).toBe('alert');
    expect(textOf($, '#email-error')).toBe('That is not an address.');
  });

  it('marks no field as invalid without an error', () => {
    const $ = parsePage(signInPage({ service: SERVICE, continueTo: '/' }));
    expect($('[aria-invalid], [aria-describedby], [role="alert"]')).toHaveLength(0);
  });

  it('offers people as buttons that sign in with one click', () => {
    const people = { heading: 'or pick a person', action: '/test/sign-in', list: [ADA, BEN] };
    const $ = parsePage(signInPage({ service: SERVICE, continueTo: CONTINUE_TO, people }));
    expect(textOf($, 'h2')).toBe('or pick a person');
    expect(formOf($, '/test/sign-in')).toEqual({
      method: 'post',
      hidden: [['continue', CONTINUE_TO]],
      buttons: [
        ['email', 'ada@example.com'],
        ['email', 'ben@example.com'],
      ],
    });
    expect(textOf($, 'button[value="ben@example.com"] .person-note')).toBe('No membership');
  });

  it('shows the people of a group below its heading, after those without one', () => {
    const list = [ADA, { ...BEN, group: 'Another shop' }];
    const people = { heading: 'or pick a person', action: '/test/sign-in', list };
    const $ = parsePage(signInPage({ service: SERVICE, continueTo: CONTINUE_TO, people }));
    const emails = (place: string) =>
      $(`form[action="/test/sign-in"] > ${place} button`)
        .toArray()
        .map((button) => $(button).attr('value'));
    expect(emails('.people')).toEqual([ADA.email]);
    expect(emails('details[open]')).toEqual([BEN.email]);
    expect(textOf($, 'summary')).toBe('Another shop (1)');
  });

  it.each([
    [14, 'open'],
    [15, 'closed'],
  ])('shows the groups of %i people %s', (number, state) => {
    const others = Array.from({ length: number - 1 }, (_, index) => ({
      ...{ email: `${index}@example.com`, name: `Person ${index}`, note: '' },
      group: index % 2 === 0 ? 'Even' : 'Odd',
    }));
    const people = { heading: 'or pick a person', action: '/test/sign-in', list: [ADA, ...others] };
    const $ = parsePage(signInPage({ service: SERVICE, continueTo: CONTINUE_TO, people }));
    expect($('details')).toHaveLength(2);
    expect($('details[open]')).toHaveLength(state === 'open' ? 2 : 0);
  });

  it('shows no people, inbox or banner by default', () => {
    const $ = parsePage(signInPage({ service: SERVICE, continueTo: '/' }));
    expect($('.people, main a, .ribbon')).toHaveLength(0);
  });

  it('shows the banner of the site, and opens the inbox in a new tab beside the popup', () => {
    const page = signInPage({
      service: SERVICE,
      continueTo: '/',
      inbox: { name: 'test inbox', href: '/test/inbox' },
    });
    const banner = { label: 'Notice', badge: 'Test', text: 'All data is test data.' };
    const $ = parsePage(page, { ...PLAIN_SITE, banner });
    expect(textOf($, '.ribbon')).toContain('All data is test data.');
    expect($('a[href="/test/inbox"]').attr()).toMatchObject({ target: '_blank', rel: 'noopener' });
  });
});

describe('code page', () => {
  const page = (more: object = {}) =>
    parsePage(
      signInCodePage({
        service: SERVICE,
        reference: 'KLMN',
        email: 'ada@example.com',
        continueTo: CONTINUE_TO,
        ...more,
      }),
    );

  it('sends six digits and the target to /sign-in/verify', () => {
    const $ = page();
    expect(formOf($, '/sign-in/verify').hidden).toEqual([['continue', CONTINUE_TO]]);
    expect($('#code').attr()).toMatchObject({
      name: 'code',
      inputmode: 'numeric',
      autocomplete: 'one-time-code',
      pattern: '[0-9]{3}\\s?[0-9]{3}',
    });
  });

  it('requests another code with the same email address and target', () => {
    const $ = page();
    expect(formOf($, '/sign-in/code').hidden).toEqual([
      ['email', 'ada@example.com'],
      ['continue', CONTINUE_TO],
    ]);
  });

  it('lets the user change the email address and keeps the target', () => {
    const $ = page();
    expect($('main a').attr('href')).toBe(`/sign-in?continue=${encodeURIComponent(CONTINUE_TO)}&choose=1`);
  });

  it.each([
    [2, 'That code is wrong. 2 tries left.'],
    [1, 'That code is wrong. One try left.'],
    [undefined, 'That code is wrong.'],
  ])('shows %s remaining tries next to the error', (triesLeft, text) => {
    const $ = page({ error: 'That code is wrong.', triesLeft });
    expect(textOf($, '#code-error')).toBe(text);
    expect($('#code').attr()).toMatchObject({ 'aria-invalid': 'true', 'aria-describedby': 'code-error' });
    expect(textOf($, 'title')).toContain('did not work');
  });
});
