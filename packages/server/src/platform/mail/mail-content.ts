/** Text in which names that other people wrote are marked. HTML isolates them, so that they cannot change its direction. */
export type MailText = string | readonly (string | { readonly name: string })[];

/** Link in a mail. */
export interface MailLink {
  readonly label: string;
  readonly href: string;
}

/** Part of a mail. */
export type MailBlock =
  | { readonly kind: 'text'; readonly text: MailText }
  /** Large amount of money. */
  | { readonly kind: 'amount'; readonly amount: string }
  /** Large code to copy. */
  | { readonly kind: 'code'; readonly code: string }
  /** Label and value of each row. */
  | { readonly kind: 'facts'; readonly facts: readonly MailFact[] }
  | ({ readonly kind: 'button' } & MailLink)
  /** Less important text, with a link after it. */
  | { readonly kind: 'note'; readonly text: MailText; readonly link?: MailLink | undefined };

/** Row of a list in a mail. */
export interface MailFact {
  readonly label: string;
  readonly value: MailText;
}

/** Name, logo and colour at the top of a mail. */
export interface MailBrand {
  readonly name: string;
  /** `https:` URL, or `data:` URL of a PNG, JPEG, GIF or WebP image. Others are not shown. */
  readonly logoUrl: string | null;
  /** `#rrggbb`. */
  readonly accent: string | null;
}

/** Content of a mail. Its plain text and its HTML are rendered from it, so that both say the same. */
export interface MailContent {
  readonly brand: MailBrand;
  readonly subject: string;
  /** Start of the mail that inboxes show after the subject. The mail itself hides it. */
  readonly preview: string;
  readonly title: MailText;
  readonly blocks: readonly MailBlock[];
  /** Last line: who sent the mail and why. */
  readonly footer: string;
}

/** Returns the text without marks. */
export function plainText(text: MailText): string {
  return typeof text === 'string'
    ? text
    : text.map((part) => (typeof part === 'string' ? part : part.name)).join('');
}
