import { emailField } from '@latchkey/contract';
import type { Router } from 'express';
import type { Needs } from '../../app/services.js';
import { phrase, t } from '../../platform/language/language.js';
import { readId } from '../../web/kit/areas/area-routes.js';
import {
  type CommunityForm,
  type CommunityPageProps,
  type CommunityRequest,
  communityPath,
  creation,
  doneAt,
  renderCommunityPage,
  routesOfCommunity,
} from '../../web/kit/areas/seller-area.js';
import { timeUntilInWords } from '../../web/kit/areas/seller-parts.js';
import { type Page, sendCsv, siteOf } from '../../web/kit/frame/send-page.js';
import { defineForm, type FormValues } from '../../web/kit/parts/define-form.js';
import { ButtonLink, type FormError, PostForm } from '../../web/kit/parts/form-parts.js';
import { DangerPanel, Panel } from '../../web/kit/parts/panel.js';
import { controlsOf } from '../../web/kit/parts/resource-form.js';
import { ListPanel, type ShownList, shownList } from '../../web/kit/parts/table.js';
import { CopyText, Count, Facts, NameLink, Pill, TextOrNone, Time } from '../../web/kit/parts/values.js';
import { publicNames } from '../brand/imitation.js';
import {
  changeDrop,
  createDrop,
  type DropSlot,
  endDrop,
  listDropSlots,
  requireDrop,
} from './drop.queries.js';
import { type DropState, dropResource, dropState } from './drop.resource.js';
import { type DropSignup, exportSignups, listSignups } from './sign-up-for-drop.js';

export const NEW_DROP = {
  section: 'drops',
  title: phrase('New drop'),
  submit: phrase('Create drop'),
  full: phrase(
    'This community has {max} drops, ended ones included, which is the maximum. Ask the operator of this service for more.',
  ),
  form: defineForm(controlsOf(dropResource)),
} as const;

const DROP = defineForm(controlsOf(dropResource, {}));

export function sellerDropsPage(props: CommunityPageProps & { drops: ShownList<DropSlot>; now: number }) {
  const { community, drops, now } = props;
  const path = `${communityPath(community.id)}/drops`;
  return renderCommunityPage({
    ...props,
    section: 'drops',
    title: t('Drops'),
    children: (
      <ListPanel
        heading={t('Latest start first')}
        add={{ href: `${path}/new`, label: t('New drop') }}
        label={t('Drops')}
        list={drops}
        columns={[
          {
            heading: phrase('Drop'),
            cell: ({ id, name }) => <NameLink href={`${path}/${id}`} name={name} />,
          },
          { heading: phrase('Status'), cell: (drop) => <DropPill drop={drop} now={now} /> },
          { heading: phrase('Starts'), cell: ({ startsAt }) => <Time at={startsAt} /> },
          {
            heading: phrase('Ends'),
            cell: ({ endsAt }) =>
              endsAt === null ? <span class="muted">{t('Never')}</span> : <Time at={endsAt} />,
          },
          { heading: phrase('Signups'), isNumeric: true, cell: (drop) => <Signups drop={drop} /> },
        ]}
        empty={{
          title: t('No drops yet'),
          text: t(
            'A drop opens a limited number of places at a set time. People sign up on your site until the places are taken.',
          ),
        }}
        noMore={t('There are no more drops.')}
        path={path}
        first={phrase('latest drops')}
      />
    ),
  });
}

