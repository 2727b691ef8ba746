import type { Router } from 'express';
import type { Needs } from '../../app/services.js';
import { phrase, t } from '../../platform/language/language.js';
import { type AreaForm, areaRoutes } from '../../web/kit/areas/area-routes.js';
import {
  type CommunityForm,
  type CommunityPageProps,
  type CommunityRequest,
  communityPath,
  creation,
  doneAt,
  renderCommunityPage,
  routesOfCommunity,
  SELLER_PATH,
} from '../../web/kit/areas/seller-area.js';
import { LinksAndIds, MemberCount, Revenue, revenueLabel } from '../../web/kit/areas/seller-parts.js';
import { type Page, siteOf } from '../../web/kit/frame/send-page.js';
import { defineForm } from '../../web/kit/parts/define-form.js';
import { parseForm } from '../../web/kit/parts/form.js';
import { TextField } from '../../web/kit/parts/form-field.js';
import { ButtonLink, type FormError, PostForm } from '../../web/kit/parts/form-parts.js';
import { Panel, Stats } from '../../web/kit/parts/panel.js';
import { controlsOf } from '../../web/kit/parts/resource-form.js';
import { CheckList } from '../../web/kit/parts/steps.js';
import { Count } from '../../web/kit/parts/values.js';
import { publicNames } from '../brand/imitation.js';
import { type CommunityFigures, readCommunityFigures } from '../checkout/sales.js';
import { changeCommunity, createCommunity, findBotName, setBot } from './communities.js';
import { communityRecords, communitySchema, messengerBotNameField } from './community.resource.js';

export function newCommunityRoutes(needs: Needs<'baseUrl' | 'clock' | 'db'>): Router {
  const { get, post } = creation(needs, NEW_COMMUNITY, {
    read: ({ form, response }: AreaForm) =>
      NEW_COMMUNITY.form.parse(publicNames(communitySchema, siteOf(response).brand.name), form),
    create: (transaction, { name }, { user }, now) =>
      createCommunity(transaction, { name, ownerId: user.id }, now),
    answer: (created) =>
      doneAt(created.kind === 'created' ? communityPath(created.id) : SELLER_PATH, 'community-created'),
  });
  return areaRoutes(needs, SELLER_PATH, {
    '/seller/communities': { post },
    '/seller/communities/new': { get },
  });
}

export function overviewRoutes(needs: Needs<'baseUrl' | 'clock' | 'db'>): Router {
  const { db, clock, baseUrl } = needs;
  return routesOfCommunity(needs, {
    '/seller/communities/:communityId': { get: (area) => overview(area, {}) },
    '/seller/communities/:communityId/name': { post: rename },
    '/seller/communities/:communityId/bot': { post: saveBot },
  });

  async function rename(area: CommunityForm) {
    const { actor, community, form, path, response } = area;
    const name = form.get('name') ?? '';
    const schema = publicNames(communitySchema, siteOf(response).brand.name, community);
    const read = parseForm(schema, { name });
    if (read.kind === 'invalid') return await overview(area, { name, errors: read.errors });
    await changeCommunity(db, actor, read.value);
    return doneAt(path, 'renamed');
  }

  async function saveBot(area: CommunityForm) {
    const { actor, form, path } = area;
    const botName = form.get('botName') ?? '';
    const name = botName.trim() === '' ? null : messengerBotNameField.safeParse(botName).data;
    if (name === undefined) {
      const message = t(
        'Enter 3 to 64 letters, digits and underscores, or leave it blank to remove the bot.',
      );
      return await overview(area, { botName, errors: [{ field: 'botName', message }] });
    }
    await setBot(db, actor, { name, now: clock.now() });
    return doneAt(path, name === null ? 'bot-removed' : 'bot-saved');
  }

  async function overview(
    { community, page }: CommunityRequest,
    { name, botName, errors }: { name?: string; botName?: string; errors?: FormError[] },
  ) {
    const now = clock.now();
    return sellerCommunityPage({
      ...page,
      baseUrl,
      figures: await readCommunityFigures(db, community.id, now),
      now,
      name: name ?? community.name,
      botName: botName ?? (await findBotName(db, community.id)) ?? '',
      errors,
    });
  }
}

