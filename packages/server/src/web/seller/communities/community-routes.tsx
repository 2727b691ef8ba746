import { Router } from 'express';
import type { Needs } from '../../../app/services.js';
import { imitates } from '../../../domain/brand/imitation.js';
import { readCommunityFigures } from '../../../domain/checkout/community-figures.js';
import { createCommunity, renameCommunity } from '../../../domain/communities/communities.js';
import { communitySchema, messengerBotNameField } from '../../../domain/communities/community.js';
import { findBotName, setBot } from '../../../domain/messenger/messenger-bots.js';
import { submitOnce } from '../../../domain/users/form-submission.js';
import { methodNotAllowed } from '../../../platform/http/error-handler.js';
import { notFound } from '../../../platform/http/http-failure.js';
import { areaForm, areaPage } from '../../sign-in/area-route.js';
import { renderAreaPage } from '../../ui/frame/area-page.js';
import { sendPage } from '../../ui/frame/send-page.js';
import { type Page, siteOf } from '../../ui/frame/site.js';
import type { FormError } from '../../ui/parts/error-summary.js';
import { parseForm } from '../../ui/parts/form.js';
import { TextField } from '../../ui/parts/form-field.js';
import { Panel } from '../../ui/parts/panel.js';
import { PostForm } from '../../ui/parts/post-form.js';
import { newSubmissionId, submissionIdOf } from '../../ui/parts/submission-id.js';
import { noticeOf, redirectDone } from '../frame/seller-notices.js';
import type { SellerPageProps } from '../frame/seller-page.js';
import { communityPath, SELLER_PATH } from '../frame/seller-paths.js';
import { communityForm, communityPage } from '../frame/seller-request.js';
import { SELLER_HOME, SELLER_SECTIONS } from '../frame/seller-sections.js';
import { sellerCommunityPage } from './seller-community-page.js';

type CommunityRequest = Parameters<Parameters<typeof communityPage>[1]>[0];

/** Routes of a new community, and of a community's overview with its name and its messenger bot. */
export function communityRoutes(needs: Needs<'baseUrl' | 'clock' | 'db'>): Router {
  const router = Router({ caseSensitive: true, strict: true });
  router.route('/seller/communities').post(create(needs)).all(methodNotAllowed('POST'));
  router.route('/seller/communities/new').get(showNew(needs)).all(methodNotAllowed('GET'));
  router.route('/seller/communities/:communityId').get(showCommunity(needs)).all(methodNotAllowed('GET'));
  router.route('/seller/communities/:communityId/name').post(rename(needs)).all(methodNotAllowed('POST'));
  router.route('/seller/communities/:communityId/bot').post(saveBot(needs)).all(methodNotAllowed('POST'));
  return router;
}

function showNew(needs: Needs<'baseUrl' | 'clock' | 'db'>) {
  return areaPage(needs, async ({ frame, response }) => {
    sendPage(response, newCommunityPage({ frame, name: '', submission: newSubmissionId() }));
  });
}

function create(needs: Needs<'baseUrl' | 'clock' | 'db'>) {
  const { db, clock } = needs;
  return areaForm(needs, SELLER_PATH, async ({ user, frame, form, response }) => {
    const name = form.get('name') ?? '';
    const submission = submissionIdOf(form);
    const sendErrors = (errors: FormError[]) =>
      sendPage(response, newCommunityPage({ frame, name, submission, errors }), { status: 400 });
    const result = parseForm(schemaFor(siteOf(response).brand.name), { name });
    if (result.kind === 'invalid') return sendErrors(result.errors);
    const now = clock.now();
    const created = await submitOnce(db, {
      submission: { userId: user.id, id: submission },
      now,
      work: (transaction) => createCommunity(transaction, { name: result.value.name, ownerId: user.id }, now),
      hasEffect: ({ kind }) => kind === 'created',
    });
    switch (created.kind) {
      case 'too-many': {
        const message = `You own ${created.max} communities, which is the maximum. Ask the operator of this service for more.`;
        return sendErrors([{ field: 'name', message }]);
      }
      case 'already-submitted':
        return redirectDone(response, SELLER_PATH, 'community-created');
      case 'created':
        redirectDone(response, communityPath(created.id), 'community-created');
    }
  });
}

