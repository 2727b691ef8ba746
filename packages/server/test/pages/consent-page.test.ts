import { describe, expect, it } from 'vitest';
import { type ConsentPageProps, consentPage } from '../../src/features/oauth/consent.pages.js';
import { formOf, parsePage, textOf } from './page-document.js';
import { AUTHORIZATION_QUERY } from './page-fixtures.js';

const ACCOUNT = '5eed0000-0000-4000-8000-00000000000a';
const SHOWN = 'hash-of-what-is-shown';
const HIDDEN = [...Object.entries(AUTHORIZATION_QUERY), ['account', ACCOUNT], ['shown', SHOWN]];

const page = (more: Partial<ConsentPageProps> = {}) =>
  parsePage(
    consentPage({
      client: { name: 'Ember & Oak', description: 'Small-batch coffee.' },
      user: { email: 'ada@example.com', name: 'Ada Member' },
      scopes: ['memberships.read', 'products.read'],
      service: { name: 'Latchkey' },
      isVerified: true,
      receiver: 'https://shop.example:8443',
      closesWindow: false,
      query: AUTHORIZATION_QUERY,
      account: ACCOUNT,
      shown: SHOWN,
      ...more,
    }),
  );

describe('consent page', () => {
  it('sends the authorization request back unchanged, with its user and either decision', () => {
    expect(formOf(page(), '/oauth/consent')).toEqual({
      method: 'post',
      hidden: HIDDEN,
      buttons: [
        ['decision', 'decline'],
        ['decision', 'allow'],
      ],
    });
  });

  it('ignores a decision or a user in the query of the link to the page', () => {
    const $ = page({
      query: { ...AUTHORIZATION_QUERY, decision: 'allow', account: 'another', shown: 'other' },
    });
    expect(formOf($, '/oauth/consent').hidden).toEqual(HIDDEN);
  });

  it('shows the client, the user and the redirect target', () => {
    const $ = page();
    expect(textOf($, 'h1')).toBe('Ember & Oak wants to sign you in');
    expect(textOf($, '.lead')).toBe('Small-batch coffee.');
    expect(textOf($, '.signed-in-as p')).toBe('Signed in as ada@example.com');
    expect(textOf($, '.receiver')).toBe('for https://shop.example:8443');
    expect(textOf($, '.destination')).toContain('you continue to the site');
  });

  it('says what has changed since the user allowed the client', () => {
    const allowedAt = Date.UTC(2026, 4, 3);
    expect(page({ last: { allowedAt, changes: [] } })('.changed').length).toBe(0);
    const changes = [{ kind: 'name', was: 'Sudoku' }, { kind: 'receiver' }] as const;
    const $ = page({ last: { allowedAt, changes: [...changes] } });
    expect(textOf($, '.changed h2')).toBe('Changed since you allowed it on 3 May 2026');
    expect(textOf($, '.changed li')).toBe(
      'Its name was Sudoku.Your sign-in goes to a new address, the one above.',
    );
  });

  it('states what happens to the window', () => {
    expect(textOf(page({ closesWindow: true }), '.destination')).toContain('this window closes');
  });

  it('marks a client that the operator has not verified', () => {
    expect(page()('.unverified').length).toBe(0);
    expect(textOf(page({ isVerified: false }), '.unverified')).toContain('Not verified by Latchkey.');
  });

  it('explains each requested scope in plain words, and no other', () => {
    expect(titles(page())).toEqual([
      'Know who you are',
      'See your active memberships',
      'See the products you sell',
    ]);
    expect(titles(page({ scopes: ['products.read'] }))).toEqual([
      'Know who you are',
      'See the products you sell',
    ]);
  });

  it('always states that the identity is shared, because userinfo needs no scope', {
    tags: ['userinfo.no-scope'],
  }, () => {
    expect(titles(page({ scopes: [] }))).toEqual(['Know who you are']);
  });

  it('does not mention an email address if the user has none', { tags: ['userinfo.email-nullable'] }, () => {
    const $ = page({ user: { email: null }, scopes: [] });
    expect(textOf($, '.grant-text')).toBe('Your account ID');
    expect(textOf($, '.signed-in-as p')).toBe('Signed in as a member without an e-mail address');
  });

  it('leads to another account, and from there back to the same request', () => {
    const chooser = new URL(page()('.signed-in-as a').attr('href') ?? '', 'http://service.example');
    expect(chooser.pathname).toBe('/sign-in');
    expect(chooser.searchParams.has('choose')).toBe(true);
    const back = new URL(chooser.searchParams.get('continue') ?? '', 'http://service.example');
    expect(back.pathname).toBe('/oauth/authorize');
    expect(Object.fromEntries(back.searchParams)).toEqual(AUTHORIZATION_QUERY);
  });
});

const titles = ($: ReturnType<typeof page>) =>
  $('.grant-title')
    .toArray()
    .map((element) => $(element).text());
