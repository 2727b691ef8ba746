/** Hidden field with the id of the user that the form was rendered for. */
export function AccountField(props: { account: string }) {
  return <input type="hidden" name="account" value={props.account} />;
}
