import { AccountField } from './area-page.js';

/** A form that is one button: what it does, and to whose account it belongs. */
export function ActionForm(props: {
  action: string;
  account: string;
  /** Hidden fields. */
  fields?: Readonly<Record<string, string>>;
  /** Says what the button does to what, for people who hear it out of its place. */
  label: string;
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
