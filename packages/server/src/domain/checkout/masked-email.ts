/** Masks an email address: `d•••@example.com`. A local part of one or two characters is hidden completely. */
export function maskEmail(email: string): string {
  const at = email.lastIndexOf('@');
  return `${at > 2 ? email.slice(0, 1) : ''}•••${email.slice(at)}`;
}
