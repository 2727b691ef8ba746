import * as z from 'zod';

/** Matches a visible character. A name of spaces and invisible marks would make a button without text. */
const VISIBLE = /[\p{L}\p{N}\p{P}\p{S}]/u;
const CONTROL_OR_SURROGATE = /[\p{Cc}\p{Cs}]/u;
/** Matches more marks on one letter than any writing needs. Invisible characters between them do not separate them. */
const STACKED_MARKS = /(?:\p{M}\p{Cf}*){5}/u;

/**
 * Text that people read: trimmed, at least one visible character, no control characters.
 *
 * @param subject The noun in the error messages: "description".
 * @param maxLength Maximum number of characters.
 * @param lines `many` allows line feeds.
 */
export function textField(subject: string, maxLength: number, lines: 'one' | 'many' = 'one') {
  const place = lines === 'one' ? ' on one line' : '';
  return z
    .string(`Enter a ${subject}.`)
    .trim()
    .superRefine((text, context) => {
      const report = (message: string) => context.addIssue({ code: 'custom', message, input: text });
      if (text.length > maxLength) {
        return report(`Enter a ${subject} of at most ${maxLength} characters; got ${text.length}.`);
      }
      const isReadable = isVisibleText(lines === 'many' ? text.replaceAll('\n', '') : text);
      if (!isReadable) return report(`Enter a ${subject} of visible characters${place}.`);
      if (stacksMarks(text)) report(`Enter a ${subject} with fewer marks on each letter.`);
    });
}

/**
 * True if marks are stacked on a letter. They would cover the lines above and below, such as the address of the site that
 * receives a sign-in.
 */
export function stacksMarks(text: string): boolean {
  return STACKED_MARKS.test(text);
}

/** True if the text has a visible character, and neither control characters nor lone surrogates. */
export function isVisibleText(text: string): boolean {
  return VISIBLE.test(text) && !CONTROL_OR_SURROGATE.test(text);
}
