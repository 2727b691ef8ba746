const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';

/** Texts that decoders, servers or proxies could take for the same value, with what each of them changes. */
export function otherSpellings(value: string): [what: string, text: string][] {
  const parts = value.split('.');
  const inEach = (change: (part: string) => readonly string[]) =>
    parts.flatMap((part, index) =>
      change(part)
        .map((changed) => parts.with(index, changed).join('.'))
        .filter((text) => text !== value),
    );
  const last = (part: string) =>
    part === '' ? [] : [...ALPHABET].map((letter) => `${part.slice(0, -1)}${letter}`);
  const spellings: Record<string, readonly string[]> = {
    'another last character': inEach(last),
    padding: inEach((part) => [`${part}=`, `${part}==`]),
    'a space or a control character': inEach((part) =>
      [' ', '\t', '\u00a0', '\u0085', '\u000b'].flatMap((space) => [
        `${part}${space}`,
        `${space}${part}`,
        `${part.slice(0, 3)}${space}${part.slice(3)}`,
      ]),
    ),
    'characters of base64': inEach((part) => [part.replaceAll('-', '+').replaceAll('_', '/')]),
    'a character that decoders skip': inEach((part) => [`${part}*`, `!${part}`, `${part}~`]),
    'percent-encoding': inEach((part) => [
      part.replace(/./, (letter) => `%${letter.charCodeAt(0).toString(16)}`),
    ]),
    'quotation marks': [`"${value}"`, `'${value}'`],
    'another letter case': [value.toLowerCase(), value.toUpperCase()],
    'more parts': [`${value}.`, `.${value}`, `${value}..`, `${value}.A`],
    'another number': parts.length === 3 ? [parts.with(1, `0${parts[1]}`).join('.')] : [],
  };
  return Object.entries(spellings).flatMap(([what, texts]) =>
    texts
      // Spaces around a value are no part of it (RFC 9110 5.6.3).
      .filter((text) => text !== value && text.replace(/^[ \t]+|[ \t]+$/g, '') !== value)
      .map((text): [string, string] => [what, text]),
  );
}
