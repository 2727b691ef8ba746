import * as z from 'zod';

/** Maximum length of a name, in characters. */
const NAME_MAX_LENGTH = 200;

/** Matches a visible character. A name of spaces and invisible marks would make a button without text. */
const VISIBLE = /[\p{L}\p{N}\p{P}\p{S}]/u;
const CONTROL_OR_SURROGATE = /[\p{Cc}\p{Cs}]/u;

/**
 * Name that people read: trimmed, on one line, 1 to 200 characters, at least one of them visible. It reports one error
 * without `abort`, which would skip the rules of the object that contains the name.
 */
export const nameField = z
  .string('Enter a name.')
  .trim()
  .superRefine((name, context) => {
    const message = nameError(name);
    if (message !== undefined) context.addIssue({ code: 'custom', message, input: name });
  });

function nameError(name: string): string | undefined {
  if (name === '') return 'Enter a name.';
  if (name.length > NAME_MAX_LENGTH) return `Enter a name of at most ${NAME_MAX_LENGTH} characters.`;
  return VISIBLE.test(name) && !CONTROL_OR_SURROGATE.test(name)
    ? undefined
    : `Enter a name of visible characters on one line, at most ${NAME_MAX_LENGTH}.`;
}
