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
  it('give what the service answers', () => {
    expectTypeOf(client.provisionExternal).returns.resolves.toEqualTypeOf<ProvisionedMembership>();
    expectTypeOf(client.checkMessenger).returns.resolves.toEqualTypeOf<MessengerCheck>();
    expectTypeOf(client.buyPlan).returns.resolves.toEqualTypeOf<CheckoutSession>();
    expectTypeOf(client.dropSignup).returns.resolves.toEqualTypeOf<DropSignup>();
    expectTypeOf(client.inviteLink).returns.resolves.toEqualTypeOf<InviteLink>();
  });

  it('have null where there can be none, and values that can grow', () => {
    expectTypeOf<ProvisionedMembership['validUntil']>().toEqualTypeOf<string | null>();
    expectTypeOf<MessengerCheck['membershipId']>().toEqualTypeOf<string | null>();
    expectTypeOf<DropSignup['dropSlotInfo']['slots']>().toEqualTypeOf<number | null>();
    expectTypeOf<'merged'>().toExtend<ProvisionedMembership['status']>();
    expectTypeOf<number>().not.toExtend<ProvisionedMembership['status']>();
  });

  it('need a buyer, by either name', () => {
    expectTypeOf<{ email: string }>().toExtend<Buyer>();
    expectTypeOf<{ messengerUserId: number }>().toExtend<Buyer>();
    expectTypeOf<{ email: string; messengerUserId: number }>().toExtend<Buyer>();
    expectTypeOf<{ email: undefined; messengerUserId: undefined }>().not.toExtend<Buyer>();
    // @ts-expect-error: nobody is named.
    void client.provisionExternal(order);
  });

  it('take no end of access that may have been lost', () => {
    const validUntil = undefined as Date | undefined;
    void client.provisionExternal({ ...order, email: 'e', validUntil: new Date() });
    void client.provisionExternal({ ...order, email: 'e', ...(validUntil && { validUntil }) });
    // @ts-expect-error: undefined would be access for life.
    void client.provisionExternal({ ...order, email: 'e', validUntil });
    // @ts-expect-error: null is refused by the service.
    void client.provisionExternal({ ...order, email: 'e', validUntil: null });
  });

  it('need all that the service needs, though its published schema marks the e-mail optional', () => {
    void client.buyPlan({ ...purchase, email: 'e' });
    // @ts-expect-error: a checkout is bound to an address.
    void client.buyPlan(purchase);
    // @ts-expect-error: one of three.
    void client.provisionExternal({ ...order, email: 'e', onOverlap: 'add' });
    // @ts-expect-error: an account's id is a number.
    void client.checkMessenger({ communityId: 'c', messengerUserId: '4711' });
  });

  it('take options, and nothing that is none', () => {
    void client.inviteLink({ externalId: 'x' }, { signal: undefined, timeoutMs: 1, maxRetries: 0 });
    // @ts-expect-error: it is called timeoutMs.
    void client.inviteLink({ externalId: 'x' }, { timeout: 1 });
    // @ts-expect-error: a client has to know where to call.
    new LatchkeyClient({ apiKey: 'svc_x' });
  });
});

describe('errors', () => {
  it('are narrowed by the guard, and by the codes it is given', () => {
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
    // @ts-expect-error: no such code.
    isLatchkeyApiError(error, 'not_found');
  });
});
