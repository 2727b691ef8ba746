import { type CallEntry, isUnknown } from '../log/log-entries.ts';
import { refundSince } from './check-provider.ts';
import type { SoakHistory } from './soak-history.ts';
import type { Report } from './violation.ts';

/** Checks that invite links exist for paid checkouts only, and for each of them. */
export function checkPurchases(history: SoakHistory, report: Report): void {
  const payments = Map.groupBy(history.of('pay'), ({ subject }) => subject);
  for (const call of history.of('invite-link')) {
    const { subject, sent, done, status } = call;
    const paying = (payments.get(subject) ?? []).filter(({ input }) => input.method === 'pays');
    const paid = paying.find(({ output, done: at }) => output?.result === 'paid' && at < sent);
    const mayBePaid = paying.some(
      (payment) => payment.sent <= done && (isUnknown(payment) || payment.status === 303),
    );
    if (status === 200 && !mayBePaid)
      report('invite link follows the payment', `${subject} got a link before any payment.`);
    // After a clock moved back, the paid access may not have started yet.
    const mayBeEarly =
      status === 401 &&
      paid !== undefined &&
      history.serverTime(sent, done).lo < history.serverTime(paid.sent, paid.done).hi;
    const refund = refundSince(history, subject);
    const mayBeRefunded = status === 401 && refund !== undefined && refund <= done;
    if (paid !== undefined && status !== 200 && !mayBeEarly && !mayBeRefunded && !isUnknown(call)) {
      report(
        'invite link follows the payment',
        `${subject} got ${status} instead of a link after the acknowledged payment.`,
      );
    }
  }
}

/** Checks that no person was charged for more than one order: every buyer and shopper pays once. */
export function checkCharges(history: SoakHistory, report: Report): void {
  const attempts = history.of('pay', 'pay-product').filter(({ input }) => input.method === 'pays');
  const payers = new Set(attempts.map(({ subject }) => subject));
  if (history.orders.size > payers.size) {
    report('payment is charged once', `${history.orders.size} orders of ${payers.size} payers were charged.`);
  }
}

/** Checks that each address takes one slot of the drop, and that acknowledged signups are kept. */
export function checkSignups(history: SoakHistory, report: Report): void {
  const calls = history.of('drop-signup');
  for (const [email, own] of Map.groupBy(calls, ({ subject }) => subject)) {
    const accepted = own.filter(isSignup);
    if (accepted.length > 1) report('signup counts once', `${email} was signed up ${accepted.length} times.`);
    for (const call of own) {
      const mayExist = own.some(
        (other) => other !== call && other.sent <= call.done && (isSignup(other) || isUnknown(other)),
      );
      if (call.status === 409 && !mayExist)
        report('signup counts once', `${email} was rejected as a repetition of no signup.`);
    }
  }
  const accepted = calls.filter(isSignup);
  const unknown = new Set(calls.filter(isUnknown).map(({ subject }) => subject));
  for (const { sent, done, output, subject } of accepted) {
    const used = Number(output?.slotsUsed);
    const least = accepted.filter((other) => other.done < sent).length + 1;
    const most = new Set([
      ...accepted.filter((other) => other.sent <= done).map((one) => one.subject),
      ...unknown,
    ]).size;
    if (used < least || used > most) {
      report(
        'signup counts once',
        `After the signup of ${subject}, ${used} slots were used; expected ${least} to ${most}.`,
      );
    }
  }
}

function isSignup({ status, output }: CallEntry): boolean {
  return status === 201 && output?.signedUp === true;
}
