/** Compiled by `tsc -b`, and that is the test: a line that must not compile is marked, and fails when it does. */
import type { LatchkeyGate, LatchkeyLogin, LoginFailure, SessionSnapshot } from '@latchkey/widget';

/** The two are the same type, not only assignable. */
export type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
export const holds = <Claim extends true>(): Claim | undefined => undefined;

export function tagNamesAreKnown(): void {
  const login = document.querySelector('latchkey-login');
  holds<Same<typeof login, LatchkeyLogin | null>>();
  const gate = document.createElement('latchkey-gate');
  holds<Same<typeof gate, LatchkeyGate>>();
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
  // @ts-expect-error: a failure has no status.
  document.addEventListener('latchkey-error', ({ detail }) => detail.status);
}
