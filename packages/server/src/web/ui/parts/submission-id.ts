import { randomUUID } from 'node:crypto';
import { uuidField } from '@latchkey/contract';

/** Creates the id of a form, so that the form is processed only once (see `noteSubmission`). */
export function newSubmissionId(): string {
  return randomUUID();
}

/** Returns the id of a submitted form. A form without an id, which no page sends, gets a new id. */
export function submissionIdOf(form: URLSearchParams): string {
  const sent = uuidField.safeParse(form.get('submission'));
  return sent.success ? sent.data : newSubmissionId();
}
