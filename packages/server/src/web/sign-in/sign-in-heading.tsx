import type { ComponentChildren } from 'preact';
import type { ClientSummary } from '../ui/parts/client-summary.js';
import { AlertIcon } from '../ui/parts/icons.js';
import { ClientLogo, ServiceLogo } from '../ui/parts/picture.js';

/** Name and logo of the client or of the service. */
export type SignInBrand = Pick<ClientSummary, 'name' | 'logoUrl'>;

/**
 * Top of the sign-in, code and consent pages: a logo at the same place and in the same size, the title, and lines below it.
 * Without a client, the logo is the service's.
 */
export function SignInHeading(props: {
  client: SignInBrand | undefined;
  service: SignInBrand;
  title: ComponentChildren;
  children?: ComponentChildren;
}) {
  const { client, service } = props;
  return (
    <div class="heading">
      {client === undefined ? (
        <ServiceLogo logoUrl={service.logoUrl} />
      ) : (
        <ClientLogo name={client.name} logoUrl={client.logoUrl} />
      )}
      <h1>{props.title}</h1>
      {props.children}
    </div>
  );
}

/** Words before the name of the service at the foot of pages with the brand of a client. */
export const SIGN_IN_FOOTER = 'Sign-in by';

/** Note that anyone can have registered the client. The consent page says more. */
export function UnverifiedNote({ serviceName }: { serviceName: string }) {
  return (
    <p class="unverified-note">
      <AlertIcon />
      <span>
        Not verified by <bdi>{serviceName}</bdi>
      </span>
    </p>
  );
}

/** Origin of the site that the user returns to. A copy of a client has the same name and logo, but not the same origin. */
export function ReceiverOrigin({ text, origin }: { text: string; origin: string }) {
  return (
    <p class="receiver">
      {text}{' '}
      <strong>
        <bdi>{origin}</bdi>
      </strong>
    </p>
  );
}
