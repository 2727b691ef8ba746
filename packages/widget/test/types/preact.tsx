/** @jsxImportSource preact */
import type { LatchkeyLogin, LoginFailure, LoginSession, SessionSnapshot } from '@latchkey/widget';
import type {} from '@latchkey/widget/preact';
import type { RefObject } from 'preact';
import { holds, type Same } from './events.js';

export const inPreact = (session: LoginSession, element: RefObject<LatchkeyLogin | null>) => (
  <div>
    <latchkey-login
      ref={element}
      class="sign-in"
      client-id="oac_1"
      return-url="/back"
      storage="local"
      size="large"
      full-width
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
    {/* @ts-expect-error: there is no such variant. */}
    <latchkey-login variant="loud" />
    {/* @ts-expect-error: a gate has no label. */}
    <latchkey-gate label="Open" />
    {/* @ts-expect-error: there is no such element. */}
    <latchkey-lock />
  </div>
);
