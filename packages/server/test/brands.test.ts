import { sandboxScenario } from '@latchkey/sandbox';
import { describe, expect } from 'vitest';
import { communityBrand } from '../src/features/brand/brand.js';
import { findClient, insertClient } from '../src/features/clients/clients.js';
import { changeCommunity, storeBrand } from '../src/features/communities/communities.js';
import { withDatabase } from './emitted-events.js';
import { START } from './service-under-test.js';
import { itWithDatabase } from './service-with-database.js';

const { community, users } = sandboxScenario;
const LOGO = 'data:image/svg+xml,%3Csvg xmlns=%22http://www.w3.org/2000/svg%22/%3E';

describe('brand', () => {
  withDatabase('of a community has no logo and no accent until they are set', async ({ db }) => {
    expect(await communityBrand(db, community.id)).toEqual({
      name: community.name,
      logoUrl: null,
      accent: null,
    });
    await storeBrand(db, community.id, { logoUrl: LOGO, accent: '#b4541a' });
    expect(await communityBrand(db, community.id)).toEqual({
      name: community.name,
      logoUrl: LOGO,
      accent: '#b4541a',
    });
  });

  withDatabase('of a client is read with its settings', async ({ db }) => {
    const clientId = `oac_${'1'.repeat(24)}`;
    const settings = { description: null, redirectUris: [], widgetOrigins: [], scopes: [] };
    const brand = { name: 'Ember & Oak', logoUrl: LOGO, accent: '#b4541a' };
    const identity = { clientId, ownerId: users.dana.id, type: 'public' as const };
    await insertClient(db, { ...identity, ...settings, ...brand, secretHash: null, verifiedAt: null }, START);
    expect(await findClient(db, clientId)).toMatchObject(brand);
  });

  withDatabase('is undefined for an unknown community', async ({ db }) => {
    expect(await communityBrand(db, users.ada.id)).toBeUndefined();
  });

  itWithDatabase(
    'of a community is set and removed by the operator, each part alone',
    async ({ service, db }) => {
      const { operator } = service.server;
      const brandNow = async () => {
        const { logoUrl, accent } = (await communityBrand(db, community.id)) ?? {};
        return { logoUrl, accent };
      };
      await operator.change('communities', community.id, { logoUrl: null });
      await operator.change('communities', community.id, { accent: '#B4541A' });
      expect(await brandNow()).toEqual({ logoUrl: null, accent: '#b4541a' });
      await operator.change('communities', community.id, { logoUrl: LOGO });
      expect(await brandNow()).toEqual({ logoUrl: LOGO, accent: '#b4541a' });
      await operator.change('communities', community.id, { accent: null });
      expect(await brandNow()).toEqual({ logoUrl: LOGO, accent: null });
      for (const brand of [{ accent: 'red' }, { logoUrl: 'http://shop.example/logo.png' }]) {
        await expect(operator.change('communities', community.id, brand)).rejects.toMatchObject({
          code: 'invalid_input',
        });
      }
      await expect(operator.change('communities', users.ada.id, {})).rejects.toMatchObject({
        code: 'not_found',
      });
      expect(await brandNow()).toEqual({ logoUrl: LOGO, accent: null });
    },
  );

  withDatabase('of a community is set by its administrators only', async ({ db }) => {
    const brand = { logoUrl: LOGO, accent: '#b4541a' };
    const as = (userId: string) => ({ communityId: community.id, userId });
    await expect(changeCommunity(db, as(users.finn.id), brand)).rejects.toMatchObject({ status: 404 });
    expect(await communityBrand(db, community.id)).toMatchObject({ logoUrl: null, accent: null });
    await changeCommunity(db, as(users.dana.id), brand);
    expect(await communityBrand(db, community.id)).toMatchObject(brand);
  });
});
