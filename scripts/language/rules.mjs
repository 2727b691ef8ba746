// The rules of plain language that a machine can check: docstring openings, sentence length, banned words.
import { lineOf } from '../source-files.mjs';
import {
  commentsOf,
  countWords,
  descriptionOf,
  identifiersOf,
  sentencesOf,
  wordsOfIdentifier,
} from './prose.mjs';

/** Openings that begin a docstring with a clause instead of a noun phrase or a verb. */
export const BANNED_OPENINGS = ['What', 'Who', 'Whose', 'Whether', 'How', 'One of', 'As'];

/** Maximum number of words in a sentence of a docstring. */
const MAX_SENTENCE_WORDS = 30;

/** Words and phrases that have a plain counterpart. An ending such as "-ed" or "-s" is matched too. */
const BANNED_WORDS = [
  { word: 'torment', pattern: /\btorment(s|ed|ing|or|ors)?\b/, use: 'fuzz' },
  { word: 'keepsake', pattern: /\bkeepsakes?\b/, use: 'request session' },
  { word: 'insistence', pattern: /\binsistences?\b/, use: 'retry queue' },
  { word: 'lapse', pattern: /\blaps(e|es|ed|ing)\b/, use: 'expire' },
  { word: 'anew', pattern: /\banew\b/, use: 'again' },
  { word: 'whose it is', pattern: /\bwhose it is\b/, use: "the owner's name" },
  { word: 'who has', pattern: /\bwho has\b/, use: 'member, visitor, buyer, seller, owner or admin' },
  { word: 'somebody', pattern: /\bsomebody\b/, use: 'member, visitor, buyer, seller, owner or admin' },
  { word: 'nobody', pattern: /\bnobody\b/, use: 'the name of what is missing' },
  { word: 'stands in for', pattern: /\bstands in for\b/, use: 'replaces, fakes' },
  { word: 'is told', pattern: /\bis told\b/, use: 'receives' },
  { word: 'tells of', pattern: /\btells of\b/, use: 'reports' },
];

/** Columns and wire fields keep their names: databases and other programs read them. */
const MACHINE_NAME = /^[a-z0-9]+(_[a-z0-9]+)+$/;

/**
 * Checks the docstrings, comments and identifiers of a parsed file.
 * @returns {{ file: string, line: number, rule: string, message: string }[]} violations in the order of their lines
 */
export function checkLanguage(source) {
  const comments = commentsOf(source);
  const violations = [
    ...comments.filter(({ kind }) => kind === 'docstring').flatMap(checkDocstring),
    ...comments.flatMap(({ text, start }) => bannedWordsIn(text.replace(/\s+/g, ' '), start)),
    ...identifiersOf(source)
      .filter(({ name }) => !MACHINE_NAME.test(name))
      .flatMap(({ name, start }) => bannedWordsIn(wordsOfIdentifier(name), start, ` (identifier ${name})`)),
  ];
  return violations
    .sort((a, b) => a.start - b.start)
    .map(({ start, rule, message }) => ({
      file: source.file,
      line: lineOf(source.text, start),
      rule,
      message,
    }));
}

/** Returns the banned opening of a docstring, or undefined. */
export function bannedOpeningOf(docstring) {
  const description = descriptionOf(docstring);
  return BANNED_OPENINGS.find((opening) => new RegExp(`^${opening}\\b`, 'i').test(description));
}

function checkDocstring({ text, start }) {
  const opening = bannedOpeningOf(text);
  return [
    ...(opening === undefined
      ? []
      : [
          {
            start,
            rule: `opens with ${opening}`,
            message: `the docstring opens with "${opening}". Open it with a noun phrase or a verb: "Returns …", "True if …"`,
          },
        ]),
    ...sentencesOf(text)
      .filter((sentence) => countWords(sentence) > MAX_SENTENCE_WORDS)
      .map((sentence) => ({
        start,
        rule: 'long sentence',
        message: `a docstring sentence has ${countWords(sentence)} words, more than ${MAX_SENTENCE_WORDS}: "${sentence.slice(0, 60)}…"`,
      })),
  ];
}

function bannedWordsIn(text, start, where = '') {
  return BANNED_WORDS.filter(({ pattern }) => new RegExp(pattern, 'i').test(text)).map(({ word, use }) => ({
    start,
    rule: word,
    message: `"${word}" is banned${where}. Instead: ${use}`,
  }));
}
