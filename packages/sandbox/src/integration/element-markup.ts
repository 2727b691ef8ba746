import * as z from 'zod';

/** The widget's elements in snippets, in the order of a page. */
export const ELEMENTS = ['latchkey-login', 'latchkey-gate', 'latchkey-plans', 'latchkey-join'] as const;

export type ElementName = (typeof ELEMENTS)[number];

/** Attributes of an element. `true` is an attribute without a value. */
export type ElementAttributes = Readonly<Record<string, string | true>>;

/** Maximum length of a line, in characters. Longer elements have one attribute per line. */
const LINE_MAX = 110;

/** Content of the gate. The other elements have none. */
const gateContent = (indent: string) =>
  `\n${indent}  <p>Members see this.</p>\n${indent}  <p slot="locked">This part is for members. <a href="/join">Join</a></p>\n${indent}`;

export interface MarkupStyle {
  readonly indent: string;
  /** True if an element without content closes itself. @default false */
  readonly closesItself?: boolean;
  /** True if an element with at least three attributes has one on each line. @default false */
  readonly isSpread?: boolean;
}

export function elementMarkup(name: ElementName, attributes: ElementAttributes, style: MarkupStyle): string {
  const { indent, closesItself = false, isSpread = false } = style;
  const texts = Object.entries(attributes).map(([attribute, value]) =>
    value === true ? attribute : `${attribute}="${escaped(value)}"`,
  );
  const children = name === 'latchkey-gate' ? gateContent(indent) : '';
  const oneLine = [`${indent}<${name}`, ...texts].join(' ');
  const isLong = oneLine.length > LINE_MAX || (isSpread && texts.length >= 3);
  const opening = isLong
    ? [`${indent}<${name}`, ...texts.map((text) => `${indent}  ${text}`), indent].join('\n')
    : oneLine;
  if (children === '' && closesItself) return `${opening}${isLong ? '' : ' '}/>`;
  return `${opening}>${children}</${name}>`;
}

function escaped(value: string): string {
  return value
    .replaceAll('&', '&amp;')
    .replaceAll('"', '&quot;')
    .replaceAll('<', '&lt;')
    .replaceAll('\\', '&#92;')
    .replaceAll('`', '&#96;')
    .replaceAll('$', '&#36;')
    .replaceAll('{', '&#123;')
    .replaceAll('}', '&#125;');
}

const attribute = z.string().regex(/^[a-z][a-z-]{0,40}$/, 'Use the name of an attribute.');
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
