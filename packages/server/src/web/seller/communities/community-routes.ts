import type { Router } from 'express';
import type { Needs } from '../../../app/services.js';
import { imitates } from '../../../domain/brand/imitation.js';
import { readCommunityFigures } from '../../../domain/checkout/community-figures.js';
import { createCommunity, renameCommunity } from '../../../domain/communities/communities.js';
import { communitySchema, messengerBotNameField } from '../../../domain/communities/community.js';
import { findBotName, setBot } from '../../../domain/messenger/messenger-bots.js';
import { submitOnce } from '../../../domain/users/form-submission.js';
import { notFound } from '../../../platform/http/http-failure.js';
import { type AreaForm, type AreaRequest, areaRoutes } from '../../sign-in/area-route.js';
import { siteOf } from '../../ui/frame/send-page.js';
import { parseForm } from '../../ui/parts/form.js';
import { type FormError, newSubmissionId, submissionIdOf } from '../../ui/parts/form-parts.js';
import { communityPath, SELLER_PATH } from '../frame/seller-page.js';
import {
  type CommunityForm,
  type CommunityRequest,
  doneAt,
  routesOfCommunity,
} from '../frame/seller-request.js';
import { newCommunityPage, sellerCommunityPage } from './community-pages.js';

/** Routes of a new community. */
export function newCommunityRoutes(needs: Needs<'baseUrl' | 'clock' | 'db'>): Router {
  const { db, clock } = needs;
  return areaRoutes(
    needs,
    { home: SELLER_PATH },
    { '/seller/communities': { post: create }, '/seller/communities/new': { get: showNew } },
  );

  function showNew({ frame }: AreaRequest) {
    return newCommunityPage({ frame, name: '', submission: newSubmissionId() });
  }

  async function create({ user, frame, form, response }: AreaForm) {
    const submission = submissionIdOf(form);
    const name = form.get('name') ?? '';
    const refuse = (errors: FormError[]) => newCommunityPage({ frame, name, submission, errors });
    const read = parseForm(schemaFor(siteOf(response).brand.name), { name });
    if (read.kind === 'invalid') return refuse(read.errors);
    const now = clock.now();
    const created = await submitOnce(db, {
      submission: { userId: user.id, id: submission },
      now,
      work: (transaction) => createCommunity(transaction, { name: read.value.name, ownerId: user.id }, now),
      hasEffect: ({ kind }) => kind === 'created',
    });
    switch (created.kind) {
      case 'too-many': {
        const message = `You own ${created.max} communities, which is the maximum. Ask the operator of this service for more.`;
        return refuse([{ field: 'name', message }]);
      }
      case 'already-submitted':
        return doneAt(SELLER_PATH, 'community-created');
      case 'created':
        return doneAt(communityPath(created.id), 'community-created');
    }
  }
}

/** Routes of a community's overview with its name and its messenger bot. */
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
    // The operator can have given it the name of the service.
    const serviceName = name === community.name ? '' : siteOf(response).brand.name;
    const read = parseForm(schemaFor(serviceName), { name });
    if (read.kind === 'invalid') return await overview(area, { name, errors: read.errors });
    if (!(await renameCommunity(db, actor, read.value.name))) throw notFound();
    return doneAt(path, 'renamed');
  }

  async function saveBot(area: CommunityForm) {
    const { actor, form, path } = area;
    const botName = form.get('botName') ?? '';
    const name = botName.trim() === '' ? null : messengerBotNameField.safeParse(botName).data;
    if (name === undefined) {
      const message = 'Enter 3 to 64 letters, digits and underscores, or leave it blank to remove the bot.';
      return await overview(area, { botName, errors: [{ field: 'botName', message }] });
    }
    if (!(await setBot(db, actor, { name, now: clock.now() }))) throw notFound();
    return doneAt(path, name === null ? 'bot-removed' : 'bot-saved');
  }

  /** Renders the overview with the typed values of a rejected form. */
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

/** Returns the rules of a community whose pages, on the service's own origin, must not look like those of the service. */
function schemaFor(serviceName: string) {
  return communitySchema.refine(({ name }) => !imitates(name, serviceName), {
    path: ['name'],
    error: `Enter a name that does not contain “${serviceName}”, the name of this service.`,
  });
}
