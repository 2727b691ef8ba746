/** The way to the visitor's account from a page that everybody can see. */
export function VisitorNav(props: { isSignedIn: boolean; signInHref: string }) {
  return (
    <nav class="site-nav" aria-label="Account">
      {props.isSignedIn ? <a href="/account">Your account</a> : <a href={props.signInHref}>Sign in</a>}
    </nav>
  );
}
