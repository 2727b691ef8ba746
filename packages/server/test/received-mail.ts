/** Mail as a mail program reads it. */
export interface ParsedMail {
  /** Value of a header on one line; empty if the mail has none. Encoded words are decoded. */
  header(name: string): string;
  /** Decoded part of a content type. */
  part(type: string): string;
}

/** Parses what the mail server received: headers, and the parts of a multipart body. */
export function parseMail(raw: string): ParsedMail {
  const head = raw.slice(0, raw.indexOf('\r\n\r\n')).replace(/\r\n[ \t]+/g, ' ');
  return {
    header(name) {
      const line = head.split('\r\n').find((text) => text.toLowerCase().startsWith(`${name.toLowerCase()}:`));
      return decodeWords(line?.slice(name.length + 1).trim() ?? '');
    },
    part(type) {
      const start = raw.indexOf(`Content-Type: ${type}`);
      if (start === -1) return '';
      const [headers = '', body = ''] = split(raw.slice(start), '\r\n\r\n');
      const text = body.split(/\r\n--[-\w]+/)[0] ?? '';
      return /quoted-printable/i.test(headers) ? quotedPrintable(text) : text;
    },
  };
}

function split(text: string, separator: string): [string, string] {
  const at = text.indexOf(separator);
  return [text.slice(0, at), text.slice(at + separator.length)];
}

function quotedPrintable(text: string): string {
  const bytes = text.replaceAll('=\r\n', '').replace(/=([0-9A-F]{2})/g, (_, hex: string) => `%${hex}`);
  return decodeURIComponent(bytes.replace(/%(?![0-9A-F]{2})/g, '%25')).replaceAll('\r\n', '\n');
}

function decodeWords(text: string): string {
  return text.replace(/=\?UTF-8\?([BQ])\?([^?]*)\?=(?:\s+(?==\?))?/gi, (_, kind: string, word: string) =>
    kind.toUpperCase() === 'B'
      ? Buffer.from(word, 'base64').toString()
      : decodeURIComponent(
          word
            .replaceAll('_', ' ')
            .replaceAll('%', '%25')
            .replace(/=([0-9A-F]{2})/g, '%$1'),
        ),
  );
}
