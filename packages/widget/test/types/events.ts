/** Compiled by `tsc -b`, and that is the test: a line that must not compile is marked, and fails when it does. */
import type {
  CheckoutFailure,
  LatchkeyGate,
  LatchkeyJoin,
  LatchkeyLogin,
  LatchkeyPlans,
  LoginFailure,
  SessionSnapshot,
} from '@latchkey/widget';

/** The two are the same type, not only assignable. */
export type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
export const holds = <Claim extends true>(): Claim | undefined => undefined;

export function tagNamesAreKnown(): void {
  const login = document.querySelector('latchkey-login');
  holds<Same<typeof login, LatchkeyLogin | null>>();
  const gate = document.createElement('latchkey-gate');
  holds<Same<typeof gate, LatchkeyGate>>();
  holds<Same<HTMLElementTagNameMap['latchkey-plans'], LatchkeyPlans>>();
  const join = document.createElement('latchkey-join');
  holds<Same<typeof join, LatchkeyJoin>>();
  // @ts-expect-error: a plan is an id.
  join.plan = 9;
  // @ts-expect-error: there is no such variant.
  if (login) login.variant = 'loud';
}

export function eventsAreKnown(): void {
  for (const target of [document.createElement('latchkey-login'), document.body]) {
    target.addEventListener('latchkey-signed-in', ({ detail }) =>
      holds<Same<typeof detail, SessionSnapshot>>(),
    );
    target.addEventListener('latchkey-error', ({ detail }) => holds<Same<typeof detail, LoginFailure>>());
  }
  document.addEventListener('latchkey-expired', ({ detail }) =>
    holds<Same<typeof detail, SessionSnapshot>>(),
  );
  addEventListener('latchkey-change', ({ detail }) => holds<Same<typeof detail, SessionSnapshot>>());
  document.addEventListener('latchkey-checkout', ({ detail }) =>
    holds<Same<typeof detail, { planId: string; checkoutUrl: string }>>(),
  );
  document.addEventListener('latchkey-checkout-error', ({ detail }) =>
    holds<Same<typeof detail, CheckoutFailure>>(),
  );
  // @ts-expect-error: a checkout is no session.
  document.addEventListener('latchkey-checkout', ({ detail }) => detail.signedIn);
  // @ts-expect-error: a failure has no status.
  document.addEventListener('latchkey-error', ({ detail }) => detail.status);
}
