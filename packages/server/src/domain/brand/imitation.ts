/**
 * Latin letters by the characters that look like them, besides accented letters and full-width forms, which Unicode itself
 * decomposes. A part of Unicode's confusables (UTS 39), for Greek, Cyrillic and digits.
 */
const LOOKALIKES: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries({
    a: 'аα@4',
    b: 'ьв6',
    c: 'сϲ',
    d: 'ԁ',
    e: 'еєε3',
    f: 'ƒ',
    g: 'ɡց9',
    h: 'һнհ',
    i: 'іıιl1|!ӏǀ',
    j: 'јϳ',
    k: 'кκ',
    m: 'м',
    n: 'пη',
    o: 'оοσօ0',
    p: 'рρ',
    q: 'ԛ',
    r: 'г',
    s: 'ѕ5$',
    t: 'тτ7',
    u: 'υսц',
    v: 'ѵν',
    w: 'ѡԝω',
    x: 'хχ',
    y: 'уүγ',
    z: 'ᴢ2',
  }).flatMap(([letter, lookalikes]) => Array.from(lookalikes).map((lookalike) => [lookalike, letter])),
);

/** Shorter names are contained in other names by chance. */
const MIN_CONTAINED_LENGTH = 5;

/**
 * True if a name looks like the name of the service, or contains it: "Lаtchkey" with a Cyrillic а, "L A T C H K E Y", "Latchkey
 * Support". The pages of the service must not name an app like that, or users could take it for the service.
 */
export function imitates(name: string, serviceName: string): boolean {
  const [shown, service] = [skeletonOf(name), skeletonOf(serviceName)];
  if (service === '') return false;
  return shown === service || (service.length >= MIN_CONTAINED_LENGTH && shown.includes(service));
}

/** Returns the letters and digits that a name seems to consist of. */
function skeletonOf(name: string): string {
  const letters = Array.from(name.normalize('NFKD').toLowerCase())
    .map((character) => LOOKALIKES[character] ?? character)
    .join('')
    .replace(/[^\p{L}\p{N}]/gu, '');
  return letters.replaceAll('rn', 'm').replaceAll('vv', 'w').replaceAll('ci', 'd');
}
