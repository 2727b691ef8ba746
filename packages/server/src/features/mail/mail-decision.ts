const MINUTE_MS = 60_000;

/** Wait after the first failed attempt. Each later one is three times as long. */
const FIRST_WAIT_MS = MINUTE_MS;
const WAIT_GROWTH = 3;
const MAX_WAIT_MS = 120 * MINUTE_MS;
/** Maximum deviation of a wait, as a share of it. Mails that failed together are not retried together. */
const JITTER = 0.25;

/** Age at which a mail is no longer sent, in milliseconds. Its reader would be puzzled. */
export const MAIL_EXPIRY_MS = 24 * 60 * MINUTE_MS;

/** Result of an attempt to send a mail. `dropped`: its cause is gone, such as a withdrawn invitation. */
export type MailAttemptResult = 'sent' | 'dropped' | 'rejected' | 'failed';

export type MailDecision =
  | { readonly status: 'sent' | 'dropped' | 'failed' }
  | { readonly status: 'pending'; readonly nextAttemptAt: number };

/**
 * Decides what follows from an attempt. A mail that the mail server rejected, or that would wait until it is a day old, has
 * failed for good.
 *
 * @param random random number, at least 0 and less than 1.
 */
export function decideMailAttempt(
  result: MailAttemptResult,
  { attempts, createdAt, now, random }: { attempts: number; createdAt: number; now: number; random: number },
): MailDecision {
  if (result === 'sent' || result === 'dropped') return { status: result };
  const wait = Math.min(FIRST_WAIT_MS * WAIT_GROWTH ** attempts, MAX_WAIT_MS);
  const nextAttemptAt = now + Math.round(wait * (1 - JITTER + 2 * JITTER * random));
  if (result === 'rejected' || nextAttemptAt - createdAt >= MAIL_EXPIRY_MS) return { status: 'failed' };
  return { status: 'pending', nextAttemptAt };
}
