// Compiled, never run. Proves what the types accept and reject.
import type { UserIdentity } from '@latchkey/oauth';
import express, { type Request } from 'express';
import { expectTypeOf } from 'vitest';
import type { z } from 'zod';
import type { GATE_OPTION_NAMES } from '../src/gates/gate-options.js';
import {
  type AwaitMembershipOptions,
  type LatchkeyOptions,
  type LatchkeyPages,
  latchkey,
  type MembershipDirectory,
  type MembershipGateOptions,
  memoryDirectory,
  type RequestSession,
  type SiteMembership,
  type ViewSession,
  webhooks,
} from '../src/index.js';
import type { optionsSchema } from '../src/options-schema.js';
import { verifyWebhook } from '../src/webhooks/index.js';

const auth = latchkey({
  serviceUrl: 'https://service.example',
  clientId: 'oac_a1b2c3d4e5f60718293a4b5c',
  appUrl: 'https://shop.example',
  cookieSecret: 'at least 32 random characters, kept secret',
});
const app = express();
app.use(auth.router);

// Without the router req.latchkey is undefined. With it, signedIn narrows the user.
app.get('/', (request, response) => {
  expectTypeOf(request.latchkey).toEqualTypeOf<RequestSession | undefined>();
  expectTypeOf(request.latchkey?.user).toEqualTypeOf<UserIdentity | undefined>();
  const visitor = auth.visitor(request);
  if (visitor.signedIn) expectTypeOf(visitor.user).toEqualTypeOf<UserIdentity>();
  else expectTypeOf(visitor.user).toEqualTypeOf<undefined>();
  expectTypeOf(visitor.memberships()).resolves.toEqualTypeOf<readonly SiteMembership[]>();
  expectTypeOf(visitor.has({ communityId: 'c' })).resolves.toEqualTypeOf<boolean>();
  expectTypeOf(response.locals.latchkey).toEqualTypeOf<ViewSession | undefined>();
});

// In signedIn the user is defined. A gate does not change the types of a route's parameters.
app.get(
  '/notes/:name',
  auth.requireSignIn(),
  auth.requireMembership({ communityId: 'c', productType: 'community' }),
  auth.requireScope(['products.read']),
  auth.awaitMembership({ membershipId: 'x' }),
  auth.locals(),
  (request, _response, next) => {
    expectTypeOf(request.params.name).toEqualTypeOf<string>();
    next();
  },
);
app.get(
  '/mine/:name',
  auth.requireSignIn(),
  auth.signedIn((request, response) => {
    expectTypeOf(request.latchkey.user).toEqualTypeOf<UserIdentity>();
    expectTypeOf(request.latchkey.scopes).toEqualTypeOf<readonly string[]>();
    expectTypeOf(request.latchkey.signedIn).toEqualTypeOf<true>();
    expectTypeOf(request.params).toEqualTypeOf<Request['params']>();
    expectTypeOf(request.query).toEqualTypeOf<Request['query']>();
    expectTypeOf(request.body).toBeAny();
    response.send('in');
  }),
);
app.use(auth.requireSignIn());
app.use(
  '/area',
  auth.requireMembership((memberships) => memberships.length > 1),
);

// @ts-expect-error: an async rule would always be truthy.
auth.requireMembership(async () => true);
// @ts-expect-error: misspelt criterion.
auth.requireMembership({ communityIds: 'c' });
// @ts-expect-error: any cannot be combined with criteria.
auth.requireMembership({ any: [{ communityId: 'c' }], membershipId: 1 });
// A product type alone would admit the members of any seller.
auth.requireMembership({ productType: 'agency', from: 'any-seller' });
auth.requireMembership({ all: [{ productId: ['a', 'b'] }, { membershipId: 'm', from: 'any-seller' }] });
auth.requireMembership((memberships) =>
  memberships.some(({ isKnown, pricingPlanId }) => isKnown && pricingPlanId !== null),
);
// @ts-expect-error: a product type alone.
auth.requireMembership({ productType: 'community' });
// @ts-expect-error: a product type alone in a group.
auth.requireMembership({ any: [{ productType: 'community' }] });
// @ts-expect-error: no criterion.
auth.requireMembership({});
// @ts-expect-error: no criterion from any seller.
auth.requireMembership({ from: 'any-seller' });
// @ts-expect-error: the memberships of other sellers have no community.
auth.requireMembership({ communityId: 'c', from: 'any-seller' });
// @ts-expect-error: a missing setting.
auth.requireMembership({ communityId: process.env.COMMUNITY_ID });

// With the option, the directory is defined.
const { directory } = latchkey({
  serviceUrl: 'https://service.example',
  clientId: 'oac_a1b2c3d4e5f60718293a4b5c',
  appUrl: 'https://shop.example',
  cookieSecret: 'at least 32 random characters, kept secret',
  directory: memoryDirectory(),
});
expectTypeOf(directory).toEqualTypeOf<MembershipDirectory>();
expectTypeOf(auth.directory).toEqualTypeOf<MembershipDirectory | undefined>();
directory.record({ membershipId: 'm', communityId: 'c', pricingPlanId: null });
// @ts-expect-error: misspelt field.
directory.record({ membershipId: 'm', communityID: 'c' });

// @ts-expect-error: unknown scope.
auth.requireScope('products.write');
// @ts-expect-error: requireSignIn has no upgradeUrl.
auth.requireSignIn({ upgradeUrl: '/join' });
// @ts-expect-error: awaitMembership has no upgradeUrl.
auth.awaitMembership({ communityId: 'c' }, { upgradeUrl: '/join' });
// @ts-expect-error: clientId is missing.
latchkey({ serviceUrl: '', appUrl: '', cookieSecret: '' });
// @ts-expect-error: an access token is never a property.
export const token = auth.visitor({} as express.Request).accessToken.length.toFixed().token;

// The schema and the type must have the same options: one that only the schema or only the type contains is a mistake.
expectTypeOf<keyof LatchkeyOptions>().toEqualTypeOf<keyof z.input<typeof optionsSchema>>();
type SessionOptions = NonNullable<LatchkeyOptions['session']>;
type CheckedSession = NonNullable<z.input<typeof optionsSchema>['session']>;
expectTypeOf<keyof SessionOptions>().toEqualTypeOf<keyof CheckedSession>();
type CheckedPages = NonNullable<z.input<typeof optionsSchema>['pages']>;
expectTypeOf<keyof LatchkeyPages>().toEqualTypeOf<keyof CheckedPages>();
type OptionsOfGates = keyof MembershipGateOptions | keyof AwaitMembershipOptions;
expectTypeOf<(typeof GATE_OPTION_NAMES)[number]>().toEqualTypeOf<OptionsOfGates>();

// Secrets come from the environment: a list of them too, while one is rotated.
const rotated = [process.env.NEW_SECRET, process.env.OLD_SECRET];
auth.webhooks({ communities: { c: rotated, d: process.env.NEW_SECRET }, products: { p: rotated } });
webhooks({ secrets: rotated });
verifyWebhook('{}', {}, rotated);
