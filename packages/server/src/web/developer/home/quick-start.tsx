import { Panel } from '../../ui/parts/panel.js';
import { type Task, TaskList } from '../../ui/parts/task-list.js';

/** Numbers that show how far a developer has come. */
export interface DeveloperProgress {
  clients: number;
  /** True if a user has allowed one of the apps. */
  hasSignIns: boolean;
  /** Number of active keys. */
  apiKeys: number;
  webhooks: number;
  /** True if an endpoint has answered an event with 2xx. */
  hasAnswers: boolean;
  /** An app to open for the next step; the list of apps without one. */
  firstApp: string;
}

/** First steps of a developer, until all of them are done. */
export function QuickStart({ progress }: { progress: DeveloperProgress }) {
  const steps = stepsOf(progress);
  const done = steps.filter(({ isDone }) => isDone).length;
  if (done === steps.length) return null;
  return (
    <Panel
      id="quick-start"
      heading="Quick start"
      actions={<p class="muted">{`${done} of ${steps.length} done`}</p>}
    >
      <TaskList tasks={steps} />
    </Panel>
  );
}

function stepsOf(progress: DeveloperProgress): Task[] {
  return [
    {
      title: 'Register an app',
      text: 'It has the client ID that your site signs visitors in with.',
      isDone: progress.clients > 0,
      action: { href: '/developer/clients/new', label: 'Register app' },
    },
    {
      title: 'Sign the first visitor in',
      text: 'Copy the code from the page of your app into your site.',
      isDone: progress.hasSignIns,
      action: { href: progress.firstApp, label: 'Open code' },
    },
    {
      title: 'Create a webhook',
      text: 'Your server learns of payments and memberships within seconds.',
      isDone: progress.webhooks > 0,
      action: { href: '/developer/webhooks/new', label: 'Create webhook' },
    },
    {
      title: 'Receive the first event',
      text: 'Your endpoint verifies the signature and responds with a 2xx status.',
      isDone: progress.hasAnswers,
      action: { href: '/developer/webhooks', label: 'View webhooks' },
    },
    {
      title: 'Create an API key',
      text: 'Your server needs it for checkouts, invite links and membership checks.',
      isDone: progress.apiKeys > 0,
      action: { href: '/developer/api-keys/new', label: 'Create key' },
    },
  ];
}
