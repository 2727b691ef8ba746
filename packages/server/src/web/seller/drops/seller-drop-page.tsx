import type { AdministeredCommunity } from '../../../domain/communities/community-access.js';
import { dropState } from '../../../domain/drops/drop.js';
import type { DropSignup } from '../../../domain/drops/drop-signups.js';
import type { DropSlot } from '../../../domain/drops/drops.js';
import type { ListPage } from '../../../platform/database/keyset.js';
import type { Page } from '../../ui/frame/site.js';
import { AccountField } from '../../ui/parts/account-field.js';
import { ActionForm } from '../../ui/parts/action-form.js';
import { Button, ButtonLink } from '../../ui/parts/button.js';
import { CopyText } from '../../ui/parts/copy.js';
import { Dialog } from '../../ui/parts/dialog.js';
import { EmptyState } from '../../ui/parts/empty-state.js';
import { Pager } from '../../ui/parts/pager.js';
import { Panel } from '../../ui/parts/panel.js';
import { Table } from '../../ui/parts/table.js';
import { Time } from '../../ui/parts/time.js';
import { renderCommunityPage, type SellerPageProps } from '../frame/seller-page.js';
import { communityPath } from '../frame/seller-paths.js';
import { timeUntilInWords } from '../frame/seller-wording.js';
import { type DropFields, DropFormFields } from './drop-form-fields.js';
import { DropPill, Signups } from './drop-status.js';

export interface SellerDropPageProps extends SellerPageProps {
  community: AdministeredCommunity;
  drop: DropSlot;
  fields: DropFields;
  signups: ListPage<DropSignup>;
  /** True for the first page of signups. */
  isFirst: boolean;
  /** Milliseconds since the epoch. */
  now: number;
}

/** Renders a drop with its signups. `POST …/drops/{id}` saves it, `POST …/drops/{id}/end` ends it, `GET …/signups.csv`. */
export function sellerDropPage(props: SellerDropPageProps): Page {
  const { community, drop, frame, now } = props;
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
        <SignupTable {...props} path={path} />
        <Panel heading="Edit drop" id="edit">
          <form class="form" method="post" action={path}>
            <AccountField account={frame.account} />
            <DropFormFields
              fields={props.fields}
              errors={props.errors}
              startHint="Leave blank to keep the current start."
            />
            <div class="form-actions">
              <Button kind="primary">Save drop</Button>
            </div>
          </form>
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

function SignupTable({ signups, isFirst, path }: SellerDropPageProps & { path: string }) {
  return (
    <Panel
      heading="Signups"
      id="signups"
      actions={
        (signups.rows.length > 0 || !isFirst) && (
          <ButtonLink isSmall href={`${path}/signups.csv`} download>
            Download as CSV
          </ButtonLink>
        )
      }
    >
      <Table
        label="Signups"
        rows={signups.rows}
        rowKey={({ email }) => email}
        columns={[
          { heading: 'E-mail address', cell: ({ email }) => <bdi>{email}</bdi>, isRowHeading: true },
          {
            heading: 'Phone number',
            cell: ({ phoneNumber }) =>
              phoneNumber === null ? <span class="muted">None</span> : <bdi>{phoneNumber}</bdi>,
          },
          { heading: 'Signed up', cell: ({ createdAt }) => <Time at={createdAt} /> },
        ]}
        empty={
          isFirst ? (
            <EmptyState
              title="No signups yet"
              text="People who sign up for this drop on your site appear here."
            />
          ) : (
            <EmptyState title="There are no more signups." />
          )
        }
      />
      <Pager path={path} next={signups.next} isFirst={isFirst} first="beginning" />
    </Panel>
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
