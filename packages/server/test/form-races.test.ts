import { sandboxScenario } from '@latchkey/sandbox';
import { expect } from 'vitest';
import { hiddenFields } from './area-forms.js';
import { signedIn } from './authorization-flow.js';
import { COMMUNITY, sellerOf } from './seller-area.js';
import { itWithDatabase as it } from './service-with-database.js';

const { community } = sandboxScenario;

/** Sends a form several times at the same moment. Returns the statuses of the answers, sorted. */
async function statuses(times: number, send: () => Promise<Response>): Promise<number[]> {
  const answers = await Promise.all(Array.from({ length: times }, send));
  return answers.map(({ status }) => status).sort();
}

it('an invitation of one address is stored once', async ({ service, db }) => {
  const dana = await sellerOf(service);
  const fields = { email: 'grace@example.com', validFrom: '', validUntil: '' };
  const found = await statuses(20, () => dana.post(`${COMMUNITY}/members`, fields));
  expect(found).toEqual([303, ...Array.from({ length: 19 }, () => 400)]);
  expect(await db.selectFrom('invitations').selectAll().execute()).toHaveLength(1);
});

it('a product is created once for a slug', async ({ service }) => {
  const dana = await sellerOf(service);
  const fields = { name: 'Latte Art', slug: 'latte-art', type: 'video', price: '12.50', currency: 'EUR' };
  expect(await statuses(3, () => dana.post('/seller/products', fields))).toEqual([303, 400, 400]);
});

it('an API key is created once for a form', async ({ service, db }) => {
  const dana = await signedIn(service, 'dana@example.com');
  const path = '/developer/api-keys';
  const hidden = await hiddenFields(dana, `${path}/new`, path);
  const fields = { ...hidden, name: 'Twice', permissions: 'MEMBERSHIP_READ' };
  expect(await statuses(3, () => dana.post(path, fields))).toEqual([200, 303, 303]);
  expect(await db.selectFrom('api_keys').select('id').where('name', '=', 'Twice').execute()).toHaveLength(1);
});

it('a webhook is created once for a form', async ({ service, db }) => {
  const dana = await signedIn(service, 'dana@example.com');
  const path = '/developer/webhooks';
  const hidden = await hiddenFields(dana, `${path}/new`, path);
  const url = 'https://shop.example/hooks';
  const fields = { ...hidden, subject: `community:${community.id}`, url };
  expect(await statuses(3, () => dana.post(path, fields))).toEqual([200, 303, 303]);
  expect(await db.selectFrom('webhooks').select('id').where('url', '=', url).execute()).toHaveLength(1);
});
