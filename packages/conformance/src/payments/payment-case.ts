import type { PaymentSession } from './payment-session.js';

/** A promise of the interface, and how it is checked. */
export interface PaymentCase {
  /** Area and name, such as `refund.part`. */
  readonly id: string;
  /** The sentence that the report shows. */
  readonly text: string;
  /** @throws BrokenPromise if the provider does something else, CannotRun if the driver or the provider lacks something. */
  run(session: PaymentSession): Promise<void>;
}

/** Lists the cases of an area, each as its name, its sentence and its check. */
export function casesOf(
  area: string,
  cases: Readonly<Record<string, readonly [text: string, run: PaymentCase['run']]>>,
): PaymentCase[] {
  return Object.entries(cases).map(([name, [text, run]]) => ({ id: `${area}.${name}`, text, run }));
}
