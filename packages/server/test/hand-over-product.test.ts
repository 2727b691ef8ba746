import { sandboxScenario } from '@latchkey/sandbox';
import { describe, expect } from 'vitest';
import { eventsOf } from './checkout-world.js';
import { noticeIn, sellerOf } from './seller-area.js';
import { itWithDatabase as it } from './service-with-database.js';

const { users, products } = sandboxScenario;
const { id: productId, slug } = products.brewGuide;
const PRODUCT = `/seller/products/${productId}`;

describe('product that is handed over', () => {
  it('belongs to the new seller, and no longer to the former one', async ({ service }) => {
    const [dana, ada] = [await sellerOf(service), await sellerOf(service, 'ada@example.com')];
    expect((await ada.get(PRODUCT)).status).toBe(404);
    await service.server.operator.change('products', productId, { ownerId: users.ada.id });
    expect((await dana.get(PRODUCT)).status).toBe(404);
    const changes = { name: 'The Tea Guide', slug, type: 'ebook', price: '9.00', currency: 'EUR' };
    expect((await dana.post(PRODUCT, changes)).status).toBe(404);
    expect(noticeIn(await ada.submit(PRODUCT, changes))).toBe('Product saved.');
  });

  it('sends its events to the webhooks of the new seller only', async ({ service, db }) => {
    const { operator } = service.server;
    await operator.change('products', productId, { ownerId: users.ada.id });
    const url = 'https://shop.example/hook';
    const { id: adas } = await operator.createWebhook({ ownerId: users.ada.id, productId, url });
    const before = await db.selectFrom('webhook_deliveries').select('id').execute();
    await operator.grantMembership({ userId: users.ben.id, productType: 'digital_product', productId });
    expect((await eventsOf(db)).map(({ type }) => type)).toEqual(['membership.created']);
    const deliveries = await db
      .selectFrom('webhook_deliveries')
      .select('webhook_id')
      .where('id', 'not in', ['', ...before.map(({ id }) => id)])
      .execute();
    expect(deliveries).toEqual([{ webhook_id: adas }]);
  });

  it('may go to its seller again, which changes nothing', async ({ service, db }) => {
    const product = () => db.selectFrom('products').selectAll().where('id', '=', productId).execute();
    const before = await product();
    await service.server.operator.change('products', productId, { ownerId: users.dana.id });
    expect(await product()).toEqual(before);
  });

  it('needs an existing product, an existing seller and a slug that the seller does not use', async ({
    service,
    db,
  }) => {
    const { operator } = service.server;
    const missing = '5eed0000-0000-4000-8000-0000000000ff';
    await expect(operator.change('products', missing, { ownerId: users.ada.id })).rejects.toMatchObject({
      code: 'not_found',
      message: `There is no product with the id ${missing}.`,
    });
    await expect(operator.change('products', productId, { ownerId: missing })).rejects.toMatchObject({
      code: 'not_found',
      fields: { ownerId: 'There is no user with this id.' },
    });
    await operator.createProduct({ ownerId: users.ada.id, name: 'Guide', slug });
    await expect(operator.change('products', productId, { ownerId: users.ada.id })).rejects.toMatchObject({
      code: 'already_exists',
      message: 'Another product of the new seller has the same slug. Change one of the two slugs first.',
    });
    const owner = db.selectFrom('products').select('owner_id').where('id', '=', productId);
    expect(await owner.execute()).toEqual([{ owner_id: users.dana.id }]);
  });
});
