import { AccountField } from './account-field.js';

export function ActionForm(props: {
  action: string;
  account: string;
  fields?: Readonly<Record<string, string>>;
  label: string;
  /** Text after the label, for screen readers only: names the object of the action. */
  about?: string;
  isDanger?: boolean;
}) {
  const { action, account, fields = {}, label, about, isDanger = false } = props;
  return (
    <form method="post" action={action}>
      <AccountField account={account} />
      {Object.entries(fields).map(([name, value]) => (
        <input type="hidden" name={name} value={value} key={name} />
      ))}
      <button class={`button small ${isDanger ? 'danger' : 'secondary'}`} type="submit">
        {label}
        {about !== undefined && <span class="visually-hidden"> {about}</span>}
      </button>
    </form>
  );
}
