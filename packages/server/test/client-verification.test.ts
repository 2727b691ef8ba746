import { sandboxScenario } from '@latchkey/sandbox';
import { describe, expect } from 'vitest';
import { confidentialRequest, consentPath, publicRequest, signedIn } from './authorization-flow.js';
import { parsePage, textOf } from './pages/page-document.js';
import { it, type ServiceUnderTest, SHOP } from './service-under-test.js';

const { publicClient, users } = sandboxScenario;

const widgetState = Buffer.from(JSON.stringify({ n: 'nonce', o: SHOP })).toString('base64url');

async function consentPageOf(service: ServiceUnderTest, query: Record<string, string>) {
  const browser = await signedIn(service);
  return parsePage(await (await browser.get(consentPath(query))).text());
}

/** Registers a client that looks like the shop's and returns an authorization request of it. */
async function registerCopy(service: ServiceUnderTest): Promise<Record<string, string>> {
  const { clientId } = await service.server.operator.registerClient({
    type: 'public',
    name: publicClient.name,
    description: 'Small-batch coffee, roasted on Tuesdays. Members sit at the Roaster’s Table.',
    scopes: ['memberships.read'],
    redirectUris: ['https://evil.example/collect'],
    widgetOrigins: [],
    ownerId: users.ben.id,
  });
  return publicRequest(service, { client_id: clientId, redirect_uri: 'https://evil.example/collect' });
}

describe('the consent page', () => {
  it('tells a copy of a client from the real one by its origin and the missing verification', async ({
    service,
  }) => {
    const copy = await consentPageOf(service, await registerCopy(service));
    expect(textOf(copy, '.receiver')).toContain('https://evil.example');
    expect(textOf(copy, '.unverified')).toContain('Not verified by Latchkey');

    const real = await consentPageOf(service, publicRequest(service, { state: widgetState }));
    expect(textOf(real, '.receiver')).toContain(SHOP);
    expect(real('.unverified').length).toBe(0);
  });

  it('shows the origin of a redirect URI on a site', async ({ service }) => {
    const page = await consentPageOf(service, confidentialRequest());
    expect(textOf(page, '.receiver')).toContain('http://localhost:4402');
  });

  it('shows that no site receives the answer if the state names no page', async ({ service }) => {
    const page = await consentPageOf(service, publicRequest(service, { state: 'opaque' }));
    expect(textOf(page, '.receiver')).toContain('no site');
  });
});

describe('the verification of a client', () => {
  const isVerified = async (service: ServiceUnderTest) =>
    (await consentPageOf(service, publicRequest(service, { state: widgetState })))('.unverified').length ===
    0;

  it('can be withdrawn and repeated by the operator', async ({ service }) => {
    const { operator } = service.server;
    await operator.change('clients', publicClient.clientId, { verified: false });
    expect(await isVerified(service)).toBe(false);
    await operator.change('clients', publicClient.clientId, { verified: true });
    expect(await isVerified(service)).toBe(true);
  });

  it('needs a client that exists', async ({ service }) => {
    const { operator } = service.server;
    const unknown = `oac_${'0'.repeat(24)}`;
    await expect(operator.change('clients', unknown, { verified: true })).rejects.toMatchObject({
      code: 'not_found',
    });
    await expect(operator.change('clients', unknown, { verified: false })).rejects.toMatchObject({
      code: 'not_found',
    });
  });

  it('ends when the owner changes what users see, and only then', async ({ service }) => {
    const { operator } = service.server;
    const dana = await signedIn(service, users.dana.email);
    const edit = `/developer/clients/${publicClient.clientId}`;
    const { record } = await operator.find('clients', publicClient.clientId);
    const { logoUrl, accent } = record as { logoUrl: string; accent: string };
    const fields = {
      account: users.dana.id,
      name: publicClient.name,
      description: 'Small-batch coffee, roasted on Tuesdays. Members sit at the Roaster’s Table.',
      logoUrl,
      accentChoice: 'own',
      accent,
      scopes: ['memberships.read', 'products.read'],
      redirectUris: '',
      widgetOrigins: `${SHOP}\nhttp://localhost:4402`,
      hostedCallback: 'on',
    };
    const save = async (changes: Record<string, string>) => {
      const { status } = await dana.post(edit, { ...fields, ...changes });
      expect(status).toBe(303);
      return await isVerified(service);
    };
    expect(await save({ widgetOrigins: SHOP })).toBe(true);
    for (const changes of [
      { name: 'Your bank' },
      { logoUrl: 'https://evil.example/logo.svg' },
      { description: 'The official app of your bank.' },
      { accent: '#b8380e' },
      { accentChoice: 'standard' },
    ]) {
      expect(await save({})).toBe(true);
      expect(await save(changes), JSON.stringify(changes)).toBe(false);
      expect(await save({})).toBe(false);
      await operator.change('clients', publicClient.clientId, { verified: true });
    }
  });

  it('stays when the operator changes the client', async ({ service }) => {
    await service.server.operator.change('clients', publicClient.clientId, { name: 'The shop' });
    expect(await isVerified(service)).toBe(true);
  });
});
