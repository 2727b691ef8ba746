import * as z from 'zod';
import { isVisibleText, stacksMarks } from './text.js';

/** Maximum length of a name, in characters. */
const NAME_MAX_LENGTH = 200;

/** Matches characters that force a text direction. A name could show as another one: `yekhctaL` as `Latchkey`. */
const DIRECTION_OVERRIDE = /[\u202a-\u202e\u2066-\u2069]/;

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
  if (DIRECTION_OVERRIDE.test(name)) return 'Enter a name without characters that force a text direction.';
  if (stacksMarks(name)) return 'Enter a name with fewer marks on each letter.';
  return isVisibleText(name)
    ? undefined
    : `Enter a name of visible characters on one line, at most ${NAME_MAX_LENGTH}.`;
}
