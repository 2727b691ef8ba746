import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type * as z from 'zod';
import { phrase, t } from '../../platform/language/language.js';
import { PACKAGE_FOLDER } from '../../platform/package-folder.js';

/** Characters that people read as a letter or a word, beyond the ones that Unicode lists. */
const READ_AS: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries({
    a: 'αⲁ4@ΛλɅДдΔδ▲₳',
    b: 'ь68',
    c: 'ɔⲥ(<©⊂☾₵',
    e: 'ЄєεⲉΣΞξ≡☰∈3€巨モヨ',
    g: '9',
    i: '1!|❗',
    k: 'ҡⲕ长',
    h: 'ⲏ卄#',
    l: '£└∟⌊ㄥ乚しレﾚ𐌋',
    n: 'пη',
    o: '0〇⭕',
    s: '5$§',
    t: 'ⲧ7+†✝☨丅┬〒',
    u: 'цυ',
    w: 'ω',
    y: 'уүγψⲩყ丫ㄚ',
    z: '2',
    key: '🔑🗝',
    lock: '🔒🔓🔐',
  }).flatMap(([letter, all]) => Array.from(all).map((character) => [character, letter])),
);

/** Letters and letter pairs that look alike in a word, folded in this order. */
const PAIRS: readonly (readonly [string, string])[] = [
  ['i', 'l'],
  ['w', 'vv'],
  ['v', 'u'],
  ['m', 'rn'],
  ['d', 'cl'],
  ['k', 'lc'],
];

/** Shorter names appear in other names by chance. */
const MIN_CONTAINED_LENGTH = 5;

/** Words that turn a short service name into one of its departments: "Acme Support". */
const OFFICE =
  /^(?:account|admin|billing|help|helpdesk|official|pay|payment|refund|safety|security|service|staff|support|team|trust|verif)/;

const COMPARED_MAX = 5_000;

/**
 * True if a name looks like the service's name, or contains it: "Lаtchkey" with a Cyrillic а, "L A T C H K E Y",
 * "Latchkey Support". A name that strangers see must not, or people would take its owner for the service.
 *
 * Both names are compared as skeletons (UTS 39). All of Unicode's confusables count, as do letters that are called a
 * Latin letter, and digits and signs that stand for letters; marks, punctuation and invisible characters don't. A name
 * of two words that only starts like the service doesn't match: "Latch Keyboards" is a shop for keyboards.
 */
export function imitates(name: string, serviceName: string): boolean {
  // No field accepts more, and a longer string would only take time.
  if (name.length > COMPARED_MAX) return imitates(name.slice(0, COMPARED_MAX), serviceName);
  const service = skeletonOf(serviceName);
  if (service === '') return false;
  return [name, withoutSigns(name)].some((variant) => {
    const words = variant.split(SPACES).flatMap((word) => {
      const letters = skeletonOf(word);
      return letters === '' ? [] : [{ letters, plain: lettersOf(word), parts: partsOf(word) }];
    });
    const all = words.map(({ letters }) => letters).join('');
    if (all === service) return true;
    if (lettersOf(serviceName).length < MIN_CONTAINED_LENGTH) return isOffice(words, service);
    return contains(words, service) || collapsed(all) === collapsed(service) || isMirrored(variant, service);
  });
}

interface Word {
  readonly letters: string;
  readonly plain: string;
  /** Skeletons of the parts that start with a capital. `LatchkeySupport` has two: `Latchkey` and `Support`. */
  readonly parts: readonly string[];
}

/** True if the service's name is within one word, or reaches from the start of one word to the end of another. */
function contains(words: readonly Word[], service: string): boolean {
  if (
    words.some(({ letters }) => letters.includes(service) || collapsed(letters).includes(collapsed(service)))
  ) {
    return true;
  }
  const [starts, ends] = [new Set<number>(), new Set<number>()];
  let length = 0;
  for (const { letters, parts } of words) {
    // Together the parts are as long as the word, unless letters from two parts were folded into one.
    const isWhole = parts.join('').length !== letters.length;
    for (const part of isWhole ? [letters] : parts) {
      starts.add(length);
      length += part.length;
      ends.add(length);
    }
  }
  const all = words.map(({ letters }) => letters).join('');
  for (let at = all.indexOf(service); at !== -1; at = all.indexOf(service, at + 1)) {
    if (starts.has(at) && ends.has(at + service.length)) return true;
  }
  return false;
}

function isOffice(words: readonly Word[], service: string): boolean {
  const offices = words.filter(({ letters, plain }) => letters !== service && OFFICE.test(plain));
  return offices.length > 0 && words.some(({ letters }) => letters === service);
}

/** True for a name written upside down or backwards with letters from other scripts: `ʎǝʞɥɔʇɐꞁ`. */
function isMirrored(name: string, service: string): boolean {
  return /[^\p{ASCII}]/u.test(name) && skeletonOf(Array.from(name).reverse().join('')).includes(service);
}

/** "Laatchkeyy" reads as "Latchkey". */
function collapsed(letters: string): string {
  return letters.replace(/(.)\1+/gu, '$1');
}

