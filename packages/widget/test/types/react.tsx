/** @jsxImportSource react */
import type { LatchkeyLogin, LoginFailure, LoginSession, SessionSnapshot } from '@latchkey/widget';
import type {} from '@latchkey/widget/react';
import type { RefObject } from 'react';
import { holds, type Same } from './events.js';

export const inReact = (session: LoginSession, element: RefObject<LatchkeyLogin | null>) => (
  <div>
    <latchkey-login
      ref={element}
      className="sign-in"
      client-id="oac_1"
      return-url="/back"
      storage="local"
      size="large"
      full-width
      compact
      account-url="/account"
      membership-names='{"community":"The club"}'
      session={session}
      messages={{ signIn: 'Join us' }}
      onlatchkey-signed-in={({ detail }) => holds<Same<typeof detail, SessionSnapshot>>()}
      onlatchkey-error={({ detail }) => holds<Same<typeof detail, LoginFailure>>()}
    >
      <span slot="menu">Account</span>
    </latchkey-login>
    <latchkey-login clientId="oac_1" serviceUrl="https://members.example" />
    <latchkey-gate product-type="community" src="/members">
      <p slot="locked">Join</p>
    </latchkey-gate>
    <latchkey-plans
      backend="/auth"
      community="c"
      return-to="/members"
      onlatchkey-checkout={({ detail }) => holds<Same<typeof detail.planId, string>>()}
    />
    <latchkey-join backend="/auth" plan="p" community="c" messages={{ plans: { join: 'Sit down' } }} />
    {/* @ts-expect-error: a plan gives access to a community, not to a product. */}
    <latchkey-join product="p" />
    <latchkey-login membershipNames={{ community: 'The club' }} accountUrl="/account" />
    {/* @ts-expect-error: the property takes an object, not JSON. */}
    <latchkey-login membershipNames="{}" />
    {/* @ts-expect-error: there is no such variant. */}
    <latchkey-login variant="loud" />
    <latchkey-gate product-type="community agency" community="c1 c2" product="d1" plan="p1" backend="/auth" />
    {/* @ts-expect-error: there is no such product type. */}
    <latchkey-gate product-type="communty" />
    {/* @ts-expect-error: a gate has no label. */}
    <latchkey-gate label="Open" />
    {/* @ts-expect-error: there is no such element. */}
    <latchkey-lock />
  </div>
);
