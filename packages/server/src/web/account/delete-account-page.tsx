import type { ComponentChildren } from 'preact';
import {
  type DeletionObstacles,
  isDeletable,
  type OwnedProperty,
} from '../../domain/account-deletion/deletion-obstacles.js';
import { type AreaFrame, renderAreaPage } from '../ui/frame/area-page.js';
import type { Page } from '../ui/frame/site.js';
import { AccountField } from '../ui/parts/account-field.js';
import { Button, ButtonLink } from '../ui/parts/button.js';
import type { FormError } from '../ui/parts/error-summary.js';
import { TextField } from '../ui/parts/form-field.js';
import { Panel } from '../ui/parts/panel.js';
import { ACCOUNT_SECTIONS, DELETE_ACCOUNT_PATH } from './account-sections.js';
import { SecondFactorField } from './second-factor-field.js';

const PROFILE_PATH = '/account/profile';

export interface DeleteAccountPageProps {
  frame: AreaFrame;
  obstacles: DeletionObstacles;
  /** Proof that the deletion needs. `sign-in`: the sign-in is too long ago. */
  proof: 'none' | 'code' | 'sign-in';
  /** Raw value of the field. */
  email: string;
  errors?: readonly FormError[] | undefined;
}

/**
 * Explains the deletion of the account: `POST /account/delete` with `email`, and `code` if two-step sign-in is on. After an old
 * sign-in, `POST /sign-out` leads through a new one and back. What has to be done first comes before the consequences.
 */
export function deleteAccountPage(props: DeleteAccountPageProps): Page {
  const { frame, obstacles, proof, errors } = props;
  const isBlocked = !isDeletable(obstacles);
  return renderAreaPage({
    frame,
    area: 'account',
    sections: ACCOUNT_SECTIONS,
    section: PROFILE_PATH,
    title: titleOf(props),
    lead: isBlocked ? undefined : 'You can’t undo the deletion.',
    parent: { href: PROFILE_PATH, label: 'Profile' },
    errors,
    errorHeading: 'Your account was not deleted',
    children: (
      <>
        {isBlocked && <Obstacles obstacles={obstacles} />}
        {!isBlocked && proof === 'sign-in' && <SignInAgain />}
        <Consequences />
        {!isBlocked && proof !== 'sign-in' && <Confirmation {...props} />}
      </>
    ),
  });
}

function titleOf({ obstacles, proof }: DeleteAccountPageProps): string {
  if (!isDeletable(obstacles)) return 'You can’t delete your account yet';
  return proof === 'sign-in' ? 'Sign in again to delete your account' : 'Delete your account?';
}

function Consequences() {
  return (
    <Panel heading="What happens" id="consequences">
      <ul class="notes">
        <li>Your memberships and subscriptions end at once. Paid time is not refunded.</li>
        <li>All browsers and apps are signed out. Your roles and signups end.</li>
        <li>Invitations that you received or sent end, unless they were accepted.</li>
        <li>Your address, your name and your messenger account are deleted here.</li>
        <li>Sellers keep your past payments for their books, without your name and address.</li>
        <li>
          Apps and sellers may have data of their own about you. They learn that your memberships ended, in a
          message that we delete after 30 days.
        </li>
        <li>You can sign in with your address again later. You then start with a new, empty account.</li>
      </ul>
    </Panel>
  );
}

function Confirmation({ frame, proof, email, errors }: DeleteAccountPageProps) {
  return (
    <form class="panel form" method="post" action={DELETE_ACCOUNT_PATH}>
      <AccountField account={frame.account} />
      <TextField
        name="email"
        label="Your e-mail address"
        hint={
          <>
            Enter <bdi>{frame.user.email}</bdi> to confirm.
          </>
        }
        type="email"
        value={email}
        required
        maxLength={254}
        autoComplete="off"
        spellcheck={false}
        errors={errors}
      />
      {proof === 'code' && <SecondFactorField errors={errors} />}
      <div class="form-actions">
        <Button kind="danger">Delete account</Button>
        <ButtonLink href={PROFILE_PATH}>Cancel</ButtonLink>
      </div>
    </form>
  );
}

function SignInAgain() {
  return (
    <Panel id="sign-in-again">
      <div class="stack">
        <p>For your security, this needs a sign-in of the last ten minutes.</p>
        <form class="form-actions" method="post" action="/sign-out">
          <input
            type="hidden"
            name="continue"
            value={`/sign-in?${new URLSearchParams({ continue: DELETE_ACCOUNT_PATH })}`}
          />
          <Button kind="primary">Sign in again</Button>
          <ButtonLink href={PROFILE_PATH}>Cancel</ButtonLink>
        </form>
      </div>
    </Panel>
  );
}

/** List of what the user has to do first, with links. */
function Obstacles({ obstacles }: { obstacles: DeletionObstacles }) {
  const { communities, products, clients, apiKeys, isCharged } = obstacles;
  return (
    <Panel heading="Do this first" id="to-do">
      <ul class="notes">
        <Owned
          owned={communities}
          hrefOf={({ id }) => `/seller/communities/${id}/roles`}
          text="Make another person the owner of the community, then give up your role:"
        />
        <Owned
          owned={products}
          hrefOf={({ id }) => `/seller/products/${id}`}
          text="Delete the product. If it was sold, contact us to hand it over to another seller, because its buyers need it:"
        />
        <Owned owned={clients} hrefOf={({ id }) => `/developer/clients/${id}`} text="Delete the app:" />
        <Owned owned={apiKeys} hrefOf={() => '/developer/api-keys'} text="Revoke the API key:" />
        {isCharged && (
          <li>
            A payment has no result yet. Try again in an hour. If this message is still here tomorrow, contact
            us.
          </li>
        )}
      </ul>
      <div class="panel-actions">
        <ButtonLink href={PROFILE_PATH}>Back to your profile</ButtonLink>
      </div>
    </Panel>
  );
}

function Owned(props: {
  owned: readonly OwnedProperty[];
  hrefOf: (owned: OwnedProperty) => string;
  text: ComponentChildren;
}) {
  return (
    <>
      {props.owned.map((one) => (
        <li key={one.id}>
          {props.text}{' '}
          <a href={props.hrefOf(one)}>
            <bdi>{one.name}</bdi>
          </a>
        </li>
      ))}
    </>
  );
}
