import { emailField } from '@latchkey/contract';
import type { Router } from 'express';
import type { Needs } from '../../app/services.js';
import { notFound } from '../../platform/http/http-failure.js';
import { readId } from '../../web/kit/areas/area-routes.js';
import {
  type CommunityPageProps,
  communityPath,
  creation,
  renderCommunityPage,
} from '../../web/kit/areas/seller-page.js';
import { timeUntilInWords } from '../../web/kit/areas/seller-parts.js';
import {
  type CommunityForm,
  type CommunityRequest,
  doneAt,
  routesOfCommunity,
} from '../../web/kit/areas/seller-request.js';
import { type Page, sendCsv, siteOf } from '../../web/kit/frame/send-page.js';
import { defineForm, type FormValues } from '../../web/kit/parts/define-form.js';
import { ActionForm, ButtonLink, type FormError, PostForm } from '../../web/kit/parts/form-parts.js';
import { Dialog, Panel } from '../../web/kit/parts/panel.js';
import { controlsOf } from '../../web/kit/parts/resource-form.js';
import { ListPanel, type ShownList, shownList } from '../../web/kit/parts/table.js';
import { CopyText, Count, Facts, NameLink, Pill, Time } from '../../web/kit/parts/values.js';
import { publicNames } from '../brand/public-names.js';
import { changeDrop, createDrop, type DropSlot, endDrop, findDrop, listDropSlots } from './drop.queries.js';
import { type DropState, dropResource, dropState } from './drop.resource.js';
import { type DropSignup, exportSignups, listSignups } from './drop-signups.js';

/** Form of a new drop. A blank `slots` means no limit, a blank `endsAt` no end. */
export const NEW_DROP = {
  section: 'drops',
  title: 'New drop',
  submit: 'Create drop',
  form: defineForm(controlsOf(dropResource)),
} as const;

const DROP = defineForm(controlsOf(dropResource, {}));

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
        actions={<ButtonLink kind="primary" isSmall href={newDrop.href} label={newDrop.label} />}
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

/** Renders a drop with its signups. `POST …/drops/{id}` saves it, `POST …/drops/{id}/end` ends it, `GET …/signups.csv`. */
export function sellerDropPage(
  props: CommunityPageProps & {
    drop: DropSlot;
    values: FormValues<typeof DROP>;
    signups: ShownList<DropSignup>;
    now: number;
  },
): Page {
  const { community, drop, now, signups } = props;
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
        <DropFacts drop={drop} now={now} />
        <SignupList signups={signups} path={path} />
        <Panel heading="Edit drop" id="edit">
          <PostForm action={path} submit="Save drop">
            {DROP.fields(props)}
          </PostForm>
        </Panel>
        {(state === 'running' || state === 'upcoming') && (
          <EndDrop isRunning={state === 'running'} action={`${path}/end`} />
        )}
      </>
    ),
  });
}

