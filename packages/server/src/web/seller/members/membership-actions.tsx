import type { ListedMembership } from '../../../domain/memberships/membership-list.js';
import type { AreaFrame } from '../../ui/frame/area-page.js';
import { AccountField } from '../../ui/parts/account-field.js';
import { ActionForm } from '../../ui/parts/action-form.js';
import { Button, ButtonLink } from '../../ui/parts/button.js';
import { Dialog } from '../../ui/parts/dialog.js';
import type { FormError } from '../../ui/parts/error-summary.js';
import { DateField, Switch } from '../../ui/parts/form-field.js';
import { Panel } from '../../ui/parts/panel.js';
import { Time } from '../../ui/parts/time.js';
import { personInWords } from '../frame/seller-wording.js';
import type { EndFields } from './membership-form.js';

interface ActionProps {
  frame: AreaFrame;
  path: string;
  membership: ListedMembership;
}

/** Cancellation of the subscription that renews a membership. */
export function Subscription({ frame, path, membership }: ActionProps) {
  return (
    <Panel heading="Subscription" id="subscription">
      <p class="muted">
        Each payment sets the end of this membership. To change the end yourself, cancel the subscription
        first.
      </p>
      <div class="panel-actions">
        <Dialog
          id="cancel-subscription"
          button="Cancel subscription…"
          buttonKind="danger"
          title="Cancel the subscription?"
        >
          <ul class="notes">
            <li>
              The membership stays active{' '}
              {membership.validUntil === null ? (
                'until the end of the paid period'
              ) : (
                <>
                  until <Time at={membership.validUntil} />
                </>
              )}
              , and then ends.
            </li>
            <li>The member pays nothing more.</li>
            <li>You can't restart the subscription. The member can buy a plan again.</li>
          </ul>
          <ActionForm
            action={`${path}/cancel-subscription`}
            account={frame.account}
            label="Cancel subscription"
            about="for good"
            isDanger
          />
        </Dialog>
      </div>
    </Panel>
  );
}

export function ChangeEnd(props: {
  frame: AreaFrame;
  path: string;
  fields: EndFields;
  errors: readonly FormError[] | undefined;
}) {
  const { fields, errors } = props;
  return (
    <Panel heading="Change end" id="change-end">
      <form class="form" method="post" action={`${props.path}/end`}>
        <AccountField account={props.frame.account} />
        <DateField
          name="endsAt"
          label="Ends"
          hint="Without a time, it ends as the day begins."
          value={fields.endsAt}
          hasTime
          errors={errors}
        />
        <Switch name="forLife" label="Lifetime, without an end" checked={fields.forLife} errors={errors} />
        <div class="form-actions">
          <Button kind="primary">Save end</Button>
        </div>
      </form>
    </Panel>
  );
}

/** Way back for a former member. */
export function InviteAgain({ href }: { href: string }) {
  return (
    <Panel heading="Invite again" id="again">
      <p class="muted">
        This membership has ended. Its end can't be changed any more, because the member may have left. They
        can accept a new invitation.
      </p>
      <div class="panel-actions">
        <ButtonLink isSmall href={href}>
          Invite again
        </ButtonLink>
      </div>
    </Panel>
  );
}

/** End of a membership at once, after its consequences. */
export function EndNow({ frame, path, membership }: ActionProps) {
  const person = personInWords(membership);
  return (
    <Panel heading="End membership" tone="danger" id="end-now">
      <p class="muted">The member loses access at once, even in a paid period.</p>
      <div class="panel-actions">
        <Dialog
          id="end-membership"
          button="End membership…"
          buttonKind="danger"
          title="End this membership now?"
        >
          <ul class="notes">
            <li>
              <bdi>{person}</bdi> loses access at once, even in a paid period.
            </li>
            {membership.isRenewing && <li>The subscription is cancelled. Nothing more is charged.</li>}
            <li>Earlier payments are not refunded.</li>
            <li>To restore access, you must invite them again.</li>
          </ul>
          <ActionForm
            action={`${path}/end-now`}
            account={frame.account}
            label="End membership now"
            isDanger
          />
        </Dialog>
      </div>
    </Panel>
  );
}
