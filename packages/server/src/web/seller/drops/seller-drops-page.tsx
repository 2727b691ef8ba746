import type { AdministeredCommunity } from '../../../domain/communities/community-access.js';
import { type DropState, dropState } from '../../../domain/drops/drop.js';
import type { DropSlot } from '../../../domain/drops/drops.js';
import type { ListPage } from '../../../platform/database/keyset.js';
import type { Page } from '../../ui/frame/site.js';
import { Pager } from '../../ui/parts/pager.js';
import { PlainDateTime } from '../../ui/parts/plain-time.js';
import { communityPath, renderCommunityPage, type SellerPageProps } from '../frame/seller-page.js';
import { DROP_STATE_WORDING, slotsInWords } from '../frame/seller-wording.js';
import { type DropFields, DropForm } from './drop-form-fields.js';

/** Props of {@link sellerDropsPage}. */
export interface SellerDropsPageProps extends SellerPageProps {
  community: AdministeredCommunity;
  drops: ListPage<DropSlot>;
  /** True for the first page of the list. */
  isFirst: boolean;
  fields: DropFields;
  /** Milliseconds since the epoch. */
  now: number;
}

const GROUPS: readonly { heading: string; states: readonly DropState[] }[] = [
  { heading: 'Running', states: ['running'] },
  { heading: 'Upcoming', states: ['upcoming'] },
  { heading: 'Ended', states: ['ended', 'cancelled'] },
];

/** Renders the drops of a community. `POST …/drops` with `name`, `slots`, `startsAt` and `endsAt` creates one. */
export function sellerDropsPage(props: SellerDropsPageProps): Page {
  const { community, drops, now } = props;
  const path = `${communityPath(community.id)}/drops`;
  return renderCommunityPage({
    ...props,
    section: 'drops',
    title: 'Drops',
    children: (
      <>
        {drops.rows.length === 0 && (
          <section class="panel">
            <p class="empty">{props.isFirst ? 'There are no drops yet.' : 'There are no more drops.'}</p>
          </section>
        )}
        {GROUPS.map(({ heading, states }) => {
          const group = drops.rows.filter((drop) => states.includes(dropState(drop, now)));
          return group.length === 0 ? null : (
            <DropGroup key={heading} heading={heading} drops={group} path={path} now={now} />
          );
        })}
        <Pager path={path} next={drops.next} isFirst={props.isFirst} first="latest drops" />
        <section class="panel" aria-labelledby="new-drop">
          <h2 id="new-drop">New drop</h2>
          <DropForm
            action={path}
            frame={props.frame}
            fields={props.fields}
            errors={props.errors}
            submit="Create drop"
          />
        </section>
      </>
    ),
  });
}

function DropGroup(props: { heading: string; drops: readonly DropSlot[]; path: string; now: number }) {
  const id = props.heading.toLowerCase();
  return (
    <section class="panel" aria-labelledby={id}>
      <h2 id={id}>{props.heading}</h2>
      <ul class="rows">
        {props.drops.map((drop) => (
          <li class="row" key={drop.id}>
            <div class="row-text">
              <p class="row-title">
                <a href={`${props.path}/${drop.id}`}>
                  <bdi>{drop.name}</bdi>
                </a>
              </p>
              <p class="muted">
                <PlainDateTime at={drop.startsAt} />
                {drop.endsAt !== null && drop.endsAt > drop.startsAt && (
                  <>
                    {' to '}
                    <PlainDateTime at={drop.endsAt} />
                  </>
                )}
              </p>
              <p class="muted">{slotsInWords(drop)}</p>
            </div>
            <p class={dropState(drop, props.now) === 'running' ? 'tag' : 'tag quiet'}>
              {DROP_STATE_WORDING[dropState(drop, props.now)]}
            </p>
          </li>
        ))}
      </ul>
    </section>
  );
}
