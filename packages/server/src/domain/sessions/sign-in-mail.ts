import type { MailMessage } from '../../platform/mail/mailer.js';
import { SIGN_IN_CODE_LIFETIME_SECONDS } from './sign-in-codes.js';

/** Returns the mail with a sign-in code. The subject does not contain the code, because locked screens show subjects. */
export function signInMail(to: string, code: string): MailMessage {
  return {
    to,
    subject: 'Your sign-in code',
    text: `Your sign-in code is ${code}

It works for ${SIGN_IN_CODE_LIFETIME_SECONDS / 60} minutes, in the browser window where you requested it.
Never share this code: we will not ask you for it. If you did not request a code, ignore this message.
`,
    code,
  };
}
