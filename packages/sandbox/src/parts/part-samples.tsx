import {
  Button,
  ButtonLink,
  CodeBlock,
  type Column,
  CopyField,
  CopyText,
  Count,
  Dialog,
  EmptyState,
  Money,
  Notice,
  Panel,
  Pill,
  Table,
  Time,
} from '@latchkey/server/ui';
import type { TextOf } from './long-text.js';

/** 22 November 2026, 06:51:07 UTC. */
const MORNING = Date.UTC(2026, 10, 22, 6, 51, 7);

const EVENT = `{
  "id": "evt_5d4c3b2a",
  "type": "membership.created",
  "data": { "communityId": "5eed0000-0000-4000-8000-0000000000c0", "email": "ada@example.com" }
}`;

/** Parts that show something, in every state. */
export function Samples({ text }: { text: TextOf }) {
  return (
    <>
      <Buttons text={text} />
      <Tables text={text} />
      <Panel heading={text('Statuses, times and numbers')}>
        <p class="sample-row">
          <Pill tone="good">{text('Active')}</Pill>
          <Pill tone="warn">{text('Pending')}</Pill>
          <Pill tone="bad">{text('Failed')}</Pill>
          <Pill tone="neutral">{text('Ended')}</Pill>
        </p>
        <p>
          {text('Since')} <Time at={MORNING} precision="date" />, <Time at={MORNING} />,{' '}
          <Time at={MORNING} precision="second" />
        </p>
        <p>
          <Count value={12_500} /> {text('members at')} <Money minor={950} currency="EUR" />,{' '}
          <Money minor={1_234_567} currency="USD" />, <Money minor={900} currency="JPY" />
        </p>
      </Panel>
      <Copies text={text} />
      <Notice text={text('Settings saved.')} />
      <Panel heading={text('Delete app')} tone="danger">
        <p>{text('Signs all users out of the app and removes its client id for good.')}</p>
        <div class="panel-actions">
          <Button kind="danger">{text('Delete app')}</Button>
        </div>
      </Panel>
    </>
  );
}

function Buttons({ text }: { text: TextOf }) {
  return (
    <Panel
      heading={text('Buttons')}
      actions={
        <ButtonLink href="#content" isSmall>
          {text('Edit')}
        </ButtonLink>
      }
    >
      <div class="sample-row">
        <Button kind="primary">{text('Save changes')}</Button>
        <Button>{text('Send test event')}</Button>
        <Button kind="danger">{text('End membership')}</Button>
        <Button kind="quiet">{text('Cancel')}</Button>
        <Button disabled>{text('Search')}</Button>
      </div>
      <div class="sample-row">
        <Button kind="primary" isSmall>
          {text('New plan')}
        </Button>
        <Button isSmall>{text('Edit')}</Button>
        <Button kind="danger" isSmall>
          {text('Revoke')}
        </Button>
        <Button kind="quiet" isSmall>
          {text('Copy')}
        </Button>
        <Dialog id="sample-dialog" button={text('Open dialog')} title={text('End this membership?')}>
          <p>{text('Ada Member loses access now. Payments already made are not refunded.')}</p>
          <div class="panel-actions">
            <Button kind="danger">{text('End membership')}</Button>
          </div>
        </Dialog>
      </div>
    </Panel>
  );
}

interface SampleMember {
  name: string;
  email: string;
  tone: 'good' | 'warn' | 'bad' | 'neutral';
  status: string;
  paid: number;
}

const MEMBERS: readonly SampleMember[] = [
  { name: 'Ada Member', email: 'ada@example.com', tone: 'good', status: 'Active', paid: 1800 },
  { name: 'Cleo Lapsed', email: 'cleo@example.com', tone: 'neutral', status: 'Ended', paid: 125_000 },
  {
    name: 'Wolfeschlegelsteinhausenbergerdorff-Montgomery the Third',
    email: 'a.person.with.a.very.long.address@subdomain.of.an.example.org',
    tone: 'bad',
    status: 'Payment failed',
    paid: 0,
  },
];

function Tables({ text }: { text: TextOf }) {
  const columns: Column<SampleMember>[] = [
    {
      heading: text('Member'),
      cell: ({ name, email }) => (
        <>
          <a href="#content">
            <bdi>{name}</bdi>
          </a>
          <br />
          <span class="muted">{email}</span>
        </>
      ),
    },
    { heading: text('Status'), cell: ({ tone, status }) => <Pill tone={tone}>{text(status)}</Pill> },
    { heading: text('Since'), cell: () => <Time at={MORNING} precision="date" /> },
    { heading: text('Paid'), isNumeric: true, cell: ({ paid }) => <Money minor={paid} currency="EUR" /> },
    {
      heading: text('Actions'),
      isHeadingHidden: true,
      cell: () => (
        <ButtonLink href="#content" isSmall>
          {text('Edit')}
        </ButtonLink>
      ),
    },
  ];
  return (
    <>
      <Panel heading={text('Members')}>
        <Table label={text('Members')} columns={columns} rows={MEMBERS} />
      </Panel>
      <Panel heading={text('Invitations')}>
        <Table
          label={text('Invitations')}
          columns={columns}
          rows={[]}
          empty={
            <EmptyState
              title={text('No invitations')}
              text={text('Invite a person by e-mail. They decide when to accept.')}
              action={{ href: '#', label: text('Invite a member') }}
            />
          }
        />
      </Panel>
    </>
  );
}

function Copies({ text }: { text: TextOf }) {
  return (
    <Panel heading={text('Values to copy')}>
      <div class="form">
        <CopyField label={text('Client ID')} value="oac_c0ffee00c0ffee00c0ffee00" />
        <CopyField
          label={text('Client secret')}
          value="ocs_1f0e2d3c4b5a69788796a5b4c3d2e1f01f0e2d3c4b5a69788796a5b4c3d2e1f0"
          hint={text('Shown this once.')}
          isSecret
        />
        <p>
          {text('Community ID')}{' '}
          <CopyText label={text('Community ID')} value="5eed0000-0000-4000-8000-0000000000c0" />
        </p>
        <CodeBlock label={text('Request body')} text={EVENT} language="json" />
        <CodeBlock
          label={text('Command')}
          text="curl --header 'Authorization: Bearer sk_sandbox_0123456789abcdef' https://members.example/api/membership/list-communities"
          language="shell"
          wraps
        />
      </div>
    </Panel>
  );
}
