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
      redirectHost: 'shop.example:8443',
      query: AUTHORIZATION_QUERY,
      account: ACCOUNT,
      ...more,
    }),
  );

describe('the consent page', () => {
  it('sends the authorization request back unchanged, with the person it asked and either decision', () => {
    expect(formOf(page(), '/oauth/consent')).toEqual({
      method: 'post',
      hidden: HIDDEN,
      buttons: [
        ['decision', 'decline'],
        ['decision', 'allow'],
      ],
    });
  });

  it('leaves out a decision or a person that a link to the page brought along', () => {
    const $ = page({ query: { ...AUTHORIZATION_QUERY, decision: 'allow', account: 'another' } });
    expect(formOf($, '/oauth/consent').hidden).toEqual(HIDDEN);
  });

  it('says who asks, who is asked and where the answer goes', () => {
    const $ = page();
    expect(textOf($, 'h1')).toBe('Ember & Oak wants to sign you in');
    expect(textOf($, '.lead')).toBe('Small-batch coffee.');
    expect(textOf($, '.signed-in-as p')).toBe('Signed in as ada@example.com');
    expect(textOf($, '.destination')).toContain('shop.example:8443');
  });

  it('names no host when the answer only closes the window', () => {
    expect(textOf(page({ redirectHost: undefined }), '.destination')).toContain('this window closes');
  });

  it('says each scope in plain words, and only the scopes asked for', () => {
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

  it('always tells that the identity is shared, because userinfo asks no scope [userinfo.no-scope]', () => {
    expect(titles(page({ scopes: [] }))).toEqual(['Know who you are']);
  });

  it('promises no address of a person who has none [userinfo.email-nullable]', () => {
    const $ = page({ user: { email: null }, scopes: [] });
    expect(textOf($, '.grant-text')).toBe('Your account number');
    expect(textOf($, '.signed-in-as p')).toBe('Signed in as a member without an e-mail address');
  });

  it('signs out and comes back into the same request for another account', () => {
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
