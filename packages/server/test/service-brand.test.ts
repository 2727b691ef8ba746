import { describe, expect, it } from 'vitest';
import { startServer } from '../src/index.js';
import { consentPath, publicRequest, signedIn } from './authorization-flow.js';
import { parsePage, textOf } from './pages/page-document.js';
import { type ServiceUnderTest, startService } from './service-under-test.js';

const LOGO = 'https://members.example/logo.png';
const BRAND = { name: 'Hearth Pass', logoUrl: LOGO, accent: '#7A1FA2' };

async function branded(onTestFinished: (end: () => Promise<void>) => void): Promise<ServiceUnderTest> {
  const service = await startService({ brand: BRAND });
  onTestFinished(() => service.server.close());
  return service;
}

describe('brand of the service', () => {
  it('names the service on its pages and in its API description', async ({ onTestFinished }) => {
    const service = await branded(onTestFinished);
    const signIn = parsePage(await (await service.request('/sign-in')).text());
    expect(signIn('title').text()).toBe('Sign in · Hearth Pass');
    expect(textOf(signIn, '.brand')).toBe('Hearth Pass');
    expect(signIn('.brand img').attr()).toMatchObject({ src: LOGO, alt: '', referrerpolicy: 'no-referrer' });

    const browser = await signedIn(service);
    const account = parsePage(await (await browser.get('/account')).text());
    expect(textOf(account, '.site-header .brand')).toBe('Hearth Pass');

    const { info } = (await (await service.request('/openapi.json')).json()) as { info: { title: string } };
    expect(info.title).toBe('Hearth Pass membership service');
  });

  it('names who has not verified a client', async ({ onTestFinished }) => {
    const service = await branded(onTestFinished);
    const query = publicRequest(service);
    await service.server.operator.change('clients', query.client_id ?? '', { verified: false });
    const consent = await (await (await signedIn(service)).get(consentPath(query))).text();
    expect(textOf(parsePage(consent), '.unverified')).toContain('Not verified by Hearth Pass.');
    expect(consent).not.toContain('Latchkey');
  });

  it('is Latchkey without a logo by default', async ({ onTestFinished }) => {
    const service = await startService();
    onTestFinished(() => service.server.close());
    const signIn = parsePage(await (await service.request('/sign-in')).text());
    expect(textOf(signIn, '.brand')).toBe('Latchkey');
    expect(signIn('.brand img')).toHaveLength(0);
  });

  it.each([
    [{ name: ' ' }, 'name: Enter a name.'],
    [{ name: 'One\nTwo' }, 'name: Enter a name of visible characters'],
    [{ logoUrl: 'logo.png' }, 'logoUrl: Enter an https: or data:image/ address. Received "logo.png".'],
    [{ logoUrl: 'http://members.example/logo.png' }, 'logoUrl: Use https'],
    [{ accent: 'red' }, 'accent: Enter a colour as # and six hex digits, such as #b4541a. Received "red".'],
  ])('is rejected with the invalid value in the message: %j', async (brand, message) => {
    const starting = startServer({
      database: 'sqlite::memory:',
      mailer: { send: async () => undefined },
      brand,
    });
    await expect(starting).rejects.toThrow(`Option "brand" is invalid.`);
    await expect(starting).rejects.toThrow(message);
  });
});