export const NEW_COMMUNITY = {
  title: phrase('New community'),
  submit: phrase('Create community'),
  full: phrase('You own {max} communities, which is the maximum. Ask the operator of this service for more.'),
  action: '/seller/communities',
  form: defineForm({ name: controlsOf(communityRecords).name }),
};

interface OverviewProps extends CommunityPageProps {
  baseUrl: string;
  figures: CommunityFigures;
  now: number;
  name: string;
  botName: string;
}

export function sellerCommunityPage(props: OverviewProps): Page {
  const { baseUrl, community } = props;
  const path = communityPath(community.id);
  return renderCommunityPage({
    ...props,
    section: '',
    title: t('Overview'),
    heading: <bdi>{community.name}</bdi>,
    lead: t(
      community.role === 'OWNER'
        ? 'You administer this community as owner.'
        : 'You administer this community as admin.',
    ),
    children: (
      <>
        <Figures {...props} path={path} />
        <FirstSteps {...props} path={path} />
        <LinksAndIds
          publicPath={`/communities/${community.id}`}
          baseUrl={baseUrl}
          hint={t('Share this link. People buy your plans there.')}
          idLabel={t('Community ID')}
          id={community.id}
        />
        <Panel heading={t('Name')} id="rename">
          <PostForm action={`${path}/name`} submit={t('Save name')} kind="secondary">
            <TextField
              name="name"
              label={t('Name of the community')}
              hint={t('Shown to members on their account page and when they join.')}
              value={props.name}
              maxLength={200}
              required
            />
          </PostForm>
        </Panel>
        <Panel heading={t('Messenger bot')} id="bot">
          <PostForm action={`${path}/bot`} submit={t('Save bot')} kind="secondary">
            <TextField
              name="botName"
              label={t('Name of the bot')}
              hint={t('The bot creates invite links and admits members. Leave blank to remove it.')}
              value={props.botName}
              maxLength={65}
              spellcheck={false}
            />
          </PostForm>
        </Panel>
        {community.role === 'OWNER' && (
          <Panel heading={t('Close the community')} id="close">
            <p class="muted">{t('Ends all memberships and subscriptions, and all sales, for good.')}</p>
            <div class="panel-actions">
              <ButtonLink kind="danger" isSmall href={`${path}/close`} label={t('Close community')} />
            </div>
          </Panel>
        )}
      </>
    ),
  });
}

function Figures({ figures, now, path }: OverviewProps & { path: string }) {
  return (
    <Panel heading={t('At a glance')} id="figures">
      <Stats
        items={[
          {
            label: t('Active members'),
            value: <MemberCount members={figures.members} />,
            href: `${path}/members?status=active`,
          },
          {
            label: t('Plans for sale'),
            value: <Count value={figures.plansForSale} />,
            href: `${path}/plans`,
          },
          {
            label: revenueLabel(now),
            value: <Revenue figures={figures} />,
            ...(figures.revenue.length > 0 && { href: `${path}/sales` }),
          },
        ]}
      />
    </Panel>
  );
}

function FirstSteps({ figures, path }: OverviewProps & { path: string }) {
  const [hasPlan, hasMember] = [figures.plansForSale > 0, figures.members.count > 0];
  if (hasPlan && hasMember) return null;
  return (
    <Panel heading={t('Next steps')} id="next-steps">
      <CheckList
        checks={[
          {
            id: 'plan',
            title: t('Add a plan'),
            text: t('Set a price and how long a payment gives access.'),
            action: !hasPlan && (
              <ButtonLink kind="primary" isSmall href={`${path}/plans/new`} label={t('New plan')} />
            ),
            isDone: hasPlan,
          },
          {
            id: 'member',
            title: t('Get the first member'),
            text: t('Share the link of the public page, where people buy your plans. Or invite somebody.'),
            action: !hasMember && (
              <ButtonLink isSmall href={`${path}/members/new`} label={t('Invite a member')} />
            ),
            isDone: hasMember,
          },
        ]}
      />
    </Panel>
  );
}
