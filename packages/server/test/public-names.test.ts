import { randomUUID } from 'node:crypto';
import { sandboxScenario } from '@latchkey/sandbox';
import { describe, expect } from 'vitest';
import { COMMUNITY, errorsIn, type Seller, sellerOf } from './seller-area.js';
import { it, startService } from './service-under-test.js';

const IMITATION = 'Lаtсhkеу account verification';

const price = { price: '4.90', currency: 'USD' };
const plan = { ...price, periodDays: '', provider: 'card', description: '', benefits: '' };
const product = { ...price, slug: 'a-product', type: 'other', description: '' };
const app = { type: 'public', redirectUris: 'https://x.example/cb', scopes: 'memberships.read' };

/** Every form of a name that strangers see: its path, its other fields, and the field of the name. */
const FORMS: readonly (readonly [string, string, Record<string, string>, string?])[] = [
  ['community', '/seller/communities', {}],
  ['community’s new name', `${COMMUNITY}/name`, {}],
  ['product', '/seller/products', product],
  ['product’s slug', '/seller/products', { ...product, name: 'A product' }, 'slug'],
  ['plan', `${COMMUNITY}/plans`, plan],
  ['plan’s benefit', `${COMMUNITY}/plans`, { ...plan, name: 'Yearly' }, 'benefits'],
  ['drop', `${COMMUNITY}/drops`, { slots: '', startsAt: '', endsAt: '' }],
  ['app', '/developer/clients', app],
  ['person', '/account/profile', {}],
];

const send = (seller: Seller, path: string, fields: Record<string, string>) =>
  seller.post(path, { submission: randomUUID(), ...fields });

describe('name that strangers see', () => {
  it.for(FORMS)(
    'of a %s cannot imitate the service',
    async ([, path, fields, field = 'name'], { service }) => {
      const dana = await sellerOf(service);
      const imitation = field === 'slug' ? 'latch-key-verification' : IMITATION;
      const form = { submission: randomUUID(), ...fields, [field]: imitation };
      const $ = await dana.refused(path, form);
      expect(errorsIn($).join()).toContain('does not contain “Latchkey”, the name of this service.');
      const honest = field === 'slug' ? 'latch-keyboards' : 'Latch Keyboards';
      expect((await send(dana, path, { ...fields, [field]: honest })).status).toBe(303);
    },
  );

  it('is compared with the name that the operator gave the service', async ({ onTestFinished }) => {
    const service = await startService({ brand: { name: 'Hearth Pass' } });
    onTestFinished(() => service.server.close());
    const dana = await sellerOf(service);
    expect((await send(dana, '/seller/communities', { name: 'HearthРass Help' })).status).toBe(400);
    expect((await send(dana, '/seller/communities', { name: 'Latchkey' })).status).toBe(303);
  });

  it('is the operator’s to give, and stays when the seller changes something else', async ({ service }) => {
    const owner = { ownerId: sandboxScenario.users.dana.id };
    const handbook = { ...owner, name: 'Latchkey handbook', slug: 'handbook', type: 'ebook' } as const;
    const { id } = await service.server.operator.createProduct(handbook);
    const dana = await sellerOf(service);
    const path = `/seller/products/${id}`;
    const fields = { ...product, name: 'Latchkey handbook', price: '5.00' };
    expect((await dana.post(path, fields)).status).toBe(303);
    await dana.refused(path, { ...fields, name: 'Latchkey handbook 2' });
  });
});
