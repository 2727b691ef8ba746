/** Link from a public page to the account, or to sign-in. */
export function VisitorNav(props: { isSignedIn: boolean; signInHref: string }) {
  return (
    <nav class="site-nav" aria-label="Account">
      {props.isSignedIn ? <a href="/account">Your account</a> : <a href={props.signInHref}>Sign in</a>}
    </nav>
  );
}
