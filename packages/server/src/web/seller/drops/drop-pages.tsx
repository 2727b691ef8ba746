import { type DropState, dropState } from '../../../domain/drops/drop.js';
import type { DropSignup } from '../../../domain/drops/drop-signups.js';
import type { DropSlot } from '../../../domain/drops/drops.js';
import type { Page } from '../../ui/frame/send-page.js';
import { date, defineForm, type FormValues, text } from '../../ui/parts/define-form.js';
import { wholeNumberOf } from '../../ui/parts/form.js';
import { ActionForm, ButtonLink, PostForm } from '../../ui/parts/form-parts.js';
import { ListPanel, type ShownList } from '../../ui/parts/list-panel.js';
import { Dialog, Panel } from '../../ui/parts/panel.js';
import { CopyText, Count, Pill, Time } from '../../ui/parts/values.js';
import {
  type CommunityPageProps,
  communityPath,
  type NewProps,
  renderCommunityPage,
  renderNewPage,
} from '../frame/seller-page.js';
import { NameLink, timeUntilInWords } from '../frame/seller-parts.js';

/** Form of a new drop. A blank `slots` means no limit, a blank `endsAt` no end. */
export const NEW_DROP = dropForm('Leave blank to start now.');

export const DROP = dropForm('Leave blank to keep the current start.');

function dropForm(startHint: string) {
  return defineForm({
    name: text({ label: 'Name', maxLength: 200, required: true }),
    slots: text({
      label: 'Slots',
      hint: 'Maximum number of signups. Leave blank for no limit.',
      inputMode: 'numeric',
      parse: wholeNumberOf,
    }),
    startsAt: date({ label: 'Starts', hint: startHint }),
    endsAt: date({
      label: 'Ends',
      hint: 'Leave blank for no end. Without a time, it ends as the day begins.',
    }),
  });
}

/** Renders the drops of a community, latest start first. The list has the earliest start first. */
export function sellerDropsPage(
  props: CommunityPageProps & { drops: ShownList<DropSlot>; now: number },
): Page {
  const { community, drops, now } = props;
  const path = `${communityPath(community.id)}/drops`;
  const newDrop = { href: `${path}/new`, label: 'New drop' };
  return renderCommunityPage({
    ...props,
    section: 'drops',
    title: 'Drops',
    children: (
      <ListPanel
        heading="Latest start first"
        actions={
          <ButtonLink kind="primary" isSmall href={newDrop.href}>
            {newDrop.label}
          </ButtonLink>
        }
        label="Drops"
        list={{ ...drops, rows: drops.rows.toReversed() }}
        columns={[
          {
            heading: 'Drop',
            cell: ({ id, name }) => <NameLink href={`${path}/${id}`} name={name} />,
            isRowHeading: true,
          },
          { heading: 'Status', cell: (drop) => <DropPill drop={drop} now={now} /> },
          { heading: 'Starts', cell: ({ startsAt }) => <Time at={startsAt} /> },
          {
            heading: 'Ends',
            cell: ({ endsAt }) => (endsAt === null ? <span class="muted">Never</span> : <Time at={endsAt} />),
          },
          { heading: 'Signups', isNumeric: true, cell: (drop) => <Signups drop={drop} /> },
        ]}
        empty={{
          title: 'No drops yet',
          text: 'A drop opens a limited number of places at a set time. People sign up on your site until the places are taken.',
          action: newDrop,
        }}
        noMore="There are no more drops."
        path={path}
        first="latest drops"
      />
    ),
  });
}

/** Renders the form of a new drop: `POST …/drops`. */
export function newDropPage(props: CommunityPageProps & NewProps<FormValues<typeof NEW_DROP>>): Page {
  return renderNewPage({
    ...props,
    section: 'drops',
    title: 'New drop',
    submit: 'Create drop',
    fields: NEW_DROP.fields(props),
  });
}

/** Renders a drop with its signups. `POST …/drops/{id}` saves it, `POST …/drops/{id}/end` ends it, `GET …/signups.csv`. */
export function sellerDropPage(
  props: CommunityPageProps & {
    drop: DropSlot;
    values: FormValues<typeof DROP>;
    signups: ShownList<DropSignup>;
    now: number;
  },
): Page {
  const { community, drop, frame, now, signups } = props;
  const drops = `${communityPath(community.id)}/drops`;
  const path = `${drops}/${drop.id}`;
  const state = dropState(drop, now);
  return renderCommunityPage({
    ...props,
    section: 'drops',
    title: `Drop ${drop.name}`,
    heading: <bdi>{drop.name}</bdi>,
    parent: { href: drops, label: 'Drops' },
    children: (
      <>
        <Facts drop={drop} now={now} />
        <SignupList signups={signups} path={path} />
        <Panel heading="Edit drop" id="edit">
          <PostForm action={path} account={frame.account} submit="Save drop">
            {DROP.fields(props)}
          </PostForm>
        </Panel>
        {(state === 'running' || state === 'upcoming') && (
          <EndDrop isRunning={state === 'running'} account={frame.account} action={`${path}/end`} />
        )}
      </>
    ),
  });
}

