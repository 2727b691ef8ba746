// Compiled, never run. Proves what the types accept and reject.
import type { Membership, UserIdentity } from '@latchkey/oauth';
import express from 'express';
import { expectTypeOf } from 'vitest';
import type { z } from 'zod';
import type { GATE_OPTION_NAMES } from '../src/gates/gate-options.js';
import {
  type AwaitMembershipOptions,
  type LatchkeyOptions,
  type LatchkeyPages,
  latchkey,
  type MembershipGateOptions,
  type RequestSession,
  type ViewSession,
} from '../src/index.js';
import type { optionsSchema } from '../src/options-schema.js';

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
  expectTypeOf(visitor.memberships()).resolves.toEqualTypeOf<readonly Membership[]>();
  expectTypeOf(visitor.has({ productType: 'community' })).resolves.toEqualTypeOf<boolean>();
  expectTypeOf(response.locals.latchkey).toEqualTypeOf<ViewSession | undefined>();
});

// In signedIn the user is defined. A gate does not change the types of a route's parameters.
app.get(
  '/notes/:name',
  auth.requireSignIn(),
  auth.requireMembership({ productType: 'community' }),
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
auth.requireMembership({ productTypes: 'community' });
// @ts-expect-error: any cannot be combined with criteria.
auth.requireMembership({ any: [{ productType: 'community' }], membershipId: 1 });
// @ts-expect-error: unknown scope.
auth.requireScope('products.write');
// @ts-expect-error: requireSignIn has no upgradeUrl.
auth.requireSignIn({ upgradeUrl: '/join' });
// @ts-expect-error: awaitMembership has no upgradeUrl.
auth.awaitMembership({ productType: 'community' }, { upgradeUrl: '/join' });
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
