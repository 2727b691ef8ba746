import { methodNotAllowed, requestQuery } from '@latchkey/server/extension';
import {
  Button,
  ButtonLink,
  CheckList,
  ChoiceGroup,
  DateField,
  Disclosure,
  ErrorSummary,
  Money,
  MoneyField,
  type Page,
  Panel,
  renderDocument,
  SegmentedField,
  SelectField,
  Stats,
  Steps,
  SubNav,
  Switch,
  sendPage,
  TaskList,
  TextArea,
  TextField,
} from '@latchkey/server/ui';
import { Router } from 'express';
import { sandboxHeader } from '../navigation/sandbox-nav.js';
import { longText, type TextOf } from './long-text.js';
import { Samples } from './part-samples.js';

const PARTS_PATH = '/sandbox/parts';

/** The page with every part of the pages in every state. Its switches are URL parameters, so it needs no script. */
export function partsRoutes(): Router {
  const router = Router({ caseSensitive: true, strict: true });
  router
    .route(PARTS_PATH)
    .get((request, response) => {
      const query = requestQuery(request);
      const scheme = (['light', 'dark'] as const).find((value) => value === query.get('scheme'));
      const dir = (['ltr', 'rtl'] as const).find((value) => value === query.get('dir'));
      sendPage(response, partsPage({ scheme, dir, isLong: query.get('long') === '1' }));
    })
    .all(methodNotAllowed('GET'));
  return router;
}

/** How the parts are shown. */
interface PartsView {
  scheme: 'light' | 'dark' | undefined;
  dir: 'ltr' | 'rtl' | undefined;
  /** True to make strings 1.4 times as long. */
  isLong: boolean;
}

/** Renders the page with every part of the pages in every state. */
function partsPage(view: PartsView): Page {
  const text: TextOf = view.isLong ? longText : (same) => same;
  return renderDocument({
    title: 'Parts',
    layout: 'reference',
    scheme: view.scheme,
    dir: view.dir,
    ...sandboxHeader(),
    children: (
      <main class="console" id="content" tabIndex={-1}>
        <div class="console-heading">
          <h1>Parts of the pages</h1>
          <p>Every part in every state, for reviews and for pictures.</p>
        </div>
        <Switches view={view} />
        <Samples text={text} />
        <ProgressSamples text={text} />
        <FieldSamples text={text} />
      </main>
    ),
  });
}

function Switches({ view }: { view: PartsView }) {
  const schemes = [
    { label: 'Own scheme', view: { ...view, scheme: undefined } },
    { label: 'Light', view: { ...view, scheme: 'light' as const } },
    { label: 'Dark', view: { ...view, scheme: 'dark' as const } },
  ];
  const directions = [
    { label: 'Left to right', view: { ...view, dir: undefined } },
    { label: 'Right to left', view: { ...view, dir: 'rtl' as const } },
  ];
  const texts = [
    { label: 'Short texts', view: { ...view, isLong: false } },
    { label: 'Long texts', view: { ...view, isLong: true } },
  ];
  const items = (links: readonly { label: string; view: PartsView }[]) =>
    links.map((link) => ({ label: link.label, href: hrefOf(link.view) }));
  return (
    <>
      <SubNav label="Colour scheme" items={items(schemes)} current={hrefOf(view)} />
      <SubNav label="Direction" items={items(directions)} current={hrefOf(view)} />
      <SubNav label="Length of texts" items={items(texts)} current={hrefOf(view)} />
    </>
  );
}

function hrefOf({ scheme, dir, isLong }: PartsView): string {
  const query = new URLSearchParams({
    ...(scheme !== undefined && { scheme }),
    ...(dir === 'rtl' && { dir }),
    ...(isLong && { long: '1' }),
  });
  return query.size === 0 ? PARTS_PATH : `${PARTS_PATH}?${query}`;
}

/** Parts that show progress, figures and details that open. */
function ProgressSamples({ text }: { text: TextOf }) {
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

/** Fields of forms: empty, filled and with errors. */
function FieldSamples({ text }: { text: TextOf }) {
  const errors = [
    { field: 'faulty-email', message: text('Enter an e-mail address, such as ada@example.com.') },
    { field: 'faulty-price', message: text('Enter a price, such as 9.50 or 9,50.') },
    { field: 'faulty-ends', message: text('Enter an end in the future.') },
  ];
  return (
    <>
      <Panel heading={text('Fields')}>
        <form class="form" method="get" action="/sandbox/parts">
          <TextField
            name="name"
            label={text('Name')}
            hint={text('Members see it.')}
            value="Roaster’s Table"
          />
          <TextArea name="text" label={text('Description')} value={text('Two bags a month.')} />
          <div class="field-pair">
            <DateField
              name="starts"
              label={text('Starts')}
              hint={text('Leave blank to start now.')}
              value={null}
            />
            <DateField name="ends" label={text('Ends')} value={Date.UTC(2026, 11, 5, 18, 30)} hasTime />
          </div>
          <div class="field-pair">
            <MoneyField name="price" label={text('Price')} value="9,50" currency="EUR" />
            <SelectField
              name="interval"
              label={text('Interval')}
              value="month"
              options={[
                { value: 'month', label: text('Every month') },
                { value: 'year', label: text('Every year') },
              ]}
            />
          </div>
          <SegmentedField
            name="reply"
            label={text('Reply with')}
            value="500"
            options={['204', '500', 'timeout'].map((value) => ({ value, label: text(value) }))}
          />
          <ChoiceGroup
            name="scopes"
            label={text('Scopes')}
            type="checkbox"
            choices={[
              {
                value: 'm',
                label: 'memberships.read',
                hint: text('Current access and end dates.'),
                checked: true,
              },
              { value: 'p', label: 'products.read', checked: false },
            ]}
          />
          <Switch name="listed" label={text('Show on the public page')} checked />
          <div class="form-actions">
            <Button kind="primary">{text('Save changes')}</Button>
            <a href="#content">{text('Cancel')}</a>
          </div>
        </form>
      </Panel>
      <ErrorSummary errors={errors} />
      <Panel heading={text('Fields with errors')}>
        <form class="form" method="get" action="/sandbox/parts">
          <TextField name="faulty-email" label={text('E-mail')} value="ada@" errors={errors} />
          <MoneyField name="faulty-price" label={text('Price')} value="nine" currency="EUR" errors={errors} />
          <DateField name="faulty-ends" label={text('Ends')} value={null} hasTime errors={errors} />
        </form>
      </Panel>
    </>
  );
}
