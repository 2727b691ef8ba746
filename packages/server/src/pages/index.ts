/** The service's pages: pure functions of their props to a whole HTML document. */
export {
  type AccountApp,
  type AccountMembership,
  type AccountPageProps,
  accountPage,
} from './account-page.js';
export { type ConsentPageProps, consentPage } from './consent-page.js';
export { type MailPageProps, mailPage } from './mail-page.js';
export { type MailboxPageProps, type MailSummary, mailboxPage } from './mailbox-page.js';
export { type MessagePageProps, messagePage } from './message-page.js';
export { PAGE_STYLESHEET, PAGE_STYLESHEET_PATH } from './page-stylesheet.js';
export type { ClientSummary } from './parts/client-summary.js';
export type { PagePerson } from './parts/person.js';
export { type SandboxClient, type SandboxHomePageProps, sandboxHomePage } from './sandbox-home-page.js';
export { type SignInCodePageProps, signInCodePage } from './sign-in-code-page.js';
export { type SandboxUser, type SignInPageProps, signInPage } from './sign-in-page.js';
export { type SignedOutPageProps, signedOutPage } from './signed-out-page.js';
export { type WidgetCallbackPageProps, widgetCallbackPage } from './widget-callback-page.js';
