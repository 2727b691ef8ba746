import { ConsoleApp } from './shell/console-app.js';

/**
 * Loads the views by name: the view `clock` is the element `console-clock` on the page `/sandbox/clock`. Its title and
 * place in the navigation are in `packages/sandbox/src/navigation/console-views.ts`.
 */
ConsoleApp.views = {
  clock: () => import('./views/clock/clock-view.js'),
  faults: () => import('./views/faults/faults-view.js'),
  requests: () => import('./views/requests/requests-view.js'),
  webhooks: () => import('./views/webhooks/webhooks-view.js'),
  payments: () => import('./views/payments/payments-view.js'),
  data: () => import('./views/data/records-view.js'),
  configurator: () => import('./views/configurator/configurator-view.js'),
  snapshots: () => import('./views/snapshots/snapshots-view.js'),
};
customElements.define('console-app', ConsoleApp);
