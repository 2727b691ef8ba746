import type { Router } from 'express';
import type { Needs } from '../../app/services.js';
import { t } from '../../platform/language/language.js';
import {
  accountNotice,
  DELETE_ACCOUNT_PATH,
  EMAIL_PATH,
  EXPORT_PATH,
  inAccount,
  PROFILE_PATH,
} from '../../web/kit/areas/account-area.js';
import { type AreaForm, type AreaRequest, areaRoutes } from '../../web/kit/areas/area-routes.js';
import {
  type AreaFrame,
  displayName,
  type PageProps,
  renderAreaPage,
} from '../../web/kit/frame/area-page.js';
import { type Page, siteOf } from '../../web/kit/frame/send-page.js';
import { parseForm } from '../../web/kit/parts/form.js';
import { TextField } from '../../web/kit/parts/form-field.js';
import { ButtonLink, PostForm } from '../../web/kit/parts/form-parts.js';
import { Panel } from '../../web/kit/parts/panel.js';
import { Avatar } from '../../web/kit/parts/picture.js';
import { publicNames } from '../brand/imitation.js';
import { userSchema } from './user.resource.js';
import { renameUser } from './users.js';

const PROFILE_FORM = userSchema.pick({ name: true });

export function profileRoutes(needs: Needs<'baseUrl' | 'clock' | 'db'>): Router {
  return areaRoutes(needs, PROFILE_PATH, { [PROFILE_PATH]: { get: show, post: save } });

  function show({ user, frame, query }: AreaRequest) {
    return accountProfilePage({ frame, name: user.name ?? '', notice: accountNotice(query) });
  }

  async function save({ user, frame, form, response }: AreaForm) {
    const name = form.get('name') ?? '';
    const schema = publicNames(PROFILE_FORM, siteOf(response).brand.name, user);
    const result = parseForm(schema, { name: name.trim() === '' ? null : name });
    if (result.kind === 'invalid') return accountProfilePage({ frame, name, errors: result.errors });
    await renameUser(needs.db, user.id, result.value.name);
    return `${PROFILE_PATH}?done=renamed`;
  }
}

/** The person's name and address: `POST /account/profile` with `name`; an empty name removes it. */
export function accountProfilePage(props: PageProps & { name: string }): Page {
  const { frame, name } = props;
  return renderAreaPage({
    ...props,
    ...inAccount(PROFILE_PATH),
    title: t('Profile'),
    children: (
      <>
        <Identity frame={frame} />
        <PostForm isPanel action={PROFILE_PATH} submit={t('Save name')}>
          <TextField
            name="name"
            label={t('Name')}
            hint={t("Shown to you and to the owners of your communities. Apps don't receive it.")}
            value={name}
            autoComplete="name"
          />
        </PostForm>
        <Panel id="data" heading={t('Your data')}>
          <p class="muted">{t('Download a file with everything that we store about you.')}</p>
          <div class="panel-actions">
            <ButtonLink href={EXPORT_PATH} label={t('Download your data…')} />
          </div>
        </Panel>
        <Panel id="deletion" heading={t('Delete account')} tone="danger">
          <p class="muted">{t('Ends your memberships and deletes your data. You can’t undo it.')}</p>
          <div class="panel-actions">
            <ButtonLink kind="danger" href={DELETE_ACCOUNT_PATH} label={t('Delete account…')} />
          </div>
        </Panel>
      </>
    ),
  });
}

function Identity({ frame }: { frame: AreaFrame }) {
  const { email } = frame.user;
  return (
    <Panel id="identity">
      <div class="profile">
        <Avatar name={displayName(frame.user)} size="large" />
        <div class="profile-text">
          <h2>
            <bdi>{displayName(frame.user)}</bdi>
          </h2>
          {email === null ? (
            <p class="muted">{t('No e-mail address. Your account was created with a messenger account.')}</p>
          ) : (
            <>
              {frame.user.name !== undefined && (
                <p>
                  <bdi>{email}</bdi>
                </p>
              )}
              <p class="muted">
                {t('We send sign-in codes to this address. Apps that you allow receive it.')}
              </p>
              <p>
                <a href={EMAIL_PATH}>{t('Change address…')}</a>
              </p>
            </>
          )}
        </div>
      </div>
    </Panel>
  );
}
