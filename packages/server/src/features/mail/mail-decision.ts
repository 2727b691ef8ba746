const MINUTE_MS = 60_000;

/** Wait after the first failed attempt, in milliseconds. Each later wait is three times as long. */
const FIRST_WAIT_MS = MINUTE_MS;
const WAIT_GROWTH = 3;
const MAX_WAIT_MS = 120 * MINUTE_MS;
/** How far a wait can deviate, as a share of it. Mails that failed together aren't retried together. */
const JITTER = 0.25;

/** Age from which a mail is no longer sent, in milliseconds. It would only puzzle its reader. */
export const MAIL_EXPIRY_MS = 24 * 60 * MINUTE_MS;

/** Result of an attempt to send a mail. `dropped`: its reason is gone, such as a withdrawn invitation. */
export type MailAttemptResult = 'sent' | 'dropped' | 'rejected' | 'failed';

export type MailDecision =
  | { readonly status: 'sent' | 'dropped' | 'failed' }
  | { readonly status: 'pending'; readonly nextAttemptAt: number };

/** A mail fails for good if the server rejected it, or its next attempt would be a day or more after it was queued. */
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
