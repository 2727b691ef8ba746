// Compiled, never run: what the types promise, and what they refuse.
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

// Without the router nothing is there; with it, signedIn tells whether a user is.
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

// Behind a gate, in signedIn, there is a user; and a gate takes no route its parameters.
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

// @ts-expect-error: an asynchronous rule would let everybody in.
auth.requireMembership(async () => true);
// @ts-expect-error: a misspelt criterion.
auth.requireMembership({ productTypes: 'community' });
// @ts-expect-error: any and criteria do not mix.
auth.requireMembership({ any: [{ productType: 'community' }], membershipId: 1 });
// @ts-expect-error: there is no such scope.
auth.requireScope('products.write');
// @ts-expect-error: a sign-in gate has no offer.
auth.requireSignIn({ upgradeUrl: '/join' });
// @ts-expect-error: the return from checkout offers nobody a plan.
auth.awaitMembership({ productType: 'community' }, { upgradeUrl: '/join' });
// @ts-expect-error: clientId is missing.
latchkey({ serviceUrl: '', appUrl: '', cookieSecret: '' });
// @ts-expect-error: an access token is never a property.
export const token = auth.visitor({} as express.Request).accessToken.length.toFixed().token;

// What is checked is what is typed: an option that only one of the two knows would be refused, or never be read.
expectTypeOf<keyof LatchkeyOptions>().toEqualTypeOf<keyof z.input<typeof optionsSchema>>();
type SessionOptions = NonNullable<LatchkeyOptions['session']>;
type CheckedSession = NonNullable<z.input<typeof optionsSchema>['session']>;
expectTypeOf<keyof SessionOptions>().toEqualTypeOf<keyof CheckedSession>();
type CheckedPages = NonNullable<z.input<typeof optionsSchema>['pages']>;
expectTypeOf<keyof LatchkeyPages>().toEqualTypeOf<keyof CheckedPages>();
type OptionsOfGates = keyof MembershipGateOptions | keyof AwaitMembershipOptions;
expectTypeOf<(typeof GATE_OPTION_NAMES)[number]>().toEqualTypeOf<OptionsOfGates>();