function Facts({ drop, now }: { drop: DropSlot; now: number }) {
  const { startsAt, endsAt } = drop;
  const state = dropState(drop, now);
  return (
    <Panel heading="Drop" actions={<DropPill drop={drop} now={now} />} id="facts">
      <dl class="facts">
        <dt>{startsAt > now ? 'Starts' : 'Started'}</dt>
        <dd>
          <Time at={startsAt} />
          {state === 'upcoming' && `, ${timeUntilInWords(startsAt, now)}`}
        </dd>
        <dt>{endsAt === null || endsAt > now ? 'Ends' : 'Ended'}</dt>
        <dd>
          {endsAt === null ? 'Never' : <Time at={endsAt} />}
          {state === 'running' && endsAt !== null && `, ${timeUntilInWords(endsAt, now)}`}
        </dd>
        <dt>Signups</dt>
        <dd>
          <Signups drop={drop} />
          {drop.slots === null ? ', no limit' : drop.slotsUsed >= drop.slots && ', all taken'}
        </dd>
        <dt>Drop ID</dt>
        <dd>
          <CopyText label="drop ID" value={drop.id} />
        </dd>
      </dl>
    </Panel>
  );
}

function SignupList({ signups, path }: { signups: ShownList<DropSignup>; path: string }) {
  return (
    <ListPanel
      heading="Signups"
      id="signups"
      actions={
        (signups.rows.length > 0 || !signups.isFirst) && (
          <ButtonLink isSmall href={`${path}/signups.csv`} download>
            Download as CSV
          </ButtonLink>
        )
      }
      label="Signups"
      list={signups}
      columns={[
        { heading: 'E-mail address', cell: ({ email }) => <bdi>{email}</bdi>, isRowHeading: true },
        {
          heading: 'Phone number',
          cell: ({ phoneNumber }) =>
            phoneNumber === null ? <span class="muted">None</span> : <bdi>{phoneNumber}</bdi>,
        },
        { heading: 'Signed up', cell: ({ createdAt }) => <Time at={createdAt} /> },
      ]}
      empty={{
        title: 'No signups yet',
        text: 'People who sign up for this drop on your site appear here.',
      }}
      noMore="There are no more signups."
      path={path}
      first="beginning"
    />
  );
}

function EndDrop({ isRunning, account, action }: { isRunning: boolean; account: string; action: string }) {
  const verb = isRunning ? 'End' : 'Cancel';
  return (
    <Panel heading={`${verb} drop`} tone="danger" id="end">
      <p class="muted">The drop accepts no more signups. Existing signups stay on the list.</p>
      <div class="panel-actions">
        <Dialog id="end-drop" button={`${verb} drop…`} buttonKind="danger" title={`${verb} this drop now?`}>
          <ul class="notes">
            <li>{isRunning ? 'Signups stop at once.' : 'The drop never opens for signups.'}</li>
            <li>Existing signups stay on the list.</li>
            <li>You can set a new end later.</li>
          </ul>
          <ActionForm action={action} account={account} label={`${verb} drop now`} isDanger />
        </Dialog>
      </div>
    </Panel>
  );
}

const PILLS: Readonly<Record<DropState, { tone: 'good' | 'warn' | 'neutral'; label: string }>> = {
  upcoming: { tone: 'warn', label: 'Upcoming' },
  running: { tone: 'good', label: 'Running' },
  ended: { tone: 'neutral', label: 'Ended' },
  cancelled: { tone: 'neutral', label: 'Cancelled' },
};

function DropPill({ drop, now }: { drop: DropSlot; now: number }) {
  const { tone, label } = PILLS[dropState(drop, now)];
  return <Pill tone={tone}>{label}</Pill>;
}

/** Number of signups, with the number of slots if there is a limit: "12 of 100". */
function Signups({ drop: { slots, slotsUsed } }: { drop: DropSlot }) {
  return (
    <span>
      <Count value={slotsUsed} />
      {slots !== null && (
        <>
          {' of '}
          <Count value={slots} />
        </>
      )}
    </span>
  );
}
