import type { NamedRole } from '../../../domain/communities/roles.js';
import { AccountField } from '../../ui/parts/account-field.js';
import { Button } from '../../ui/parts/button.js';
import { Dialog } from '../../ui/parts/dialog.js';
import { personInWords } from '../frame/seller-wording.js';

/** Change of a role, with its consequence. */
interface Change {
  change: string;
  label: string;
  text: string;
}

/** Dialog with the changes of a role, each with its consequence. */
export function RoleDialog(props: {
  /** Id of the dialog. A short one, because a page has fifty of them. */
  id: string;
  holder: NamedRole;
  /** Id of the user who makes the change. */
  account: string;
  /** Path that changes roles. */
  action: string;
}) {
  const { holder } = props;
  const person = personInWords(holder);
  return (
    <Dialog
      id={props.id}
      button={
        <>
          Change
          <span class="visually-hidden"> the role of {person}</span>
        </>
      }
      title={`Role of ${person}`}
    >
      <form method="post" action={props.action}>
        <AccountField account={props.account} />
        <input type="hidden" name="userId" value={holder.userId} />
        <ul class="dialog-choices">
          {changesOf(holder).map(({ change, label, text }) => (
            <li key={change}>
              <p class="muted">{text}</p>
              <Button
                kind={change === 'remove' ? 'danger' : 'secondary'}
                isSmall
                name="change"
                value={change}
              >
                {label}
              </Button>
            </li>
          ))}
        </ul>
      </form>
    </Dialog>
  );
}

function changesOf({ role, isActive }: NamedRole): Change[] {
  return [
    role === 'ADMIN'
      ? { change: 'owner', label: 'Make owner', text: 'Owners can do everything, and also change roles.' }
      : { change: 'admin', label: 'Make admin', text: 'Admins can do everything except change roles.' },
    isActive
      ? {
          change: 'deactivate',
          label: 'Deactivate role',
          text: 'The user and their API keys lose access at once. You can reactivate the role.',
        }
      : {
          change: 'reactivate',
          label: 'Reactivate role',
          text: 'The user and their API keys get access again.',
        },
    {
      change: 'remove',
      label: 'Remove role',
      text: 'The user and their API keys lose access at once. To restore the role, you must invite them again.',
    },
  ];
}
