import { randomUUID } from 'node:crypto';
import { uuidField } from '@latchkey/contract';

/** Names a form that is about to be shown, so that it is taken once (see `noteSubmission`). */
export function newSubmissionId(): string {
  return randomUUID();
}

/** The name of a form that was sent. One without a name, which no page of ours sends, is a form of its own. */
export function submissionIdOf(form: URLSearchParams): string {
  const sent = uuidField.safeParse(form.get('submission'));
  return sent.success ? sent.data : newSubmissionId();
}
