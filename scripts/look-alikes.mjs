// Reduces Unicode's data about look-alike characters to the file that the server reads. Run it for a new version of Unicode:
//   node scripts/look-alikes.mjs 17.0.0            downloads the data from unicode.org
//   node scripts/look-alikes.mjs 17.0.0 folder     reads confusables.txt and UnicodeData.txt from a folder
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const [version, folder] = process.argv.slice(2);
if (version === undefined)
  throw new Error('Usage: node scripts/look-alikes.mjs <version of Unicode> [folder]');

const confusables = await read(
  'confusables.txt',
  `https://www.unicode.org/Public/${version}/security/confusables.txt`,
);
const characters = await read(
  'UnicodeData.txt',
  `https://www.unicode.org/Public/${version}/ucd/UnicodeData.txt`,
);
if (!confusables.includes(`# Version: ${version}`))
  throw new Error(`confusables.txt is not of version ${version}.`);

const lines = [
  ...group('look-alikes', confusablePairs(confusables)),
  '',
  ...group('names', namedPairs(characters)),
];
const target = new URL('../packages/server/assets/look-alikes.txt', import.meta.url);
writeFileSync(target, `${header(version)}\n${lines.join('\n')}\n`);

async function read(name, url) {
  if (folder !== undefined) return readFileSync(join(folder, name), 'utf8');
  const response = await fetch(url);
  if (!response.ok) throw new Error(`${url} answered ${response.status}.`);
  return await response.text();
}

/** Every character of confusables.txt with its prototype, which can be several characters. */
function confusablePairs(text) {
  return [...text.matchAll(/^([0-9A-F]+) ;\t([0-9A-F ]+) ;/gm)].map(([, from, to]) => [from, to]);
}

/**
 * Letters that are called a Latin letter, or a letter of another script with something added, in the names of Unicode. People read them
 * as that letter, but confusables.txt only has characters that look the same: not `ʟ` (small capital L) or `ҡ` (ka with a stroke).
 */
function namedPairs(text) {
  const names = new Map(text.split('\n').map((line) => line.split(';').slice(0, 2).reverse()));
  const shapes =
    'SMALL CAPITAL|TURNED|REVERSED|INVERTED|SIDEWAYS|ROTATED|OPEN|SCRIPT|INSULAR|LONG|BARRED|DOTLESS|STRETCHED|BLACKLETTER';
  const latin = new RegExp(
    `(?:^| )LATIN (?:SMALL |CAPITAL )?LETTER (?:(?:${shapes}) )*([A-Z]|ALPHA|SCHWA|IOTA|KRA)(?: WITH .*)?$`,
  );
  const letters = { ALPHA: 'A', SCHWA: 'E', IOTA: 'I', KRA: 'K' };
  return [...names].flatMap(([name = '', code = '']) => {
    const character = String.fromCodePoint(Number.parseInt(code, 16) || 0);
    if (character.normalize('NFKD') !== character || /[A-Za-z]/.test(character)) return [];
    const letter = latin.exec(name)?.[1] ?? /^REGIONAL INDICATOR SYMBOL LETTER (.)$/.exec(name)?.[1];
    if (letter !== undefined) return [[code, hex((letters[letter] ?? letter).toLowerCase())]];
    const base = /^((?:CYRILLIC|GREEK|COPTIC|ARMENIAN|CHEROKEE) .*LETTER .*) WITH /.exec(name)?.[1];
    const plain = base && names.get(base);
    return plain === undefined ? [] : [[code, plain]];
  });
}

function hex(character) {
  return character.codePointAt(0).toString(16).toUpperCase().padStart(4, '0');
}

/** One line for each target: the target, a tab, and all characters that lead to it. */
function group(title, pairs) {
  const byTarget = Map.groupBy(pairs, ([, to]) => to);
  return [`[${title}]`, ...[...byTarget].map(([to, all]) => `${to}\t${all.map(([from]) => from).join(' ')}`)];
}

function header(of) {
  const notice = readFileSync(new URL('unicode-licence.txt', import.meta.url), 'utf8').trim();
  return `# Look-alike characters of Unicode ${of}, reduced by scripts/look-alikes.mjs: a target, a tab, and the characters that look like it.
# From https://www.unicode.org/Public/${of}/security/confusables.txt and https://www.unicode.org/Public/${of}/ucd/UnicodeData.txt
#
${notice.replace(/^/gm, '# ').replace(/ +$/gm, '')}
`;
}
