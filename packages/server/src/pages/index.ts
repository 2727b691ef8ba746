/** The service's pages: pure functions of their props to a whole HTML document. */
export { type AccountPageProps, accountPage } from './account-page.js';
export { type ConsentPageProps, consentPage } from './consent-page.js';
export { mailPage } from './mail-page.js';
export { mailboxPage } from './mailbox-page.js';
export { messagePage } from './message-page.js';
export { PAGE_STYLESHEET, PAGE_STYLESHEET_PATH } from './page-stylesheet.js';
export type { AreaFrame } from './parts/area-page.js';
export type { ClientSummary } from './parts/client-summary.js';
export { sandboxHomePage } from './sandbox-home-page.js';
export { signInCodePage } from './sign-in-code-page.js';
export { type SandboxUser, signInPage } from './sign-in-page.js';
export { signedOutPage } from './signed-out-page.js';
export { widgetCallbackPage } from './widget-callback-page.js';
