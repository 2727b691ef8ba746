import { sandboxScenario } from '@latchkey/sandbox';
import { describe, expect } from 'vitest';
import { fillIn } from './area-forms.js';
import { authorizePath, publicRequest, signedIn } from './authorization-flow.js';
import { parsePage, textOf } from './pages/page-document.js';
import { COMMUNITY, errorsIn, sellerOf } from './seller-area.js';
import { it, PUBLIC, type ServiceUnderTest } from './service-under-test.js';

const { community, users } = sandboxScenario;
const BRAND = `${COMMUNITY}/brand`;
const EDIT = `/developer/clients/${PUBLIC}`;
const LOGO = 'https://shop.example/logo.png';
const SCRIPTED_LOGO = `data:image/svg+xml,${encodeURIComponent('<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"><script>alert(1)</script></svg>')}`;

const signInPageFor = async (service: ServiceUnderTest) => {
  const path = `/sign-in?${new URLSearchParams({ continue: authorizePath(publicRequest(service)) })}`;
  const response = await service.request(path);
  return { response, $: parsePage(await response.text()) };
};

describe('brand of a community', () => {
  it('is saved, shown again, and removed', async ({ service }) => {
    const dana = await sellerOf(service);
    const saved = await dana.submit(BRAND, { logoUrl: LOGO, accentChoice: 'own', accent: '#7A1FA2' });
    expect(textOf(saved, '[role="status"]')).toContain('Brand saved');
    expect(saved('#logoUrl').attr('value')).toBe(LOGO);
    expect(saved('.logo-field img').attr('src')).toBe(LOGO);
    expect(saved('#accentChoice-own').attr('checked')).toBeDefined();
    expect(saved('#accent').attr()).toMatchObject({ type: 'color', value: '#7a1fa2' });
    expect(saved('.accent-preview').attr('src')).toBe('/assets/accent.7a1fa2.svg');

    const removed = await dana.submit(BRAND, { logoUrl: ' ', accentChoice: 'standard', accent: '#7a1fa2' });
    expect(removed('#logoUrl').attr('value')).toBe('');
    expect(removed('#accentChoice-standard').attr('checked')).toBeDefined();
    expect(removed('.accent-preview')).toHaveLength(0);
  });

  it('has a preview that saves nothing', async ({ service }) => {
    const dana = await sellerOf(service);
    const before = (await dana.page(BRAND))('#accent').attr('value');
    const response = await dana.post(BRAND, {
      logoUrl: LOGO,
      accentChoice: 'own',
      accent: '#00ff00',
      preview: 'on',
    });
    expect(response.status).toBe(200);
    const $ = parsePage(await response.text());
    expect(textOf($, '[role="status"]')).toContain('Nothing is saved');
    expect($('.accent-preview').attr('src')).toBe('/assets/accent.00ff00.svg');
    expect((await dana.page(BRAND))('#accent').attr('value')).toBe(before);
  });

  it('shows its errors at the fields and keeps the typed values', async ({ service }) => {
    const dana = await sellerOf(service);
    const $ = await dana.refused(BRAND, {
      logoUrl: 'javascript:alert(1)',
      accentChoice: 'own',
      accent: 'red',
    });
    expect(errorsIn($)).toEqual([
      '#logoUrl Enter an https: or data:image/ address.',
      '#accent Enter a colour as # and six hex digits, such as #b4541a.',
    ]);
    expect($('#logoUrl').attr('value')).toBe('javascript:alert(1)');
    expect($('img')).toHaveLength(0);
  });

  it('belongs to the administrators of the community', async ({ service }) => {
    const finn = await sellerOf(service, 'finn@example.com');
    const fields = { logoUrl: LOGO, accentChoice: 'own', accent: '#ff0000' };
    expect((await finn.get(BRAND)).status).toBe(404);
    expect((await finn.post(BRAND, fields)).status).toBe(404);
    const dana = await sellerOf(service);
    // The form was rendered for another account.
    expect((await dana.post(BRAND, { ...fields, account: users.finn.id })).status).toBe(409);
    expect((await dana.page(BRAND))('#logoUrl').attr('value')).not.toBe(LOGO);
    expect((await dana.page(`/communities/${community.id}`))('body').html()).not.toContain(LOGO);
  });
});

describe('brand of an app', () => {
  const save = async (service: ServiceUnderTest, fields: Record<string, string>) => {
    const dana = await signedIn(service, 'dana@example.com');
    const form = { name: 'Ember & Oak', scopes: 'memberships.read', hostedCallback: 'on', ...fields };
    return await fillIn(dana, { path: `${EDIT}/edit`, action: EDIT }, form);
  };

  it('appears on its sign-in page', async ({ service }) => {
    const fields = { logoUrl: LOGO, accentChoice: 'own', accent: '#7A1FA2' };
    expect((await save(service, fields)).status).toBe(303);
    const { $ } = await signInPageFor(service);
    expect($('.heading img').attr('src')).toBe(LOGO);
    expect($('link[rel="stylesheet"]').last().attr('href')).toBe('/assets/accent.7a1fa2.css');
  });

  it('has a preview that saves nothing and keeps the verification', async ({ service }) => {
    const response = await save(service, { accentChoice: 'own', accent: '#00ff00', preview: 'on' });
    expect(response.status).toBe(200);
    const $ = parsePage(await response.text());
    expect($('.accent-preview').attr('src')).toBe('/assets/accent.00ff00.svg');
    const { $: page } = await signInPageFor(service);
    expect(page('link[rel="stylesheet"]').last().attr('href')).not.toContain('00ff00');
  });

  it('must not have the name of the service', async ({ service }) => {
    const response = await save(service, { name: 'Lаtchkey' });
    expect(response.status).toBe(400);
    expect(errorsIn(parsePage(await response.text()))).toEqual([
      '#name Enter a name that does not contain “Latchkey”, the name of this service.',
    ]);
  });

  it('shows an SVG as image only, in which browsers run no script, on a page that allows none', async ({
    service,
  }) => {
    expect((await save(service, { logoUrl: SCRIPTED_LOGO })).status).toBe(303);
    const { response, $ } = await signInPageFor(service);
    expect(response.headers.get('content-security-policy')).toContain("default-src 'none'");
    expect(response.headers.get('content-security-policy')).not.toContain('script-src');
    expect($('script, object, embed, iframe, svg[onload]')).toHaveLength(0);
    expect(
      $('[src*="svg+xml"]')
        .toArray()
        .map(({ tagName }) => tagName),
    ).toEqual(['img']);
  });
});

describe('preview of an accent', () => {
  it('is an SVG without a script', async ({ service }) => {
    const response = await service.request('/assets/accent.ffff00.svg');
    expect(response.headers.get('content-type')).toMatch(/^image\/svg\+xml/);
    expect(response.headers.get('cache-control')).toContain('immutable');
    expect(await response.text()).toMatch(/^<svg (?!.*(?:script|on\w+=|href))/s);
    expect((await service.request('/assets/accent.FFFF00.svg')).status).toBe(404);
  });
});
