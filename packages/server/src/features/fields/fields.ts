import { emailField as contractEmail, uuidField as contractUuid } from '@latchkey/contract';
import { formatTimestamp } from '@latchkey/contract/constants';
import * as z from 'zod';
import { phrase, t } from '../../platform/language/language.js';

/** Matches a visible character. A name of spaces and invisible marks would make an empty button. */
const VISIBLE = /[\p{L}\p{N}\p{P}\p{S}]/u;
/** Controls, separators of lines and paragraphs, lone surrogates, and private characters: some show a company's logo. */
const UNPRINTABLE = /[\p{Cc}\p{Zl}\p{Zp}\p{Cs}\p{Co}]/u;
/** Matches more marks on one letter than any writing needs, even with invisible characters between them. */
const STACKED_MARKS = /(?:\p{M}\p{Cf}*){5}/u;

/** A trimmed string for people, with a visible character and no control characters. Errors call it `subject`. */
export function textField(subject: string, maxLength: number, lines: 'one' | 'many' = 'one') {
  return z
    .string({ error: () => t('Enter a {subject}.', { subject: t(subject) }) })
    .trim()
    .superRefine((text, context) => {
      const words = { subject: t(subject) };
      const report = (message: string) => context.addIssue({ code: 'custom', message, input: text });
      if (text.length > maxLength) {
        const [max, length] = [`${maxLength}`, `${text.length}`];
        return report(
          t('Enter a {subject} of at most {max} characters; got {length}.', { ...words, max, length }),
        );
      }
      const isReadable = isVisibleText(lines === 'many' ? text.replaceAll('\n', '') : text);
      if (!isReadable) {
        const error =
          lines === 'one'
            ? phrase('Enter a {subject} of visible characters on one line.')
            : phrase('Enter a {subject} of visible characters.');
        return report(t(error, words));
      }
      if (stacksMarks(text)) report(t('Enter a {subject} with fewer marks on each letter.', words));
    });
}

/** Stacked marks would cover the lines above and below, such as the address of the site that receives a sign-in. */
export function stacksMarks(text: string): boolean {
  return STACKED_MARKS.test(text);
}

/** Characters that show as nothing, including some in Hangul and Braille. */
const INVISIBLE = /[\p{Default_Ignorable_Code_Point}\u2800]/gu;

/** True if the string has a visible character and no unprintable one. */
export function isVisibleText(text: string): boolean {
  return VISIBLE.test(text.replace(INVISIBLE, '')) && !UNPRINTABLE.test(text);
}

const NAME_MAX_LENGTH = 200;

/** With these, a name could show as another one: `yekhctaL` as `Latchkey`. */
const DIRECTION_OVERRIDE = /[\u202a-\u202e\u2066-\u2069]/;

/**
 * A name for people to read: trimmed, on one line, 1–200 characters, at least one of them visible. It reports one error
 * without `abort`, which would skip the rules of the object that contains the name.
 */
export const nameField = z
  .string(phrase('Enter a name.'))
  .trim()
  .superRefine((name, context) => {
    const message = nameError(name);
    if (message !== undefined) context.addIssue({ code: 'custom', message, input: name });
  });

export const NAME = {
  schema: nameField,
  label: phrase('Name'),
  maxLength: NAME_MAX_LENGTH,
} as const;

function nameError(name: string): string | undefined {
  const max = NAME_MAX_LENGTH;
  if (name === '') return t('Enter a name.');
  if (name.length > max) return t('Enter a name of at most {max} characters.', { max });
  if (DIRECTION_OVERRIDE.test(name)) return t('Enter a name without characters that force a text direction.');
  if (stacksMarks(name)) return t('Enter a name with fewer marks on each letter.');
  return isVisibleText(name)
    ? undefined
    : t('Enter a name of visible characters on one line, at most {max}.', { max });
}

/** UUID, returned in lower case. */
export const idField = withMessage(contractUuid, phrase('Enter a UUID.'));

const idText = z.string(phrase('Enter a UUID.')).pipe(idField).describe('UUID');

/** The id of a new record, which the caller can choose. */
export const NEW_ID = {
  schema: idText,
  about: 'UUID; by default a new one.',
  isOptional: true,
  isFixed: true,
} as const;

export function idOf(label: string) {
  return { schema: idText, label, about: `Id of the ${label.toLowerCase()}.`, isFixed: true } as const;
}

export const FLAG = { schema: z.boolean(phrase('Enter true or false.')), isLater: true } as const;

export const ACTION = { schema: z.literal(true, 'Enter true or nothing.'), isLater: true } as const;

/** Email address, returned trimmed and in lower case. */
export const emailField = withMessage(
  contractEmail,
  phrase('Enter an e-mail address such as name@example.com.'),
);

export const EMAIL = {
  schema: z.string('Enter an e-mail address such as name@example.com.').pipe(emailField),
  label: phrase('E-mail address'),
  maxLength: 254,
  control: 'email',
  isFixed: true,
} as const;

function withMessage<Output, Input>(
  schema: z.ZodType<Output, Input>,
  message: string,
): z.ZodType<Output, Input> {
  return z.custom<Input>().transform((value, context) => {
    const parsed = schema.safeParse(value);
    if (parsed.success) return parsed.data;
    context.addIssue({ code: 'custom', message, input: value });
    return z.NEVER;
  });
}

/** An instant in milliseconds since the epoch, within the range that the API can write as a timestamp. */
export const instantField = z
  .number(phrase('Enter a day and a time.'))
  .refine(isWritable, 'Enter whole milliseconds since the epoch, within the years 0000 to 9999.');

const INSTANT_MESSAGE = phrase('Enter a day and a time with a time zone, such as 2027-01-31T12:00:00Z.');

/** An instant in ISO 8601 with a time zone, a day in UTC, or milliseconds since the epoch. Returns milliseconds. */
export const INSTANT = z
  .union([z.iso.datetime({ offset: true }), z.iso.date(), z.int()], INSTANT_MESSAGE)
  .transform((given) => (typeof given === 'number' ? given : Date.parse(given)))
  .refine(isWritable, INSTANT_MESSAGE);

export const END_BEFORE_START = phrase('Enter an end after the start.');

export function endsAfterStart(start: number, end: number | null): boolean {
  return end === null || end > start;
}

function isWritable(ms: number): boolean {
  try {
    formatTimestamp(ms);
    return true;
  } catch {
    return false;
  }
}

const ADDRESS = '[^<>@\\s]+@[^<>@\\s]+';
const SENDER = new RegExp(`^(?:${ADDRESS}|[^<>\\p{Cc}]*<${ADDRESS}>)$`, 'u');

/** Sender of mails: an address, or `Name <address>`. */
export const senderField = z
  .string()
  .trim()
  .regex(SENDER, 'must be an address, or a name and an address such as Service <codes@service.example>');
