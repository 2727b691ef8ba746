import { hashSecret } from '../../platform/secrets.js';

/** The domains of Gmail, which ignores dots in addresses. */
const DOTLESS_DOMAINS = new Set(['gmail.com', 'googlemail.com']);

/**
 * Returns the mailbox that receives an address's mail: without a tag after `+`, and for Gmail without dots. Use it only
 * to count mail. Two addresses with the same mailbox remain different identities, since providers treat tags and dots
 * differently.
 *
 * @param email email address, trimmed and in lower case.
 */
export function mailboxOf(email: string): string {
  const at = email.lastIndexOf('@');
  const [local, domain] = [email.slice(0, at), email.slice(at + 1)];
  const plus = local.indexOf('+');
  const untagged = plus > 0 ? local.slice(0, plus) : local;
  if (!DOTLESS_DOMAINS.has(domain)) return `${untagged}@${domain}`;
  return `${untagged.replaceAll('.', '')}@gmail.com`;
}

/** Returns the hash of an address's mailbox, the form in which it's stored. */
export function mailboxHashOf(email: string): string {
  return hashSecret(mailboxOf(email));
}
