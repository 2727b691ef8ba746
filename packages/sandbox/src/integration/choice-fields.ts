import * as z from 'zod';
import { ELEMENTS } from './element-markup.js';

const attribute = z.string().regex(/^[a-z][a-z-]{0,40}$/, 'Use the name of an attribute.');
/** Text without control characters. */
const text = z
  .string()
  .max(500)
  .regex(/^[^\p{Cc}]*$/u, 'Use one line of plain text.');

/** Elements with their attributes. `true` is an attribute without a value. */
export const elementsField = z.partialRecord(
  z.enum(ELEMENTS),
  z.record(attribute, z.union([text, z.literal(true)])),
);

/** CSS custom properties of the elements. No value can end a declaration. */
export const themeField = z.record(
  z.string().regex(/^--latchkey-[a-z-]{1,40}$/, 'Use a custom property such as --latchkey-accent.'),
  text.regex(/^[^<>{};\\]*$/, 'Use a value without <, >, {, }, ; and backslash.'),
);
