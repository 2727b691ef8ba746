import type { Router } from 'express';
import type { Needs } from '../../app/services.js';
import { phrase, t } from '../../platform/language/language.js';
import {
  type CommunityForm,
  type CommunityPageProps,
  type CommunityRequest,
  communityPath,
  doneAt,
  routesOfCommunity,
  SELLER_PATH,
  sendOwnersOnly,
} from '../../web/kit/areas/seller-area.js';
import { confirmPage } from '../../web/kit/frame/area-page.js';
import { type Page, sendPage } from '../../web/kit/frame/send-page.js';
import type { FormError } from '../../web/kit/parts/form-parts.js';
import { asksToSignIn } from '../sign-in/proof.pages.js';
import { closeCommunity, countAffected } from './close-community.js';

const OWNERS_ONLY = phrase('Only an owner can close the community');

export function closeCommunityRoutes(needs: Needs<'baseUrl' | 'clock' | 'db'>): Router {
  const { db, clock } = needs;
  return routesOfCommunity(needs, {
    '/seller/communities/:communityId/close': { get: (area) => askToClose(area), post: close },
  });

  async function askToClose(area: CommunityRequest) {
    if (area.community.role !== 'OWNER') return sendOwnersOnly(area, t(OWNERS_ONLY));
    return question(area, '');
  }

  async function question({ community, page }: CommunityRequest, typed: string, errors?: FormError[]) {
    const affected = await countAffected(db, community.id, clock.now());
    return closeCommunityPage({ ...page, affected, typed, errors });
  }

  async function close(area: CommunityForm) {
    const { actor, community, form, response } = area;
    if (community.role !== 'OWNER') return sendOwnersOnly(area, t(OWNERS_ONLY));
    const typed = form.get('confirmation') ?? '';
    if (typed.trim() !== community.name) {
      const errors = [
        { field: 'confirmation', message: t('Enter the name of the community as it is written above.') },
      ];
      return sendPage(response, await question(area, typed, errors), { status: 400 });
    }
    if (await asksToSignIn(needs, area, `${area.path}/close`)) return;
    const result = await closeCommunity(db, actor, clock.now());
    if (result === 'not-owner') return sendOwnersOnly(area, t(OWNERS_ONLY));
    return doneAt(SELLER_PATH, 'community-closed');
  }
}

interface ClosePageProps extends CommunityPageProps {
  affected: Awaited<ReturnType<typeof countAffected>>;
  typed: string;
}

export function closeCommunityPage({ frame, community, affected, typed, errors }: ClosePageProps): Page {
  const path = communityPath(community.id);
  const { members, renewing } = affected;
  return confirmPage({
    frame,
    area: 'seller',
    sections: [{ href: SELLER_PATH, label: t('Home') }],
    section: SELLER_PATH,
    errors,
    title: t('Close this community for good?'),
    subject: community.name,
    consequences: [
      members === 0
        ? t('Nobody has a membership.')
        : t(
            '{count} memberships end at once, also paid time, and apps and sites learn of it. Nothing is refunded automatically: refund payments on the page Sales before you close it.',
            { count: `${members}` },
          ),
      renewing === 0
        ? t('Nobody is charged again.')
        : t(
            '{count} subscriptions are cancelled at once, also at the payment provider. Nobody is charged again.',
            { count: `${renewing}` },
          ),
      t(
        'Nothing can be bought, provisioned or signed up for any more. Open checkouts are refused, and a payment that is on its way gives no access and has to be refunded.',
      ),
      t(
        'Invitations are withdrawn, and the public page says that the community is closed. Its name is free for others, as every name is.',
      ),
      t('You and the other owners and admins no longer see it. Export its members and sales before.'),
      t(
        'We keep payments, plans and ended memberships for the books, and delete roles, webhooks, drops and signups after 30 days.',
      ),
      t('A closed community can’t be opened again.'),
    ],
    confirmation: { label: t('Enter the name of the community to confirm'), value: typed },
    action: `${path}/close`,
    button: t('Close community'),
    cancel: { href: path, label: t('Keep community') },
  });
}
