import { DAY_MS } from '@latchkey/contract/constants';
import type { CommunityFigures } from '../../../features/checkout/sales.js';
import type { CommunityRole } from '../../../features/communities/community.resource.js';
import type { BoundedCount } from '../../../features/memberships/member-status.js';
import { currentLanguage, keptByKey, t } from '../../../platform/language/language.js';
import { ButtonLink } from '../parts/form-parts.js';
import { Panel } from '../parts/panel.js';
import { CopyField, Count, Money, NameLink } from '../parts/values.js';

export function roleInWords(role: CommunityRole): string {
  return t(role === 'OWNER' ? 'Owner' : 'Admin');
}

export function periodInWords(periodDays: number | null): string {
  return periodDays === null ? t('Lifetime') : t('{days} days', { days: `${periodDays}`, count: periodDays });
}

export function paymentInWords({
  renews,
  provider,
}: {
  renews: boolean;
  provider: 'card' | 'crypto';
}): string {
  if (provider === 'card') return t(renews ? 'Card, renews automatically' : 'Card');
  return t(renews ? 'Crypto, renews automatically' : 'Crypto');
}

export interface ListedPerson {
  readonly name: string | null;
  readonly email: string | null;
  readonly messengerUserId?: number | null;
  /** True if the person deleted the account. @default false */
  readonly isDeleted?: boolean;
}

export function personInWords(person: ListedPerson): string {
  if (person.isDeleted === true) return t('Deleted account');
  const { messengerUserId = null } = person;
  return (
    person.name ??
    person.email ??
    (messengerUserId === null
      ? t('User without e-mail address')
      : t('Messenger account {id}', { id: `${messengerUserId}` }))
  );
}

const UNITS: readonly [Intl.RelativeTimeFormatUnit, number][] = [
  ['day', DAY_MS],
  ['hour', 3600_000],
  ['minute', 60_000],
];

const relativeFormats = keptByKey(
  (locale) => new Intl.RelativeTimeFormat(`${locale}-u-nu-latn`, { numeric: 'always' }),
);

/** Returns the time until a later instant in its largest unit: "in 3 days", "in less than a minute". */
export function timeUntilInWords(at: number, now: number): string {
  const [unit, size] = UNITS.find(([, ms]) => at - now >= ms) ?? [];
  return unit === undefined || size === undefined
    ? t('in less than a minute')
    : relativeFormats(currentLanguage().locale).format(Math.floor((at - now) / size), unit);
}

/** Person in a table: the name, linked if there is a page, and the email address below it. */
export function PersonCell(props: {
  person: ListedPerson;
  href?: string | undefined;
  /** Shown after the name: " (you)". */
  suffix?: string;
}) {
  const { person, href, suffix = '' } = props;
  const name = personInWords(person);
  return (
    <>
      {href === undefined ? <bdi>{name}</bdi> : <NameLink href={href} name={name} />}
      {suffix}
      {person.email !== null && person.email !== name && (
        <p class="muted">
          <bdi>{person.email}</bdi>
        </p>
      )}
    </>
  );
}

const monthFormats = keptByKey(
  (locale) => new Intl.DateTimeFormat(locale, { month: 'long', timeZone: 'UTC' }),
);

/** Label of the revenue since the start of the month in UTC: "Revenue in November". */
export function revenueLabel(now: number): string {
  return t('Revenue in {month}', { month: monthFormats(currentLanguage().locale).format(now) });
}

/** Number of members: `12,500`, or `20,000+` if there are more than a page counts. */
export function MemberCount({ members }: { members: BoundedCount }) {
  return (
    <>
      <Count value={members.count} />
      {members.hasMore && '+'}
    </>
  );
}

export function Revenue({ figures }: { figures: Pick<CommunityFigures, 'revenue' | 'hasMoreRevenue'> }) {
  if (figures.revenue.length === 0) return <span class="muted">{t('None')}</span>;
  return (
    <>
      {figures.revenue.map(({ currency, priceMinor }, index) => (
        <span key={currency}>
          {index > 0 && ', '}
          <Money minor={priceMinor} currency={currency} />
          {figures.hasMoreRevenue && '+'}
        </span>
      ))}
    </>
  );
}

export function LinksAndIds(props: {
  publicPath: string;
  baseUrl: string;
  /** Explains the link: "Share this link. People buy your plans there." */
  hint: string;
  idLabel: string;
  id: string;
}) {
  const { publicPath, baseUrl, hint, idLabel, id } = props;
  return (
    <Panel
      heading={t('Links and IDs')}
      id="api"
      actions={<ButtonLink isSmall href={publicPath} label={t('View public page')} />}
    >
      <div class="form">
        <CopyField label={t('Public page')} hint={hint} value={`${baseUrl}${publicPath}`} />
        <CopyField label={idLabel} hint={t('For the API and the login widget.')} value={id} />
      </div>
    </Panel>
  );
}
