import { describe, expect, it } from 'vitest';
import { type ConsentPageProps, consentPage } from '../../src/web/authorize/consent-page.js';
import { formOf, parsePage, textOf } from './page-document.js';
import { AUTHORIZATION_QUERY } from './page-fixtures.js';

const ACCOUNT = '5eed0000-0000-4000-8000-00000000000a';
const HIDDEN = [...Object.entries(AUTHORIZATION_QUERY), ['account', ACCOUNT]];

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
    const $ = page({ query: { ...AUTHORIZATION_QUERY, decision: 'allow', account: 'another' } });
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

  it('signs out for another account, and leads back to the same request', () => {
    const [field] = formOf(page(), '/sign-out').hidden;
    const back = new URL(field?.[1] ?? '', 'http://service.example');
    expect(field?.[0]).toBe('continue');
    expect(back.pathname).toBe('/oauth/authorize');
    expect(Object.fromEntries(back.searchParams)).toEqual(AUTHORIZATION_QUERY);
  });
});

const titles = ($: ReturnType<typeof page>) =>
  $('.grant-title')
    .toArray()
    .map((element) => $(element).text());
