import { comparableEmail } from '@latchkey/contract';
import type { Router } from 'express';
import type { Needs } from '../../app/services.js';
import { t } from '../../platform/language/language.js';
import { DELETE_ACCOUNT_PATH, inAccount, PROFILE_PATH } from '../../web/kit/areas/account-area.js';
import { type AreaForm, type AreaRequest, areaRoutes } from '../../web/kit/areas/area-routes.js';
import { endUserSession } from '../../web/kit/areas/user-session.js';
import { type PageProps, renderAreaPage } from '../../web/kit/frame/area-page.js';
import { messagePage } from '../../web/kit/frame/message-page.js';
import { type Page, sendPage } from '../../web/kit/frame/send-page.js';
import { TextField } from '../../web/kit/parts/form-field.js';
import { ButtonLink, type FormError } from '../../web/kit/parts/form-parts.js';
import { Notes, Panel } from '../../web/kit/parts/panel.js';
import { NameLink } from '../../web/kit/parts/values.js';
import {
  actWithProof,
  Confirmation,
  logAccountChange,
  type NeededProof,
  neededProof,
} from '../sign-in/proof.pages.js';
import { deleteOwnAccount } from './delete-account.js';
import {
  type DeletionObstacles,
  findObstacles,
  isDeletable,
  type OwnedProperty,
} from './deletion-obstacles.js';

export function deleteAccountRoutes(needs: Needs<'baseUrl' | 'clock' | 'db' | 'logger'>): Router {
  const { db, clock } = needs;
  return areaRoutes(needs, DELETE_ACCOUNT_PATH, {
    [DELETE_ACCOUNT_PATH]: { get: (area) => question(area), post: deleteAccount },
  });

  async function question(
    area: AreaRequest,
    typed: { email: string; errors?: readonly FormError[] } = { email: '' },
  ) {
    const { frame, user } = area;
    const obstacles = await findObstacles(db, user.id);
    return deleteAccountPage({ frame, obstacles, proof: await neededProof(needs, area), ...typed });
  }

  async function deleteAccount(area: AreaForm) {
    const { user, form, response } = area;
    const email = form.get('email') ?? '';
    if (user.email === null || comparableEmail(email) !== user.email) {
      const errors = [{ field: 'email', message: t('Enter the e-mail address of your account.') }];
      return question(area, { email, errors });
    }
    return await actWithProof(needs, area, {
      path: DELETE_ACCOUNT_PATH,
      again: (errors) => question(area, { email, errors }),
      async act(proof) {
        const result = await deleteOwnAccount(db, proof, clock.now());
        // The page explains what's missing.
        if (result.kind === 'blocked' || result.kind === 'unknown') return DELETE_ACCOUNT_PATH;
        if (result.kind !== 'deleted') return result;
        logAccountChange(needs, area, 'An account was deleted by its user');
        await endUserSession(needs, area, user.id);
        return sendPage(response, accountDeletedPage());
      },
    });
  }
}

interface DeleteAccountPageProps extends PageProps {
  obstacles: DeletionObstacles;
  proof: NeededProof;
  email: string;
}

export function deleteAccountPage(props: DeleteAccountPageProps): Page {
  const { obstacles, proof } = props;
  const isBlocked = !isDeletable(obstacles);
  return renderAreaPage({
    ...props,
    ...inAccount(PROFILE_PATH),
    title: titleOf(props),
    lead: isBlocked ? undefined : t('You can’t undo the deletion.'),
    parent: 'section',
    errorHeading: t('Your account was not deleted'),
    children: isBlocked ? (
      <>
        <Obstacles obstacles={obstacles} />
        <Consequences />
      </>
    ) : (
      <Confirmation
        {...{ path: DELETE_ACCOUNT_PATH, proof, about: <Consequences />, submit: t('Delete account') }}
        kind="danger"
        cancelKind="secondary"
      >
        <TextField
          name="email"
          label={t('Your e-mail address')}
          hint={t('Enter {email} to confirm.', { email: <bdi>{props.frame.user.email}</bdi> })}
          type="email"
          value={props.email}
          required
          maxLength={254}
          autoComplete="off"
          spellcheck={false}
        />
      </Confirmation>
    ),
  });
}

function titleOf({ obstacles, proof }: DeleteAccountPageProps): string {
  if (!isDeletable(obstacles)) return t('You can’t delete your account yet');
  return t(proof === 'sign-in' ? 'Sign in again to delete your account' : 'Delete your account?');
}

function Consequences() {
  return (
    <Panel heading={t('What happens')} id="consequences">
      <Notes
        notes={[
          t('Your memberships and subscriptions end at once. Paid time is not refunded.'),
          t('All browsers and apps are signed out. Your roles and signups end.'),
          t('Invitations that you received or sent end, unless they were accepted.'),
          t('Your address, your name and your messenger account are deleted here.'),
          t('Sellers keep your past payments for their books, without your name and address.'),
          t(
            'Apps and sellers may have data of their own about you. They learn that your memberships ended, in a message that we delete after 30 days.',
          ),
          t('You can sign in with your address again later. You then start with a new, empty account.'),
        ]}
      />
    </Panel>
  );
}

function Obstacles({ obstacles }: { obstacles: DeletionObstacles }) {
  const { communities, products, clients, apiKeys, isCharged, isOnlyAdmin } = obstacles;
  return (
    <Panel heading={t('Do this first')} id="to-do">
      <ul class="notes">
        <Owned
          owned={communities}
          hrefOf={({ id }) => `/seller/communities/${id}`}
          text={t(
            'Close the community. Or invite another owner, and leave your role once they have accepted:',
          )}
        />
        <Owned
          owned={products}
          hrefOf={({ id }) => `/seller/products/${id}`}
          text={t(
            'Delete the product. If it was sold, contact us to hand it over to another seller, because its buyers need it:',
          )}
        />
        <Owned owned={clients} hrefOf={({ id }) => `/developer/clients/${id}`} text={t('Delete the app:')} />
        <Owned owned={apiKeys} hrefOf={() => '/developer/api-keys'} text={t('Revoke the API key:')} />
        {isOnlyAdmin && (
          <li>
            {t('You are the only admin of the {area}. Make another user one.', {
              area: <a href="/operator/operators">{t('operator area')}</a>,
            })}
          </li>
        )}
        {isCharged && (
          <li>
            {t(
              'A payment has no result yet. Try again in an hour. If this message is still here tomorrow, contact us.',
            )}
          </li>
        )}
      </ul>
      <div class="panel-actions">
        <ButtonLink href={PROFILE_PATH} label={t('Back to your profile')} />
      </div>
    </Panel>
  );
}

function Owned(props: {
  owned: readonly OwnedProperty[];
  hrefOf: (owned: OwnedProperty) => string;
  text: string;
}) {
  return (
    <>
      {props.owned.map((one) => (
        <li key={one.id}>
          {props.text} <NameLink href={props.hrefOf(one)} name={one.name} />
        </li>
      ))}
    </>
  );
}

export function accountDeletedPage(): Page {
  return messagePage({
    title: t('Account deleted'),
    heading: t('Your account is deleted'),
    text: t(
      'You are signed out everywhere, and your memberships have ended. We send a last e-mail to your address to confirm it.',
    ),
    isDone: true,
  });
}
