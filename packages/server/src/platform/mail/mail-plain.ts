import { type MailBlock, type MailContent, type MailLink, plainText } from './mail-content.js';

/** Renders the plain text of a mail. */
export function renderPlainMail({ brand, title, blocks, footer }: MailContent): string {
  const parts = [brand.name, plainText(title), ...blocks.map(blockText), `-- \n${footer}`];
  return `${parts.join('\n\n')}\n`;
}

function blockText(block: MailBlock): string {
  switch (block.kind) {
    case 'text':
      return plainText(block.text);
    case 'amount':
      return block.amount;
    case 'code':
      return block.code;
    case 'facts':
      return block.facts.map(({ label, value }) => `${label}: ${plainText(value)}`).join('\n');
    case 'button':
      return linkText(block);
    case 'note':
      return block.link === undefined
        ? plainText(block.text)
        : `${plainText(block.text)}\n${linkText(block.link)}`;
  }
}

function linkText({ label, href }: MailLink): string {
  return `${label}:\n${href}`;
}
