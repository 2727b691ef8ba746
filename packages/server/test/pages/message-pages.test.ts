import { describe, expect, it } from 'vitest';
import { signedOutPage } from '../../src/features/sign-in/sign-in.routes.js';
import { widgetCallbackPage } from '../../src/features/widget/widget.routes.js';
import { messagePage } from '../../src/web/kit/frame/message-page.js';
import { parsePage, textOf } from './page-document.js';
import { PUBLIC_CLIENT_ID } from './page-fixtures.js';

describe('message page', () => {
  it('shows the event, the detail, the setting to change and the next step', () => {
    const $ = parsePage(
      messagePage({
        title: 'This site may not sign you in',
        text: 'Go back and try again.',
        detail: 'https://evil.example',
        hint: 'Add the origin to the client.',
        action: { href: '/account', label: 'Your account' },
      }),
    );
    expect(textOf($, 'h1')).toBe('This site may not sign you in');
    expect(textOf($, '.lead')).toBe('Go back and try again.');
    expect(textOf($, '.detail')).toBe('https://evil.example');
    expect(textOf($, '.hint')).toBe('Add the origin to the client.');
    expect($('a[href="/account"]').text()).toBe('Your account');
  });

  it('omits missing parts', () => {
    const $ = parsePage(messagePage({ title: 'Not found', text: 'There is no such page.' }));
    expect($('.detail, .hint, main a')).toHaveLength(0);
  });
});

describe('signed-out page', () => {
  it('has a link to sign in again', () => {
    expect(parsePage(signedOutPage())('main a').attr('href')).toBe('/sign-in');
  });
});

describe('callback page of the widget', () => {
  const $ = parsePage(
    widgetCallbackPage({
      clientId: PUBLIC_CLIENT_ID,
      baseUrl: 'http://127.0.0.1:4400',
      clientName: 'Ember & Oak',
    }),
  );

  it('contains the elements for its script', () => {
    expect($('main').attr()).toMatchObject({
      id: 'callback',
      'data-client-id': PUBLIC_CLIENT_ID,
      'data-base-url': 'http://127.0.0.1:4400',
    });
    expect($('h1').attr('id')).toBe('callback-title');
    expect($('#callback-text').attr('role')).toBe('status');
    expect(textOf($, '#callback-text')).toBe('Finishing sign-in…');
    expect($('#callback-close').attr('type')).toBe('button');
    expect(textOf($, '#callback-close')).toBe('Close this window');
    for (const id of ['callback-detail', 'callback-hint', 'callback-close']) {
      expect($(`#callback #${id}`).attr('hidden')).toBeDefined();
    }
  });

  it('loads its script after the document', () => {
    expect($('script').attr()).toMatchObject({ src: '/widget/callback.js', defer: '' });
  });

  it('shows an explanation without scripts', () => {
    expect($('noscript').text()).toContain('needs JavaScript');
  });
});