/** Returns the rules of a community whose pages, on the service's own origin, must not look like those of the service. */
function schemaFor(serviceName: string) {
  return communitySchema.refine(({ name }) => !imitates(name, serviceName), {
    path: ['name'],
    error: `Enter a name that does not contain “${serviceName}”, the name of this service.`,
  });
}

function showCommunity(needs: Needs<'baseUrl' | 'clock' | 'db'>) {
  return communityPage(needs, async (request) => {
    await sendCommunity(needs, request, {});
  });
}

function rename(needs: Needs<'baseUrl' | 'clock' | 'db'>) {
  const { db } = needs;
  return communityForm(needs, async (request) => {
    const { community, actor, form, response } = request;
    const name = form.get('name') ?? '';
    // The operator can have given it the name of the service.
    const serviceName = name === community.name ? '' : siteOf(response).brand.name;
    const result = parseForm(schemaFor(serviceName), { name });
    if (result.kind === 'invalid') {
      return await sendCommunity(needs, request, { name, errors: result.errors });
    }
    if (!(await renameCommunity(db, actor, result.value.name))) throw notFound();
    redirectDone(response, communityPath(community.id), 'renamed');
  });
}

function saveBot(needs: Needs<'baseUrl' | 'clock' | 'db'>) {
  const { db, clock } = needs;
  return communityForm(needs, async (request) => {
    const { community, actor, form, response } = request;
    const botName = form.get('botName') ?? '';
    const name = botName.trim() === '' ? null : messengerBotNameField.safeParse(botName).data;
    if (name === undefined) {
      const message = 'Enter 3 to 64 letters, digits and underscores, or leave it blank to remove the bot.';
      return await sendCommunity(needs, request, { botName, errors: [{ field: 'botName', message }] });
    }
    if (!(await setBot(db, actor, { name, now: clock.now() }))) {
      throw notFound();
    }
    redirectDone(response, communityPath(community.id), name === null ? 'bot-removed' : 'bot-saved');
  });
}

/** Sends the overview with the typed values of a rejected form, and with the status 400 if there are errors. */
async function sendCommunity(
  { db, clock, baseUrl }: Needs<'baseUrl' | 'clock' | 'db'>,
  { frame, community, request, response }: CommunityRequest,
  { name, botName, errors }: { name?: string; botName?: string; errors?: FormError[] },
): Promise<void> {
  const now = clock.now();
  const html = sellerCommunityPage({
    frame,
    community,
    baseUrl,
    figures: await readCommunityFigures(db, community.id, now),
    now,
    name: name ?? community.name,
    botName: botName ?? (await findBotName(db, community.id)) ?? '',
    errors,
    notice: errors === undefined ? noticeOf(request) : undefined,
  });
  sendPage(response, html, { status: errors === undefined ? 200 : 400 });
}

interface NewCommunityPageProps extends SellerPageProps {
  /** Raw value of the field. */
  name: string;
  submission: string;
}

/** Renders the form of a new community: `POST /seller/communities` with `name`. */
export function newCommunityPage(props: NewCommunityPageProps): Page {
  const { frame, errors } = props;
  return renderAreaPage({
    frame,
    area: 'seller',
    sections: SELLER_SECTIONS,
    section: SELLER_HOME.href,
    title: 'New community',
    parent: SELLER_HOME,
    errors,
    children: (
      <Panel>
        <PostForm
          action="/seller/communities"
          account={frame.account}
          submission={props.submission}
          submit="Create community"
          cancelHref={SELLER_HOME.href}
        >
          <TextField
            name="name"
            label="Name"
            hint="Members see it. You can change it later. You become the owner."
            value={props.name}
            maxLength={200}
            required
            errors={errors}
          />
        </PostForm>
      </Panel>
    ),
  });
}