const SPACES = /[\s\u2800]+/u;

/** Signs can stand for letters or between them: "L@tchkey", "L!atchkey". Circled letters are signs too. */
function withoutSigns(name: string): string {
  return name.replace(/[\p{P}\p{S}]/gu, (sign) =>
    /\p{So}/u.test(sign) && READ_AS[sign] === undefined && lettersOf(sign) !== '' ? sign : '',
  );
}

const INVISIBLE = /\p{Default_Ignorable_Code_Point}/gu;
/** Marks of no script, and all marks on Latin letters. The vowels of Indic scripts are marks too, and stay. */
const MARKS = /\p{Script=Inherited}+|(?<=[a-z])\p{M}+/gu;

/** Returns the letters and digits that a name seems to consist of, with look-alikes folded together. */
function skeletonOf(name: string): string {
  return PAIRS.reduce((letters, [from, to]) => letters.replaceAll(from, to), lettersOf(name));
}

function lettersOf(name: string): string {
  return Array.from(name.normalize('NFD').replace(INVISIBLE, ''), (character) => folded(character))
    .join('')
    .normalize('NFD')
    .replace(MARKS, '')
    .replace(/[^\p{L}\p{N}\p{M}]/gu, '');
}

function partsOf(word: string): string[] {
  return word
    .split(/(?<=\p{Ll})(?=\p{Lu})/u)
    .map(skeletonOf)
    .filter((part) => part !== '');
}

/** A target in the list can be a capital, which leads to another letter. There are no longer chains. */
const FOLDS_MAX = 4;

function folded(character: string, folds = 0): string {
  if (/[a-z]/.test(character) || folds === FOLDS_MAX) return character;
  const target =
    READ_AS[character] ?? lookAlikes().get(character) ?? decomposed(character) ?? otherCase(character);
  return target === undefined ? character : Array.from(target, (next) => folded(next, folds + 1)).join('');
}

/** Full-width, circled, mathematical and other forms of a letter. */
function decomposed(character: string): string | undefined {
  const plain = character.normalize('NFKD');
  return plain === character ? undefined : plain;
}

/** Small letters that aren't listed look like their capitals, as in Coptic. */
function otherCase(character: string): string | undefined {
  const lower = character.toLowerCase();
  return lower === character ? lookAlikes().get(character.toUpperCase()) : lower;
}

let known: ReadonlyMap<string, string> | undefined;

/** Capital Latin letters are only looked up in lower case: otherwise `I` would be an i, and then an l. */
function lookAlikes(): ReadonlyMap<string, string> {
  if (known !== undefined) return known;
  const found = new Map<string, string>();
  for (const line of readFileSync(join(PACKAGE_FOLDER, 'assets/look-alikes.txt'), 'utf8').split('\n')) {
    const [target, characters] = line.split('\t');
    if (target === undefined || characters === undefined) continue;
    for (const code of characters.split(' ')) {
      const character = charactersOf(code);
      // The file lists characters that look the same first, and those that only share a letter's name after them.
      if (!found.has(character) && !/[A-Za-z]/.test(character)) found.set(character, charactersOf(target));
    }
  }
  known = found;
  return found;
}

function charactersOf(codes: string): string {
  return codes
    .split(' ')
    .map((code) => String.fromCodePoint(Number.parseInt(code, 16)))
    .join('');
}

/** Fields that strangers read as a name, on pages, in mails and in URLs, with their error messages. */
const PUBLIC_FIELDS = {
  name: phrase('Enter a name that does not contain “{service}”, the name of this service.'),
  slug: phrase('Enter a slug that does not contain “{service}”, the name of this service.'),
  benefits: phrase('Enter a benefit that does not contain “{service}”, the name of this service.'),
} as const;

type Named = { readonly [Field in keyof typeof PUBLIC_FIELDS]?: unknown };

/** Only the operator may give something the service's name. A name that the record `stored` already has may stay. */
export function publicNames<Schema extends z.ZodType<Named>>(
  schema: Schema,
  serviceName: string,
  stored: Named = {},
): Schema {
  const fields = Object.entries(PUBLIC_FIELDS) as [keyof Named, string][];
  return fields.reduce(
    (ruled, [field, error]) =>
      ruled.refine(
        (value) => !isImitation(value[field], serviceName) || isSame(value[field], stored[field]),
        {
          path: [field],
          error: t(error, { service: serviceName }),
          // Reported together with the errors of other fields.
          when: ({ value }) => typeof value === 'object' && value !== null,
        },
      ),
    schema,
  );
}

function isImitation(value: unknown, serviceName: string): boolean {
  if (Array.isArray(value)) return value.some((entry) => isImitation(entry, serviceName));
  // A slug has hyphens in place of spaces.
  return typeof value === 'string' && imitates(value.replaceAll('-', ' '), serviceName);
}

function isSame(value: unknown, stored: unknown): boolean {
  return JSON.stringify(value) === JSON.stringify(stored);
}
