import type { MailMessage } from '../../platform/mail/mailer.js';
import { SIGN_IN_CODE_LIFETIME_SECONDS } from './sign-in-codes.js';

/** Content of the mail with a sign-in code. */
interface SignInMail {
  to: string;
  code: string;
  /** Letters that the page shows too. */
  reference: string;
  /** Link that lets one browser request codes after many requests by others. */
  browserLink: string | undefined;
}

/** Returns the mail with a sign-in code. The subject does not contain the code, because locked screens show subjects. */
export function signInMail({ to, code, reference, browserLink }: SignInMail): MailMessage {
  return {
    to,
    subject: 'Your sign-in code',
    text: `Your sign-in code is ${code}

It works for ${SIGN_IN_CODE_LIFETIME_SECONDS / 60} minutes, in the browser window that shows the reference ${reference}.
Never share this code: we will not ask you for it. If you did not request a code, ignore this message.
${browserLink === undefined ? '' : linkText(browserLink)}`,
    code,
  };
}

function linkText(browserLink: string): string {
  return `
Many codes were requested for this address. If the sign-in page rejects your request, open this link in the same browser.
You can then request a code there, whatever others do. The link itself does not sign you in.

${browserLink}
`;
}
