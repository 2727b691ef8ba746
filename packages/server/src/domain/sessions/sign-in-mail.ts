import type { MailMessage } from '../../platform/mail/mailer.js';
import { SIGN_IN_CODE_LIFETIME_SECONDS } from './sign-in-codes.js';

/** The message that carries a sign-in code. The subject has no code: it shows on locked screens. */
export function signInMail(to: string, code: string): MailMessage {
  return {
    to,
    subject: 'Your sign-in code',
    text: `Your sign-in code is ${code}

It works for ${SIGN_IN_CODE_LIFETIME_SECONDS / 60} minutes, in the browser window where you asked for it.
Nobody who is entitled to it will ever ask you for this code. If you did not ask for it, do nothing.
`,
    code,
  };
}
