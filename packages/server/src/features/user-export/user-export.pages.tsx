import type { Router } from 'express';
import type { Needs } from '../../app/services.js';
import { t } from '../../platform/language/language.js';
import { EXPORT_PATH, inAccount, PROFILE_PATH } from '../../web/kit/areas/account-area.js';
import { type AreaForm, type AreaRequest, areaRoutes } from '../../web/kit/areas/area-routes.js';
import { type PageProps, renderAreaPage } from '../../web/kit/frame/area-page.js';
import type { Page } from '../../web/kit/frame/send-page.js';
import type { FormError } from '../../web/kit/parts/form-parts.js';
import { Notes, Panel } from '../../web/kit/parts/panel.js';
import {
  actWithProof,
  Confirmation,
  logAccountChange,
  type NeededProof,
  neededProof,
} from '../sign-in/proof.pages.js';
import { sendWait } from '../sign-in/too-many-codes.pages.js';
import { DOWNLOADED_ROWS, EXPORTS_PER_DAY, exportOwnData } from './export-user.js';

export function exportRoutes(needs: Needs<'baseUrl' | 'clock' | 'db' | 'logger'>): Router {
  const { db, clock } = needs;
  return areaRoutes(needs, EXPORT_PATH, {
    [EXPORT_PATH]: { get: (area) => question(area), post: download },
  });

  async function question(area: AreaRequest, errors?: readonly FormError[]) {
    return exportDataPage({ frame: area.frame, proof: await neededProof(needs, area), errors });
  }

  async function download(area: AreaForm) {
    const { response } = area;
    return await actWithProof(needs, area, {
      path: EXPORT_PATH,
      again: (errors) => question(area, errors),
      async act(proof) {
        const now = clock.now();
        const result = await exportOwnData(db, proof, now);
        if (result.kind === 'too-many')
          return sendWait(response, { availableAt: result.availableAt, now }, (time) => ({
            title: t('Too many downloads of your data'),
            text: t('You can download your data {times} times a day. Try again in {time}.', {
              times: EXPORTS_PER_DAY,
              time,
            }),
            action: { href: PROFILE_PATH, label: t('Back to your profile') },
          }));
        if (result.kind !== 'exported') return result;
        logAccountChange(needs, area, 'The data of an account was downloaded by its user');
        const { exported } = result;
        response.set('Cache-Control', 'no-store');
        response.attachment(`latchkey-export-${exported.exportedAt.slice(0, 10)}.json`);
        response.send(`${JSON.stringify(exported, null, 2)}\n`);
      },
    });
  }
}

export function exportDataPage(props: PageProps & { proof: NeededProof }): Page {
  const { proof } = props;
  return renderAreaPage({
    ...props,
    ...inAccount(PROFILE_PATH),
    title: t(proof === 'sign-in' ? 'Sign in again to download your data' : 'Download your data'),
    lead: t(
      'A file with everything that this service stores about you. It’s JSON, so other programs can read it.',
    ),
    parent: 'section',
    errorHeading: t('Your data was not downloaded'),
    children: (
      <Confirmation
        {...{ path: EXPORT_PATH, proof, about: <Contents />, submit: t('Download') }}
        cancelKind="secondary"
      >
        <p>{t('Keep the file where only you can read it.')}</p>
      </Confirmation>
    ),
  });
}

function Contents() {
  return (
    <Panel heading={t('What the file contains')} id="contents">
      <Notes
        notes={[
          t('Your profile, sessions, two-step sign-in, the apps that you allowed, and the log of changes.'),
          t('Your memberships, roles, invitations, signups, orders and payments.'),
          t('Your messenger accounts, and e-mails to you that are not sent yet.'),
          t('What you own: communities, products, apps, API keys and webhooks.'),
          t('A list of what it leaves out, such as secrets and the data of other people, with the reasons.'),
          t(
            'At most the latest {rows} entries of each kind. If there are more, the file says so, and we can send you the rest.',
            { rows: DOWNLOADED_ROWS },
          ),
        ]}
      />
    </Panel>
  );
}
