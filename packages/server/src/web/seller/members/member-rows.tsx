import type { ListedMembership } from '../../../domain/memberships/membership-list.js';
import { membershipState } from '../../../domain/memberships/membership-state.js';
import { PlainDate } from '../../ui/parts/plain-time.js';
import { personInWords } from '../frame/seller-wording.js';

/** List of memberships with the member and the end of each. */
export function MemberRows(props: {
  memberships: readonly ListedMembership[];
  /**
   * Returns the link of a row.
   *
   * @default no link
   */
  hrefOf?: (membership: ListedMembership) => string;
  /** Milliseconds since the epoch. */
  now: number;
}) {
  return (
    <ul class="rows">
      {props.memberships.map((membership) => {
        const person = personInWords(membership);
        const href = props.hrefOf?.(membership);
        return (
          <li class="row" key={membership.id}>
            <div class="row-text">
              <p class="row-title">
                {href === undefined ? (
                  <bdi>{person}</bdi>
                ) : (
                  <a href={href}>
                    <bdi>{person}</bdi>
                  </a>
                )}
              </p>
              {membership.email !== null && membership.email !== person && (
                <p class="muted">
                  <bdi>{membership.email}</bdi>
                </p>
              )}
              <p class="muted">
                Since <PlainDate at={membership.validFrom} />
                {membership.planName !== null && (
                  <>
                    , <bdi>{membership.planName}</bdi>
                  </>
                )}
              </p>
            </div>
            <MembershipTag membership={membership} now={props.now} />
          </li>
        );
      })}
    </ul>
  );
}

/** Label with the state of a membership. */
export function MembershipTag({ membership, now }: { membership: ListedMembership; now: number }) {
  const { validUntil } = membership;
  switch (membershipState(membership, now)) {
    case 'expired':
      return <p class="tag quiet">Ended {validUntil !== null && <PlainDate at={validUntil} />}</p>;
    case 'upcoming':
      return <p class="tag quiet">Upcoming</p>;
    default:
      if (validUntil === null) return <p class="tag">Lifetime</p>;
      return (
        <p class="tag">
          Until <PlainDate at={validUntil} />
        </p>
      );
  }
}