export function sellerDropPage(
  props: CommunityPageProps & {
    drop: DropSlot;
    values: FormValues<typeof DROP>;
    signups: ShownList<DropSignup>;
    now: number;
  },
): Page {
  const { community, drop, now, signups } = props;
  const path = `${communityPath(community.id)}/drops/${drop.id}`;
  const state = dropState(drop, now);
  return renderCommunityPage({
    ...props,
    section: 'drops',
    title: t('Drop {name}', { name: drop.name }),
    heading: <bdi>{drop.name}</bdi>,
    parent: 'section',
    children: (
      <>
        <DropFacts drop={drop} now={now} />
        <SignupList signups={signups} path={path} />
        <Panel heading={t('Edit drop')} id="edit">
          <PostForm action={path} submit={t('Save drop')}>
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
    [t(startsAt > now ? 'Starts' : 'Started')]: (
      <>
        <Time at={startsAt} />
        {state === 'upcoming' && `, ${timeUntilInWords(startsAt, now)}`}
      </>
    ),
    [t(endsAt === null || endsAt > now ? 'Ends' : 'Ended')]: (
      <>
        {endsAt === null ? t('Never') : <Time at={endsAt} />}
        {state === 'running' && endsAt !== null && `, ${timeUntilInWords(endsAt, now)}`}
      </>
    ),
    [t('Signups')]: (
      <>
        <Signups drop={drop} />
        {drop.slots === null ? `, ${t('no limit')}` : drop.slotsUsed >= drop.slots && `, ${t('all taken')}`}
      </>
    ),
    [t('Drop ID')]: <CopyText label={t('drop ID')} value={drop.id} />,
  };
  return (
    <Panel heading={t('Drop')} actions={<DropPill drop={drop} now={now} />} id="facts">
      <Facts facts={facts} />
    </Panel>
  );
}

function SignupList({ signups, path }: { signups: ShownList<DropSignup>; path: string }) {
  return (
    <ListPanel
      heading={t('Signups')}
      id="signups"
      actions={
        (signups.rows.length > 0 || !signups.isFirst) && (
          <ButtonLink isSmall href={`${path}/signups.csv`} download label={t('Download as CSV')} />
        )
      }
      list={signups}
      columns={[
        { heading: phrase('E-mail address'), cell: ({ email }) => <bdi>{email}</bdi> },
        { heading: phrase('Phone number'), cell: ({ phoneNumber }) => <TextOrNone text={phoneNumber} /> },
        { heading: phrase('Signed up'), cell: ({ createdAt }) => <Time at={createdAt} /> },
      ]}
      empty={{
        title: t('No signups yet'),
        text: t('People who sign up for this drop on your site appear here.'),
      }}
      noMore={t('There are no more signups.')}
      path={path}
      first={phrase('beginning')}
    />
  );
}

const END = {
  heading: phrase('End drop'),
  button: phrase('End drop…'),
  question: phrase('End this drop now?'),
  consequence: phrase('Signups stop at once.'),
  now: phrase('End drop now'),
};

const CANCEL = {
  heading: phrase('Cancel drop'),
  button: phrase('Cancel drop…'),
  question: phrase('Cancel this drop now?'),
  consequence: phrase('The drop never opens for signups.'),
  now: phrase('Cancel drop now'),
};

function EndDrop({ isRunning, action }: { isRunning: boolean; action: string }) {
  const words = isRunning ? END : CANCEL;
  return (
    <DangerPanel
      heading={t(words.heading)}
      tone="danger"
      id="end"
      text={t('The drop accepts no more signups. Existing signups stay on the list.')}
      dialog={{
        id: 'end-drop',
        button: t(words.button),
        title: t(words.question),
        notes: [
          t(words.consequence),
          t('Existing signups stay on the list.'),
          t('You can set a new end later.'),
        ],
      }}
      action={action}
      label={t(words.now)}
    />
  );
}

const PILLS: Readonly<Record<DropState, { tone: 'good' | 'warn' | 'neutral'; label: string }>> = {
  upcoming: { tone: 'warn', label: phrase('Upcoming') },
  running: { tone: 'good', label: phrase('Running') },
  ended: { tone: 'neutral', label: phrase('Ended') },
  cancelled: { tone: 'neutral', label: phrase('Cancelled') },
};

function DropPill({ drop, now }: { drop: DropSlot; now: number }) {
  const { tone, label } = PILLS[dropState(drop, now)];
  return <Pill tone={tone}>{t(label)}</Pill>;
}

function Signups({ drop: { slots, slotsUsed } }: { drop: DropSlot }) {
  return (
    <span>
      {slots === null ? (
        <Count value={slotsUsed} />
      ) : (
        t('{used} of {all}', { used: <Count value={slotsUsed} />, all: <Count value={slots} /> })
      )}
    </span>
  );
}

export function dropRoutes(needs: Needs<'baseUrl' | 'clock' | 'db'>): Router {
  const { db, clock } = needs;
  const creating = creation(needs, NEW_DROP, {
    read: ({ form, response }: CommunityForm, now) => {
      const schema = publicNames(dropResource.create, siteOf(response).brand.name);
      return NEW_DROP.form.parse(schema, form, { startsAt: now });
    },
    create: (transaction, drop, { actor }, now) => createDrop(transaction, actor, { drop, now }),
    answer: (created, { path }) =>
      doneAt(`${path}/drops${created.kind === 'created' ? `/${created.id}` : ''}`, 'drop-created'),
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
    if (result.kind === 'too-few-slots') {
      const message = t('{count} slots are already taken. Enter at least {count}.', {
        count: `${result.slotsUsed}`,
      });
      return await refuse([{ field: 'slots', message }]);
    }
    return doneAt(`${path}/drops/${drop.id}`, 'drop-saved');
  }

  async function end({ actor, path, request }: CommunityForm) {
    const dropId = readId(request.params.dropId);
    await endDrop(db, actor, { dropId, now: clock.now() });
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

  function dropOf({ community, request }: CommunityRequest) {
    return requireDrop(db, community, readId(request.params.dropId));
  }
}
