import type { Database } from '../../platform/database/open-database.js';
import { inTransaction } from '../../platform/database/transaction.js';

export interface FormSubmission {
  userId: string;
  id: string;
}

/** False if the form was already submitted. The effect must not be repeated: a response shows a secret only once. */
export async function noteSubmission(transaction: Database, { userId, id }: FormSubmission, now: number) {
  const noted = await transaction
    .insertInto('form_submissions')
    .values({ user_id: userId, id, submitted_at: now })
    .onConflict((conflict) => conflict.columns(['user_id', 'id']).doNothing())
    .returning('id')
    .executeTakeFirst();
  return noted !== undefined;
}

interface FormWork<Result> {
  submission: FormSubmission;
  now: number;
  work: (transaction: Database) => Promise<Result>;
  /** True if the result changed something. The user can correct and resend a rejected form. */
  hasEffect: (result: Result) => boolean;
}

/** Runs the work of a form once, in one transaction with the record of its submission. */
export async function submitOnce<Result>(
  db: Database,
  { submission, now, work, hasEffect }: FormWork<Result>,
): Promise<Result | { kind: 'already-submitted' }> {
  return await inTransaction(db, async (transaction) => {
    if (!(await noteSubmission(transaction, submission, now))) return { kind: 'already-submitted' };
    const result = await work(transaction);
    const { userId, id } = submission;
    const noted = transaction.deleteFrom('form_submissions').where('user_id', '=', userId);
    if (!hasEffect(result)) await noted.where('id', '=', id).execute();
    return result;
  });
}
