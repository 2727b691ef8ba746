// The build of the tests checks these types: a wrong one is an error of the compiler.
import type { LatchkeyApiErrorCode } from '@latchkey/client';
import {
  type Buyer,
  type CheckoutSession,
  type DropSignup,
  type InviteLink,
  isClientOptionsError,
  isLatchkeyApiError,
  type LatchkeyApiError,
  LatchkeyClient,
  type MessengerCheck,
  type ProvisionedMembership,
} from '@latchkey/client';
import { describe, expectTypeOf, it } from 'vitest';

declare const client: LatchkeyClient;
declare const error: unknown;
const order = { communityId: 'c', externalOrderId: 'o' };
const purchase = { pricingPlanId: 'p', communityId: 'c', externalId: 'x', successUrl: 's', cancelUrl: 'c' };

describe('the calls', () => {
  it('resolve with the results of the service', () => {
    expectTypeOf(client.provisionExternal).returns.resolves.toEqualTypeOf<ProvisionedMembership>();
    expectTypeOf(client.checkMessenger).returns.resolves.toEqualTypeOf<MessengerCheck>();
    expectTypeOf(client.buyPlan).returns.resolves.toEqualTypeOf<CheckoutSession>();
    expectTypeOf(client.dropSignup).returns.resolves.toEqualTypeOf<DropSignup>();
    expectTypeOf(client.inviteLink).returns.resolves.toEqualTypeOf<InviteLink>();
  });

  it('always have the fields without which a call fails', () => {
    expectTypeOf<ProvisionedMembership['membershipId']>().toBeString();
    expectTypeOf<MessengerCheck>().toEqualTypeOf<{ isActive: boolean; membershipId: string | null }>();
    expectTypeOf<CheckoutSession['checkoutUrl']>().toBeString();
    expectTypeOf<InviteLink['link']>().toBeString();
    expectTypeOf<DropSignup['signedUp']>().toBeBoolean();
  });

  it('can lack all other fields, and have open sets of values', () => {
    expectTypeOf<ProvisionedMembership['userId']>().toEqualTypeOf<string | undefined>();
    expectTypeOf<ProvisionedMembership['validUntil']>().toEqualTypeOf<string | null | undefined>();
    expectTypeOf<InviteLink['expiresAt']>().toEqualTypeOf<string | undefined>();
    expectTypeOf<DropSignup['hasExistingAccount']>().toEqualTypeOf<boolean | undefined>();
    expectTypeOf<NonNullable<DropSignup['dropSlotInfo']>['slots']>().toEqualTypeOf<
      number | null | undefined
    >();
    expectTypeOf<'merged'>().toExtend<ProvisionedMembership['status']>();
    expectTypeOf<number>().not.toExtend<ProvisionedMembership['status']>();
  });

  it('require an identifier of the buyer', () => {
    expectTypeOf<{ email: string }>().toExtend<Buyer>();
    expectTypeOf<{ messengerUserId: number }>().toExtend<Buyer>();
    expectTypeOf<{ email: string; messengerUserId: number }>().toExtend<Buyer>();
    expectTypeOf<{ email: undefined; messengerUserId: undefined }>().not.toExtend<Buyer>();
    // @ts-expect-error: the buyer is missing.
    void client.provisionExternal(order);
  });

  it('accept no end of access that can be undefined', () => {
    const validUntil = undefined as Date | undefined;
    void client.provisionExternal({ ...order, email: 'e', validUntil: new Date() });
    void client.provisionExternal({ ...order, email: 'e', ...(validUntil && { validUntil }) });
    // @ts-expect-error: undefined would be lifetime access.
    void client.provisionExternal({ ...order, email: 'e', validUntil });
    // @ts-expect-error: the service rejects null.
    void client.provisionExternal({ ...order, email: 'e', validUntil: null });
  });

  it('require the fields that the service requires, including email', () => {
    void client.buyPlan({ ...purchase, email: 'e' });
    // @ts-expect-error: email is missing.
    void client.buyPlan(purchase);
    // @ts-expect-error: unknown strategy.
    void client.provisionExternal({ ...order, email: 'e', onOverlap: 'add' });
    // @ts-expect-error: the id must be a number.
    void client.checkMessenger({ communityId: 'c', messengerUserId: '4711' });
  });

  it('accept known options only', () => {
    void client.inviteLink({ externalId: 'x' }, { signal: undefined, timeoutMs: 1, maxRetries: 0 });
    // @ts-expect-error: unknown option.
    void client.inviteLink({ externalId: 'x' }, { timeout: 1 });
    // @ts-expect-error: serviceUrl is missing.
    new LatchkeyClient({ apiKey: 'svc_x' });
  });
});

describe('errors', () => {
  it('are narrowed by the type guard and its codes', () => {
    if (isLatchkeyApiError(error)) {
      expectTypeOf(error.code).toEqualTypeOf<LatchkeyApiErrorCode>();
      expectTypeOf(error.status).toEqualTypeOf<number | undefined>();
      expectTypeOf(error.report).toBeString();
      expectTypeOf(error).toExtend<LatchkeyApiError>();
    }
    if (isLatchkeyApiError(error, 'rejected', 'failed')) {
      expectTypeOf(error.code).toEqualTypeOf<'rejected' | 'failed'>();
      expectTypeOf(error.status).toBeNumber();
    }
    if (isLatchkeyApiError(error, 'network')) expectTypeOf(error.status).toEqualTypeOf<number | undefined>();
    if (isClientOptionsError(error))
      expectTypeOf(error.problems[0]?.option).toEqualTypeOf<string | undefined>();
  });

  it('have no other codes', () => {
    // @ts-expect-error: unknown code.
    isLatchkeyApiError(error, 'not_found');
  });
});
