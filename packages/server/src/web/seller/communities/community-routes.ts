import { Router } from 'express';
import { renameCommunity } from '../../../domain/communities/communities.js';
import { communitySchema, messengerBotNameField } from '../../../domain/communities/community.js';
import { findBotName, setBot } from '../../../domain/messenger/messenger-bots.js';
import type { Clock } from '../../../platform/clock.js';
import type { Database } from '../../../platform/database/open-database.js';
import { methodNotAllowed } from '../../../platform/http/error-handler.js';
import { notFound } from '../../../platform/http/http-failure.js';
import { sendPage } from '../../ui/frame/send-page.js';
import { parseForm } from '../../ui/parts/form.js';
import { noticeOf, redirectDone } from '../frame/seller-notices.js';
import { communityPath } from '../frame/seller-page.js';
import { communityForm, communityPage } from '../frame/seller-request.js';
import { sellerCommunityPage } from './seller-community-page.js';

interface CommunityRoutesNeeds {
  readonly baseUrl: string;
  readonly clock: Clock;
  readonly db: Database;
}

/** Routes of a community's overview, with its name and its messenger bot. */
export function communityRoutes(needs: CommunityRoutesNeeds): Router {
  const router = Router({ caseSensitive: true, strict: true });
  router.route('/seller/communities/:communityId').get(showCommunity(needs)).all(methodNotAllowed('GET'));
  router.route('/seller/communities/:communityId/name').post(rename(needs)).all(methodNotAllowed('POST'));
  router.route('/seller/communities/:communityId/bot').post(saveBot(needs)).all(methodNotAllowed('POST'));
  return router;
}

function showCommunity(needs: CommunityRoutesNeeds) {
  const { db } = needs;
  return communityPage(needs, async ({ frame, community, request, response }) => {
    const botName = (await findBotName(db, community.id)) ?? '';
    const notice = noticeOf(request);
    sendPage(response, sellerCommunityPage({ frame, community, name: community.name, botName, notice }));
  });
}

function rename(needs: CommunityRoutesNeeds) {
  const { db } = needs;
  return communityForm(needs, async (request) => {
    const { frame, community, actor, form, response } = request;
    const typed = form.get('name') ?? '';
    const result = parseForm(communitySchema, { name: typed });
    if (result.kind === 'invalid') {
      const botName = (await findBotName(db, community.id)) ?? '';
      const html = sellerCommunityPage({ frame, community, name: typed, botName, errors: result.errors });
      return sendPage(response, html, { status: 400 });
    }
    if (!(await renameCommunity(db, actor, result.value.name))) throw notFound();
    redirectDone(response, communityPath(community.id), 'renamed');
  });
}

function saveBot(needs: CommunityRoutesNeeds) {
  const { db, clock } = needs;
  return communityForm(needs, async (request) => {
    const { frame, community, actor, form, response } = request;
    const typed = form.get('botName') ?? '';
    const name = typed.trim() === '' ? null : messengerBotNameField.safeParse(typed).data;
    if (name === undefined) {
      const message = 'Enter 3 to 64 letters, digits and underscores, or leave it blank to remove the bot.';
      const errors = [{ field: 'botName', message }];
      const html = sellerCommunityPage({ frame, community, name: community.name, botName: typed, errors });
      return sendPage(response, html, { status: 400 });
    }
    if (!(await setBot(db, actor, { name, now: clock.now() }))) {
      throw notFound();
    }
    redirectDone(response, communityPath(community.id), name === null ? 'bot-removed' : 'bot-saved');
  });
}
