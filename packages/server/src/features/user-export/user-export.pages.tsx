import type { Router } from 'express';
import type { Needs } from '../../app/services.js';
import { t } from '../../platform/language/language.js';
import { EXPORT_PATH, inAccount, PROFILE_PATH } from '../../web/kit/areas/account-area.js';
import { type AreaForm, type AreaRequest, areaRoutes } from '../../web/kit/areas/area-routes.js';
import { type PageProps, renderAreaPage } from '../../web/kit/frame/area-page.js';
import type { Page } from '../../web/kit/frame/send-page.js';
import { type FormError, PostForm } from '../../web/kit/parts/form-parts.js';
import { Panel } from '../../web/kit/parts/panel.js';
import {
  answerRejected,
  enteredProof,
  logAccountChange,
  type NeededProof,
  neededProof,
  SecondFactorField,
  SignInAgainPanel,
} from '../sign-in/proof.pages.js';
import { sendWait } from '../sign-in/too-many-codes.pages.js';
import { DOWNLOADED_ROWS, EXPORTS_PER_DAY, exportOwnData } from './export-user.js';

/** Routes of the download of everything about the user. */
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
    const entered = await enteredProof(needs, area);
    if (entered === undefined) return EXPORT_PATH;
    const now = clock.now();
    const result = await exportOwnData(db, entered, now);
    switch (result.kind) {
      case 'exported': {
        logAccountChange(needs, area, 'The data of an account was downloaded by its user');
        const { exported } = result;
        response.set('Cache-Control', 'no-store');
        response.attachment(`latchkey-export-${exported.exportedAt.slice(0, 10)}.json`);
        response.send(`${JSON.stringify(exported, null, 2)}\n`);
        return;
      }
      case 'too-many':
        return sendWait(response, { availableAt: result.availableAt, now }, (time) => ({
          title: t('Too many downloads of your data'),
          text: t('You can download your data {times} times a day. Try again in {time}.', {
            times: EXPORTS_PER_DAY,
            time,
          }),
          action: { href: PROFILE_PATH, label: t('Back to your profile') },
        }));
      default:
        return answerRejected(needs, area, result, {
          path: EXPORT_PATH,
          again: (errors) => question(area, errors),
        });
    }
  }
}

/**
 * Explains the export: `POST /account/export`, with `code` if two-step sign-in is on. The response is the file. After an old sign-in,
 * `POST /sign-out` leads through a new one and back.
 */
export function exportDataPage(props: PageProps & { proof: NeededProof }): Page {
  const { proof } = props;
  return renderAreaPage({
    ...props,
    ...inAccount(PROFILE_PATH),
    title: t(proof === 'sign-in' ? 'Sign in again to download your data' : 'Download your data'),
    lead: t(
      'A file with everything that this service stores about you. It’s JSON, so other programs can read it.',
    ),
    parent: { href: PROFILE_PATH, label: t('Profile') },
    errorHeading: t('Your data was not downloaded'),
    children: (
      <>
        {proof === 'sign-in' && <SignInAgainPanel continueTo={EXPORT_PATH} cancelHref={PROFILE_PATH} />}
        <Panel heading={t('What the file contains')} id="contents">
          <ul class="notes">
            <li>
              {t(
                'Your profile, sessions, two-step sign-in, the apps that you allowed, and the log of changes.',
              )}
            </li>
            <li>{t('Your memberships, roles, invitations, signups, orders and payments.')}</li>
            <li>{t('Your messenger accounts, and e-mails to you that are not sent yet.')}</li>
            <li>{t('What you own: communities, products, apps, API keys and webhooks.')}</li>
            <li>
              {t(
                'A list of what it leaves out, such as secrets and the data of other people, with the reasons.',
              )}
            </li>
            <li>
              {t(
                'At most the latest {rows} entries of each kind. If there are more, the file says so, and we can send you the rest.',
                { rows: DOWNLOADED_ROWS },
              )}
            </li>
          </ul>
        </Panel>
        {proof !== 'sign-in' && (
          <PostForm
            isPanel
            action={EXPORT_PATH}
            submit={t('Download')}
            cancelHref={PROFILE_PATH}
            cancelKind="secondary"
          >
            <p>{t('Keep the file where only you can read it.')}</p>
            {proof === 'code' && <SecondFactorField />}
          </PostForm>
        )}
      </>
    ),
  });
}
