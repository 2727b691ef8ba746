export type ViewGroup = 'observe' | 'change' | 'build';

/** A view of the console. Its page is `/sandbox/<name>`. */
export interface ConsoleViewPage {
  /** Name in the URL, and in the table of views in the package `console`. */
  readonly name: string;
  /** Title of the page, and label in the navigation. */
  readonly label: string;
  readonly lead: string;
  readonly group: ViewGroup;
  /** True if the view shows pages of the sandbox in frames. @default false */
  readonly framesPages?: boolean;
}

/** All views, in the order of the navigation. */
export const CONSOLE_VIEWS: readonly ConsoleViewPage[] = [
  {
    name: 'requests',
    label: 'Requests',
    lead: 'Each call of the service, with the rule that decided its answer.',
    group: 'observe',
  },
  {
    name: 'webhooks',
    label: 'Webhooks',
    lead: 'Each event of the service, with every attempt to deliver it.',
    group: 'observe',
  },
  {
    name: 'payments',
    label: 'Payments',
    lead: 'The simulated payment provider: refunds, disputes, checks by the bank, and its webhooks.',
    group: 'observe',
  },
  {
    name: 'data',
    label: 'Data',
    lead: 'Users, communities, plans, clients and all else that the service stores.',
    group: 'change',
  },
  {
    name: 'configurator',
    label: 'Configurator',
    lead: 'The elements with every setting, live, and the code for your site.',
    group: 'build',
    framesPages: true,
  },
  {
    name: 'faults',
    label: 'Faults',
    lead: 'Failures on demand: latency, errors, lost answers, broken bodies, and webhook deliveries that go wrong.',
    group: 'change',
  },
  {
    name: 'clock',
    label: 'Clock',
    lead: 'Move the time of the service forward. Everything that is due in between happens in order.',
    group: 'change',
  },
  {
    name: 'snapshots',
    label: 'Snapshots',
    lead: 'Start over with a scenario, or save all data and the time and come back to them.',
    group: 'change',
  },
];
