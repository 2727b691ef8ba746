// Extracts the prose of a parsed source file: its docstrings, its other comments and its identifiers.
import { Visitor } from 'oxc-parser';

/** Tags whose content is code or a machine-read value, not prose. */
const CODE_TAGS = new Set(['example', 'default', 'see', 'type', 'typedef', 'template']);

/**
 * Returns the docstrings and the other comments. Consecutive line comments form one comment.
 * @returns {{ kind: 'docstring' | 'comment', text: string, start: number }[]}
 */
export function commentsOf({ text, comments }) {
  const found = [];
  let previous;
  for (const { type, value, start, end } of comments) {
    const continues =
      type === 'Line' &&
      previous?.type === 'Line' &&
      /^[ \t]*\r?\n[ \t]*$/.test(text.slice(previous.end, start));
    if (continues) found.at(-1).text += `\n${value}`;
    else if (type === 'Block' && value.startsWith('*'))
      found.push({ kind: 'docstring', text: withoutStars(value.slice(1)), start });
    else found.push({ kind: 'comment', text: withoutStars(value), start });
    previous = { type, end };
  }
  return found;
}

/** Returns the text of a docstring before its first tag. */
export function descriptionOf(docstring) {
  return docstring.split(/^\s*@\w+/m)[0].trim();
}

/** Returns the sentences of a docstring, those of its tags included; code is left out. */
export function sentencesOf(docstring) {
  return docstring
    .replace(/```.*?```/gs, '\n\n')
    .split(/^(?=\s*@\w+)/m)
    .flatMap(proseOfSection)
    .flatMap((paragraph) => paragraph.split(/(?<=[.!?:][)'"”’]?)\s+(?=[^a-z])|;\s+/))
    .map((sentence) => sentence.replace(/\s+/g, ' ').trim())
    .filter((sentence) => sentence !== '');
}

/** Counts the words of a sentence. Code in backticks and a link count as one word each. */
export function countWords(sentence) {
  const words = sentence.replace(/`[^`]*`/g, 'code').replace(/\{@\w+[^}]*\}/g, 'link');
  return words.split(/\s+/).filter((word) => /[\p{L}\p{N}]/u.test(word)).length;
}

/** Returns each identifier that the file declares or uses, with the offset of its first occurrence. */
export function identifiersOf({ program }) {
  const found = new Map();
  const add = ({ name, start }) => {
    if (!found.has(name)) found.set(name, start);
  };
  new Visitor({ Identifier: add, PrivateIdentifier: add, JSXIdentifier: add }).visit(program);
  return [...found].map(([name, start]) => ({ name, start }));
}

/** Returns the words of an identifier in lower case, separated by spaces: `pricingPlan` gives `pricing plan`. */
export function wordsOfIdentifier(name) {
  return name
    .replace(/([\p{Ll}\p{N}])(\p{Lu})/gu, '$1 $2')
    .replace(/(\p{Lu})(\p{Lu}\p{Ll})/gu, '$1 $2')
    .replace(/[_$-]+/g, ' ')
    .trim()
    .toLowerCase();
}

function withoutStars(text) {
  return text.replace(/^[ \t]*\*[ \t]?/gm, '');
}

/** Returns the paragraphs, list items and table-free prose of one docstring section. */
function proseOfSection(section) {
  const [, tag = '', rest = section] = /^\s*@(\w+)(.*)$/s.exec(section) ?? [];
  if (CODE_TAGS.has(tag)) return [];
  const prose = tag === '' ? rest : rest.replace(/^\s*\{[^}]*\}/, '');
  return prose.split(/\n\s*\n|\n(?=\s*(?:[-*|]|\d+\.)\s?)/);
}
