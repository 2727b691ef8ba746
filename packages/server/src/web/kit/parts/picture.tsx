import { KeyIcon } from './icons.js';

/** Public data of a registered client. The client's owner wrote all fields, so treat them as untrusted. */
export interface ClientSummary {
  name: string;
  /** Shown if it is an `https:`, `http:` or image `data:` URL. Otherwise a monogram is shown. */
  logoUrl?: string | null | undefined;
  description?: string | null | undefined;
  /** `#rrggbb` in lower case. */
  accent?: string | null | undefined;
}

const IMAGE_DATA = /^data:image\/(?:png|jpeg|gif|webp|avif|svg\+xml)[;,]/i;

/** An `https:`, `http:` or image `data:` URL. Drops all others: they come from clients' owners. */
export function safeLogoUrl(logoUrl: string | null | undefined): string | undefined {
  if (logoUrl === null || logoUrl === undefined) return undefined;
  if (IMAGE_DATA.test(logoUrl)) return logoUrl;
  const url = URL.canParse(logoUrl) ? new URL(logoUrl) : undefined;
  return url?.protocol === 'https:' || url?.protocol === 'http:' ? url.href : undefined;
}

const TINTS = 6;

/** Up to two letters, and a colour from 0 to 5 by the name. Skips words without a letter or digit. */
export function monogramOf(name: string): { letters: string; tint: number } {
  const initials = name
    .split(/\s+/u)
    .map((word) => /[\p{L}\p{N}]/u.exec(word)?.[0])
    .filter((initial) => initial !== undefined);
  const letters = [initials[0], initials.length > 1 ? initials.at(-1) : undefined].join('').toUpperCase();
  const sum = Array.from(name).reduce(
    (total, character) => (total * 31 + (character.codePointAt(0) ?? 0)) % 65521,
    7,
  );
  return { letters: letters === '' ? '·' : letters, tint: sum % TINTS };
}

/** Logo of a client, or else its monogram. Hidden from screen readers: the name is always next to it. */
export function ClientLogo(props: {
  name: string;
  logoUrl?: string | null | undefined;
  size?: 'small' | 'large';
}) {
  const size = props.size ?? 'large';
  const logoUrl = safeLogoUrl(props.logoUrl);
  if (logoUrl === undefined) return <Letters name={props.name} class={`picture-${size} picture-client`} />;
  return <LogoImage logoUrl={logoUrl} size={size} />;
}

/** Logo of the service, or else its key icon. Hidden from screen readers: there is always a title below it. */
export function ServiceLogo(props: { logoUrl?: string | null | undefined }) {
  const logoUrl = safeLogoUrl(props.logoUrl);
  if (logoUrl === undefined) {
    return (
      <span class="picture picture-large picture-client picture-service" aria-hidden="true">
        <KeyIcon />
      </span>
    );
  }
  return <LogoImage logoUrl={logoUrl} size="large" />;
}

function LogoImage(props: { logoUrl: string; size: 'small' | 'large' }) {
  return (
    <img
      class={`picture picture-${props.size} picture-client`}
      src={props.logoUrl}
      alt=""
      referrerpolicy="no-referrer"
    />
  );
}

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
