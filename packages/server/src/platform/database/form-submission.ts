import type { Database } from './open-database.js';

/** A form that was sent. */
export interface FormSubmission {
  /** Who sent it. */
  userId: string;
  /** Chosen when the form was shown. */
  id: string;
}

/**
 * Notes in the transaction of what a form does that it was sent. False when it was before: a reload of the answer, or a
 * second click, must not do it again when the answer shows a secret only once.
 */
export async function noteSubmission(
  transaction: Database,
  { userId, id }: FormSubmission,
  now: number,
): Promise<boolean> {
  const noted = await transaction
    .insertInto('form_submissions')
    .values({ user_id: userId, id, submitted_at: now })
    .onConflict((conflict) => conflict.columns(['user_id', 'id']).doNothing())
    .returning('id')
    .executeTakeFirst();
  return noted !== undefined;
}

/** Whether a form was taken before. */
export async function wasSubmitted(transaction: Database, { userId, id }: FormSubmission): Promise<boolean> {
  const row = await transaction
    .selectFrom('form_submissions')
    .select('id')
    .where('user_id', '=', userId)
    .where('id', '=', id)
    .executeTakeFirst();
  return row !== undefined;
}
