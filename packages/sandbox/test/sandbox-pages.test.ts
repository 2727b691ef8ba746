import { describe, expect, it } from 'vitest';
import { homePage } from '../src/home/home-page.js';
import { mailPage } from '../src/mailbox/mail-page.js';
import { mailboxPage } from '../src/mailbox/mailbox-page.js';
import { formOf, parsePage, textOf } from './page-document.js';
import { AFTERNOON, homeStateWith } from './page-fixtures.js';

describe('home page of the sandbox', () => {
  const $ = parsePage(
    homePage({
      ...homeStateWith('Plain'),
      people: [{ email: 'ada@example.com', name: 'Ada Member', note: 'Community for life' }],
      shops: [{ label: 'Script-tag shop', url: 'http://localhost:4401' }],
      forSale: [{ label: 'The Brew Guide', url: '/products/x' }],
    }),
  );

  it('shows the service’s time in UTC', () => {
    expect(textOf($, '#clock-time')).toBe('12 Jun 2026, 14:05 UTC');
    expect($('#clock-time time').attr('datetime')).toBe('2026-06-12T14:05:00.000Z');
  });

  it('moves the clock to what is ahead, or by a step', () => {
    expect(formOf($, '/sandbox/clock').buttons).toEqual([
      ['preset', 'next-membership-end'],
      ['preset', 'next-renewal'],
      ...['1m', '1h', '1d', '31d'].map((step) => ['advance', step]),
    ]);
    expect($('button[value="next-membership-end"]').attr('disabled')).toBeUndefined();
    expect($('button[value="next-renewal"]').attr('disabled')).toBeDefined();
    expect(textOf($, '.presets')).toContain('No subscription renews.');
  });

  it('has a button for each person that signs in as that person, except for the current one', () => {
    expect(formOf($, '/sandbox/sign-in')).toMatchObject({
      method: 'post',
      hidden: [
        ['email', 'ada@example.com'],
        ['continue', '/sandbox'],
      ],
    });
    const people = [{ email: 'ada@example.com', name: 'Ada Member', note: 'Community for life' }];
    const signedIn = parsePage(
      homePage({
        ...homeStateWith('Plain'),
        people,
        signedInAs: 'ada@example.com',
        shops: [],
        forSale: [],
      }),
    );
    expect(signedIn('form[action="/sandbox/sign-in"]')).toHaveLength(0);
    expect(textOf(signedIn, '.row-title')).toContain('signed in');
  });

  it('shows the people of a group below its heading, and links to the search of all users', () => {
    const people = [
      { email: 'ada@example.com', name: 'Ada Member', note: 'Community for life' },
      { email: 'mia@example.com', name: 'Mia Minutes', note: 'Ends soon', group: 'Memberships that end' },
    ];
    const lists = { shops: [], forSale: [] };
    const grouped = parsePage(homePage({ ...homeStateWith('Plain'), ...lists, people }));
    expect(textOf(grouped, '#people summary')).toBe('Memberships that end (1)');
    expect(textOf(grouped, '#people details')).toContain('Mia Minutes');
    expect(textOf(grouped, '#people details')).not.toContain('Ada Member');
    expect(textOf(grouped, '#people a[href="/sandbox/data?kind=users"]')).toBe('Search all users');
  });

  it('links to the pages that sell something', () => {
    expect(textOf($, 'a[href="/products/x"]')).toContain('The Brew Guide');
  });

  it('links to the shops, the mailbox and the areas of signed-in users', () => {
    const links = $('a')
      .toArray()
      .map((element) => $(element).attr('href'));
    expect(links).toEqual(
      expect.arrayContaining([
        'http://localhost:4401',
        '/sandbox/mailbox',
        '/account',
        '/developer',
        '/seller',
      ]),
    );
  });

  it('lists people with their addresses', () => {
    expect(textOf($, '#people')).toContain('ada@example.com');
  });
});

describe('mailbox', () => {
  const message = {
    id: 'm/1',
    to: 'ada@example.com',
    senderName: 'Ember & Oak via Latchkey',
    subject: 'Your code',
    receivedAt: AFTERNOON,
  };

  it('lists messages with their code and a link to each', () => {
    const $ = parsePage(mailboxPage({ appCodes: [], messages: [{ ...message, code: '482913' }] }));
    expect($('tbody th a').attr('href')).toBe('/sandbox/mailbox/m%2F1');
    expect(textOf($, 'tbody .muted')).toBe('Ember & Oak via Latchkey to ada@example.com');
    expect(textOf($, '.mail-code .copy-value')).toBe('482913');
    expect(textOf($, '.mail-code button[data-copy]')).toBe('Copy code 482913');
  });

  it('links from the mail of one person to all mail', () => {
    const $ = parsePage(mailboxPage({ appCodes: [], messages: [], to: 'ada@example.com' }));
    expect(textOf($, 'main .lead')).toContain('To ada@example.com');
    expect($('main a').attr('href')).toBe('/sandbox/mailbox');
    expect(textOf($, '.empty-state')).toContain('No mail yet');
  });

  it('shows a message with its line breaks', () => {
    const $ = parsePage(mailPage({ message: { ...message, text: 'Hello Ada,\n\nyour code is 482913.' } }));
    expect($('.mail-text').text()).toBe('Hello Ada,\n\nyour code is 482913.');
    expect($('iframe')).toHaveLength(0);
  });

  it('shows HTML in a frame that runs no scripts, in light or in dark, and its plain text', () => {
    const html = { ...message, text: 'Hello', html: '<p>Hello</p>' };
    const pageOf = (view?: 'dark' | 'text') => parsePage(mailPage({ message: html, view }));
    expect(pageOf()('iframe').attr('src')).toBe('/sandbox/mailbox/m%2F1/html?scheme=light');
    expect(pageOf()('iframe').attr('sandbox')).toBe(
      'allow-same-origin allow-popups allow-popups-to-escape-sandbox',
    );
    expect(pageOf('dark')('iframe').attr('src')).toBe('/sandbox/mailbox/m%2F1/html?scheme=dark');
    expect(textOf(pageOf('dark'), '[aria-current="page"]:last')).toBe('Dark');
    expect(pageOf('text')('iframe')).toHaveLength(0);
    expect(textOf(pageOf('text'), '.mail-text')).toBe('Hello');
  });
});
