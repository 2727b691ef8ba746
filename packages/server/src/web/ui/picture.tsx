import { safeLogoUrl } from './logo-url.js';
import { monogramOf } from './monogram.js';

/** A client's logo, or its monogram. The name always stands beside it, so it says nothing to a screen reader. */
export function ClientLogo(props: {
  name: string;
  logoUrl?: string | null | undefined;
  size?: 'small' | 'large';
}) {
  const size = props.size ?? 'large';
  const logoUrl = safeLogoUrl(props.logoUrl);
  if (logoUrl === undefined) return <Letters name={props.name} class={`picture-${size} picture-client`} />;
  return (
    <img class={`picture picture-${size} picture-client`} src={logoUrl} alt="" referrerpolicy="no-referrer" />
  );
}

/** A person's monogram. */
export function Avatar(props: { name: string; size?: 'small' | 'large' }) {
  return <Letters name={props.name} class={`picture-${props.size ?? 'small'} picture-person`} />;
}

function Letters(props: { name: string; class: string }) {
  const { letters, tint } = monogramOf(props.name);
  return (
    <span class={`picture ${props.class} tint-${tint}`} aria-hidden="true">
      {letters}
    </span>
  );
}
