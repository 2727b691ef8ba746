import * as z from 'zod';

/** Maximum length of a name, in characters. */
export const NAME_MAX_LENGTH = 200;

/** Matches a visible character. A name of spaces and invisible marks would make a button without text. */
const VISIBLE = /[\p{L}\p{N}\p{P}\p{S}]/u;
const CONTROL_OR_SURROGATE = /[\p{Cc}\p{Cs}]/u;

/** Name that people read: trimmed, on one line, 1 to 200 characters, at least one of them visible. */
export const nameField = z
  .string('Enter a name.')
  .trim()
  .min(1, { error: 'Enter a name.', abort: true })
  .max(NAME_MAX_LENGTH, { error: `Enter a name of at most ${NAME_MAX_LENGTH} characters.`, abort: true })
  .refine(
    (name) => VISIBLE.test(name) && !CONTROL_OR_SURROGATE.test(name),
    `Enter a name of visible characters on one line, at most ${NAME_MAX_LENGTH}.`,
  );
