import type { JSX } from 'preact';
import { render } from 'preact-render-to-string';
import { currentLanguage, textDirection } from '../language/language.js';
import { type MailStyles, mailStyles } from './mail-styles.js';
import type { InlineImage, MailMessage } from './mailer.js';

const LOGO_ID = 'logo';

/** Raster images. Few email programs show SVG. */
const DATA_IMAGE = /^data:(image\/(?:png|jpeg|gif|webp));base64,([A-Za-z0-9+/]+={0,2})$/i;

/** Only a raster image is part of the mail: a URL would tell its owner who opens the mail, when and where. */
function mailLogo(logoUrl: string | null): InlineImage | undefined {
  const [, contentType, base64] = DATA_IMAGE.exec(logoUrl ?? '') ?? [];
  if (contentType === undefined || base64 === undefined) return undefined;
  return { contentId: LOGO_ID, contentType: contentType.toLowerCase(), base64 };
}

/** The HTML has no scripts and loads nothing, so nobody can count its readers. */
export function renderMail(content: MailContent): Pick<MailMessage, 'subject' | 'text' | 'html' | 'images'> {
  const logo = mailLogo(content.brand.logoUrl);
  return {
    subject: content.subject,
    text: renderPlainMail(content),
    html: `<!doctype html>${render(<Mail content={content} logo={logo} />)}`,
    ...(logo && { images: [logo] }),
  };
}

function Mail({ content, logo }: { content: MailContent; logo: InlineImage | undefined }): JSX.Element {
  const { brand, subject, preview, title, blocks, footer } = content;
  const styles = mailStyles(brand.accent);
  return (
    <html lang={currentLanguage().language} dir={textDirection()}>
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <meta name="supported-color-schemes" content="light dark" />
        <title>{subject}</title>
        {/* Constants and a checked colour, no text of a person. */}
        <style dangerouslySetInnerHTML={{ __html: styles.sheet }} />
      </head>
      <body class="mail-page" style={styles.page}>
        <div class="mail-preview" style={styles.preview} aria-hidden="true">
          {preview}
        </div>
        <div class="mail-card" style={styles.card}>
          <p class="mail-brand" style={styles.brand}>
            <Logo name={brand.name} logo={logo} styles={styles} />
            <bdi>{brand.name}</bdi>
          </p>
          <h1 class="mail-title" style={styles.title}>
            <Text text={title} />
          </h1>
          {shownBlocks(blocks).map((block, index) => (
            <Block key={index} block={block} styles={styles} />
          ))}
        </div>
        <p class="mail-footer" style={styles.footer}>
          {footer}
        </p>
      </body>
    </html>
  );
}

/** The logo, else the first letter of the name. The name is next to it, so it has no alternative text. */
function Logo(props: { name: string; logo: InlineImage | undefined; styles: MailStyles }) {
  const { name, logo, styles } = props;
  if (logo !== undefined)
    return <img src={`cid:${logo.contentId}`} alt="" width={40} height={40} style={styles.logo} />;
  return (
    <span class="mail-monogram" style={styles.monogram} aria-hidden="true">
      {/[\p{L}\p{N}]/u.exec(name)?.[0].toUpperCase() ?? '·'}
    </span>
  );
}

function Block({ block, styles }: { block: MailBlock; styles: MailStyles }) {
  if (isText(block))
    return (
      <p class="mail-text" style={styles.text}>
        <Text text={block} />
      </p>
    );
  if ('amount' in block)
    return (
      <p class="mail-amount" style={styles.amount}>
        {block.amount}
      </p>
    );
  if ('code' in block)
    return (
      <p class="mail-code" style={styles.code} dir="ltr">
        {block.code}
      </p>
    );
  if ('facts' in block)
    return (
      <dl class="mail-facts" style={styles.facts}>
        {factsOf(block).map(([label, value]) => (
          <div key={label} class="mail-fact" style={styles.fact}>
            <dt class="mail-label" style={styles.label}>
              {label}
            </dt>
            <dd class="mail-value" style={styles.value}>
              <Text text={value} />
            </dd>
          </div>
        ))}
      </dl>
    );
  if ('button' in block)
    return (
      <p style={styles.buttonRow}>
        <a class="mail-button" style={styles.button} href={block.href}>
          {block.button}
        </a>
      </p>
    );
  return (
    <p class="mail-note" style={styles.note}>
      <Text text={block.note} />
      {block.link !== undefined && (
        <>
          {' '}
          <a class="mail-link" style={styles.link} href={block.link.href}>
            {block.link.label}
          </a>
        </>
      )}
    </p>
  );
}

function Text({ text }: { text: MailText }) {
  if (typeof text === 'string') return <>{text}</>;
  return (
    <>{text.map((part, index) => (typeof part === 'string' ? part : <bdi key={index}>{part.name}</bdi>))}</>
  );
}

function renderPlainMail({ brand, title, blocks, footer }: MailContent): string {
  const parts = [brand.name, plainText(title), ...shownBlocks(blocks).map(blockText), `-- \n${footer}`];
  return `${parts.join('\n\n')}\n`;
}

function blockText(block: MailBlock): string {
  if (isText(block)) return plainText(block);
  if ('amount' in block) return block.amount;
  if ('code' in block) return block.code;
  if ('facts' in block)
    return factsOf(block)
      .map(([label, value]) => `${label}: ${plainText(value)}`)
      .join('\n');
  if ('button' in block) return `${block.button}:\n${block.href}`;
  const { note, link } = block;
  return link === undefined ? plainText(note) : `${plainText(note)}\n${link.label}:\n${link.href}`;
}

function isText(block: MailBlock): block is MailText {
  return typeof block === 'string' || Array.isArray(block);
}

function shownBlocks(blocks: MailContent['blocks']): MailBlock[] {
  return blocks.filter((block) => block !== false);
}

function factsOf({ facts }: { facts: MailFacts }): [string, MailText][] {
  return Object.entries(facts).filter((fact): fact is [string, MailText] => fact[1] !== false);
}

/** Text that marks the names other people wrote. HTML isolates them, so they can't change its direction. */
export type MailText = string | readonly (string | { readonly name: string })[];

/** Facts by label. Facts that are `false` are left out. */
export type MailFacts = Readonly<Record<string, MailText | false>>;

/** A string is a paragraph. A note is less important text, with a link after it. */
export type MailBlock =
  | MailText
  | { readonly amount: string }
  | { readonly code: string }
  | { readonly facts: MailFacts }
  | { readonly button: string; readonly href: string }
  | { readonly note: MailText; readonly link?: { readonly label: string; readonly href: string } };

/** Name, logo and colour at the top of an email. */
export interface MailBrand {
  readonly name: string;
  /** `data:` URL of a PNG, JPEG, GIF or WebP image. Others aren't shown. */
  readonly logoUrl: string | null;
  /** `#rrggbb`. */
  readonly accent: string | null;
}

/** The content of an email. Its plain text and its HTML are rendered from it, so both say the same. */
export interface MailContent {
  readonly brand: MailBrand;
  readonly subject: string;
  /** What inboxes show after the subject. The email itself hides it. */
  readonly preview: string;
  readonly title: MailText;
  /** Blocks that are `false` are left out. */
  readonly blocks: readonly (MailBlock | false)[];
  /** Last line: who sent the email and why. */
  readonly footer: string;
}

function plainText(text: MailText): string {
  return typeof text === 'string'
    ? text
    : text.map((part) => (typeof part === 'string' ? part : part.name)).join('');
}