function DropFacts({ drop, now }: { drop: DropSlot; now: number }) {
  const { startsAt, endsAt } = drop;
  const state = dropState(drop, now);
  const facts = {
    [startsAt > now ? 'Starts' : 'Started']: (
      <>
        <Time at={startsAt} />
        {state === 'upcoming' && `, ${timeUntilInWords(startsAt, now)}`}
      </>
    ),
    [endsAt === null || endsAt > now ? 'Ends' : 'Ended']: (
      <>
        {endsAt === null ? 'Never' : <Time at={endsAt} />}
        {state === 'running' && endsAt !== null && `, ${timeUntilInWords(endsAt, now)}`}
      </>
    ),
    Signups: (
      <>
        <Signups drop={drop} />
        {drop.slots === null ? ', no limit' : drop.slotsUsed >= drop.slots && ', all taken'}
      </>
    ),
    'Drop ID': <CopyText label="drop ID" value={drop.id} />,
  };
  return (
    <Panel heading="Drop" actions={<DropPill drop={drop} now={now} />} id="facts">
      <Facts facts={facts} />
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
          <ButtonLink isSmall href={`${path}/signups.csv`} download label="Download as CSV" />
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

function EndDrop({ isRunning, action }: { isRunning: boolean; action: string }) {
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
          <ActionForm action={action} label={`${verb} drop now`} isDanger />
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

/** Routes of a community's drops and their signups. */
export function dropRoutes(needs: Needs<'baseUrl' | 'clock' | 'db'>): Router {
  const { db, clock } = needs;
  const creating = creation(needs, NEW_DROP, {
    read: ({ form, response }: CommunityForm, now) => {
      const schema = publicNames(dropResource.create, siteOf(response).brand.name);
      return NEW_DROP.form.parse(schema, form, { startsAt: now });
    },
    create: (transaction, drop, { actor }, now) => createDrop(transaction, actor, { drop, now }),
    answer(created, { path }) {
      if (created.kind !== 'too-many') {
        return doneAt(`${path}/drops${created.kind === 'created' ? `/${created.id}` : ''}`, 'drop-created');
      }
      const message = `This community has ${created.max} drops, ended ones included, which is the maximum. Ask the operator of this service for more.`;
      return { field: 'name', message };
    },
  });
  return routesOfCommunity(needs, {
    '/seller/communities/:communityId/drops': { get: list, post: creating.post },
    '/seller/communities/:communityId/drops/new': { get: creating.get },
    '/seller/communities/:communityId/drops/:dropId': { get: show, post: save },
    '/seller/communities/:communityId/drops/:dropId/end': { post: end },
    '/seller/communities/:communityId/drops/:dropId/signups.csv': { get: sendSignups },
  });

  async function list({ community, page, query }: CommunityRequest) {
    const drops = await shownList(query, (after) => listDropSlots(db, community.id, after));
    return sellerDropsPage({ ...page, drops, now: clock.now() });
  }

  async function show(area: CommunityRequest) {
    const drop = await dropOf(area);
    return await dropPage(area, { drop, values: DROP.of(drop) });
  }

  async function save(area: CommunityForm) {
    const { actor, form, path, response } = area;
    const drop = await dropOf(area);
    const refuse = (errors: FormError[]) => dropPage(area, { drop, values: DROP.read(form), errors });
    const schema = publicNames(dropResource.create, siteOf(response).brand.name, drop);
    const read = DROP.parse(schema, form, { startsAt: drop.startsAt });
    if (read.kind === 'invalid') return await refuse(read.errors);
    const result = await changeDrop(db, actor, { dropId: drop.id, drop: read.value });
    if (result.kind === 'unknown') throw notFound();
    if (result.kind === 'too-few-slots') {
      const message = `${result.slotsUsed} slots are already taken. Enter at least ${result.slotsUsed}.`;
      return await refuse([{ field: 'slots', message }]);
    }
    return doneAt(`${path}/drops/${drop.id}`, 'drop-saved');
  }

  async function end({ actor, path, request }: CommunityForm) {
    const dropId = readId(request.params.dropId);
    if (!(await endDrop(db, actor, { dropId, now: clock.now() }))) throw notFound();
    return doneAt(`${path}/drops/${dropId}`, 'drop-ended');
  }

  async function sendSignups(area: CommunityRequest) {
    const drop = await dropOf(area);
    await sendCsv(area.response, `signups-${drop.id}`, exportSignups(db, drop.id));
  }

  async function dropPage(
    { page, query }: CommunityRequest,
    form: { drop: DropSlot; values: FormValues<typeof DROP>; errors?: FormError[] },
  ) {
    const after = emailField.safeParse(query.get('after')).data;
    const signups = { ...(await listSignups(db, form.drop.id, after)), isFirst: after === undefined };
    return sellerDropPage({ ...page, ...form, signups, now: clock.now() });
  }

  async function dropOf({ community, request }: CommunityRequest) {
    const drop = await findDrop(db, community, readId(request.params.dropId));
    if (drop === undefined) throw notFound();
    return drop;
  }
}
