import { hashSecret } from '../../platform/secrets.js';

/** Domains of one provider that ignores dots in addresses. */
const DOTLESS_DOMAINS = new Set(['gmail.com', 'googlemail.com']);

/**
 * Returns the mailbox that receives mail for an address: without a tag after `+`, and for Gmail without dots. Only for
 * counting mail. Addresses of one mailbox are different identities, because other providers treat them differently.
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

/** Returns the stored form of the mailbox of an address. */
export function mailboxHashOf(email: string): string {
  return hashSecret(mailboxOf(email));
}
