import { ConsoleApp, type ViewEntry } from './shell/console-app.js';

/**
 * The console's views by name. The name is also the page's, `/sandbox/<name>`; its title and place in the navigation
 * are in `packages/sandbox/src/navigation/console-views.ts`.
 */
const VIEWS: Readonly<Record<string, ViewEntry>> = {
  clock: { element: 'console-clock', load: () => import('./views/clock/clock-view.js') },
  faults: { element: 'console-faults', load: () => import('./views/faults/faults-view.js') },
  requests: { element: 'console-requests', load: () => import('./views/requests/requests-view.js') },
  webhooks: { element: 'console-webhooks', load: () => import('./views/webhooks/webhooks-view.js') },
  payments: { element: 'console-payments', load: () => import('./views/payments/payments-view.js') },
  data: { element: 'console-data', load: () => import('./views/data/records-view.js') },
  configurator: {
    element: 'console-configurator',
    load: () => import('./views/configurator/configurator-view.js'),
  },
  snapshots: { element: 'console-snapshots', load: () => import('./views/snapshots/snapshots-view.js') },
};

ConsoleApp.views = VIEWS;
customElements.define('console-app', ConsoleApp);
