import { checkSessionButton, howDrawer, trialLink } from './how/how-drawer.js';
import { type Html, html } from './html.js';

/** The drawer of the shop with static files. */
export function staticDrawer(serviceUrl: string): Html {
  const sandbox = `${serviceUrl}/sandbox`;
  return howDrawer({
    serviceUrl,
    summary:
      'This shop is static files and one script tag, under a strict Content-Security-Policy. The widget signs in with PKCE and keeps the tokens in memory. What needs a secret or a guard is in the shop with a backend.',
    trials: [
      {
        title: 'Sign in as Ada, Ben or Cleo',
        text: 'Ada is a member, so the table opens. Ben is not, and Cleo’s membership expired a week ago. The page says why it stays closed.',
      },
      {
        title: 'Switch account',
        text: 'Open the account menu, and choose “Switch account”. The service lists the accounts of this browser. It remembers the consent of each.',
        actions: trialLink(`${serviceUrl}/account`, 'Open the account page'),
      },
      {
        title: 'Decline the sign-in',
        text: 'Decline on the consent page, or close the popup. The widget explains what happened and offers to try again.',
      },
      {
        title: 'Use an e-mailed code',
        text: 'Enter an e-mail address instead of picking a user. The sandbox’s mailbox shows the code.',
        actions: trialLink(`${serviceUrl}/sandbox/mailbox`, 'Open the mailbox'),
      },
      {
        title: 'Let the session expire',
        text: 'Sign in, move the service’s clock by 31 days, return to this page, and check the session.',
        actions: html`${trialLink(sandbox, 'Move the clock')} ${checkSessionButton}`,
      },
    ],
  });
}
