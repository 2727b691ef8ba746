/**
 * An address as somebody knows it who has it, and as nobody learns it who has not: `d•••@example.com`. Of a name of one
 * or two characters nothing is left.
 */
export function maskEmail(email: string): string {
  const at = email.lastIndexOf('@');
  return `${at > 2 ? email.slice(0, 1) : ''}•••${email.slice(at)}`;
}
