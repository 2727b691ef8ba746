import { ButtonLink, CheckList, Disclosure, Money, Panel, Stats, Steps, TaskList } from '@latchkey/server/ui';
import type { TextOf } from './long-text.js';

/** Parts that show progress, figures and details that open. */
export function ProgressSamples({ text }: { text: TextOf }) {
  return (
    <>
      <Panel heading={text('At a glance')}>
        <Stats
          items={[
            { label: text('Active members'), value: 12, href: '#content' },
            { label: text('Plans for sale'), value: 2 },
            { label: text('Revenue in November'), value: <Money minor={1_234_500} currency="EUR" /> },
          ]}
        />
      </Panel>
      <Panel heading={text('Quick start')}>
        <TaskList
          tasks={[
            taskOf(text, { title: 'Register an app', text: 'It signs your visitors in.', isDone: true }),
            taskOf(text, { title: 'Create a webhook', text: 'Your server receives events.', isDone: false }),
            taskOf(text, { title: 'Create an API key', text: 'Your server calls the API.', isDone: false }),
          ]}
        />
      </Panel>
      <Panel heading={text('Steps')}>
        <Steps
          steps={[
            {
              id: 'sample-shop',
              title: text('Open the shop'),
              text: text('Its page asks you to sign in.'),
              isDone: true,
            },
            {
              id: 'sample-clock',
              title: text('Move the clock'),
              text: text('Memberships renew and end.'),
              action: <ButtonLink href="#content">{text('Choose a time')}</ButtonLink>,
            },
          ]}
        />
      </Panel>
      <Panel heading={text('What has happened')}>
        <CheckList
          checks={[
            { id: 'sample-sign-in', title: text('Sign in'), text: text('Ben signed in.'), isDone: true },
            {
              id: 'sample-payment',
              title: text('Buy a membership'),
              text: text('Pay with the test card.'),
              isDone: false,
            },
          ]}
        />
      </Panel>
      <Panel heading={text('Details')}>
        <Disclosure summary={text('Closed')}>
          <p>{text('Hidden until the summary is clicked.')}</p>
        </Disclosure>
        <Disclosure summary={text('Open')} isOpen>
          <p>{text('Shown from the start.')}</p>
        </Disclosure>
      </Panel>
    </>
  );
}

function taskOf(text: TextOf, task: { title: string; text: string; isDone: boolean }) {
  const action = { href: '#content', label: text('Open') };
  return { title: text(task.title), text: text(task.text), isDone: task.isDone, action };
}
