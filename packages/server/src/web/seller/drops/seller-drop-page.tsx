import type { AdministeredCommunity } from '../../../domain/communities/community-access.js';
import { dropState } from '../../../domain/drops/drop.js';
import type { DropSignup } from '../../../domain/drops/drop-signups.js';
import type { DropSlot } from '../../../domain/drops/drops.js';
import type { ListPage } from '../../../platform/database/keyset.js';
import type { Page } from '../../ui/frame/site.js';
import { ActionForm } from '../../ui/parts/action-form.js';
import { Confirm } from '../../ui/parts/confirm.js';
import { Pager } from '../../ui/parts/pager.js';
import { PlainDateTime } from '../../ui/parts/plain-time.js';
import { communityPath, renderCommunityPage, type SellerPageProps } from '../frame/seller-page.js';
import { DROP_STATE_WORDING, slotsInWords } from '../frame/seller-wording.js';
import { type DropFields, DropForm } from './drop-form-fields.js';

/** Props of {@link sellerDropPage}. */
export interface SellerDropPageProps extends SellerPageProps {
  community: AdministeredCommunity;
  drop: DropSlot;
  fields: DropFields;
  signups: ListPage<DropSignup>;
  /** True for the first page of signups. */
  isFirst: boolean;
  /** Milliseconds since the epoch. */
  now: number;
}

/** Renders a drop with its signups. `POST …/drops/{id}` saves it, `POST …/drops/{id}/end` ends it, `GET …/signups.csv`. */
export function sellerDropPage(props: SellerDropPageProps): Page {
  const { community, drop, frame, now } = props;
  const drops = `${communityPath(community.id)}/drops`;
  const path = `${drops}/${drop.id}`;
  const state = dropState(drop, now);
  return renderCommunityPage({
    ...props,
    section: 'drops',
    title: `Drop ${drop.name}`,
    heading: <bdi>{drop.name}</bdi>,
    lead: `${DROP_STATE_WORDING[state]}, ${slotsInWords(drop)}.`,
    parent: { href: drops, label: 'Drops' },
    children: (
      <>
        <Signups {...props} path={path} />
        <section class="panel" aria-labelledby="edit">
          <h2 id="edit">Edit drop</h2>
          <DropForm
            action={path}
            frame={frame}
            fields={props.fields}
            errors={props.errors}
            submit="Save drop"
          />
        </section>
        {(state === 'running' || state === 'upcoming') && (
          <section class="panel" aria-labelledby="end">
            <h2 id="end">{state === 'running' ? 'End drop' : 'Cancel drop'}</h2>
            <p class="muted">The drop accepts no more signups. Existing signups stay on the list.</p>
            <div class="panel-actions">
              <Confirm
                label={state === 'running' ? 'End drop…' : 'Cancel drop…'}
                text="The drop ends at once. You can set a new end later."
              >
                <ActionForm
                  action={`${path}/end`}
                  account={frame.account}
                  label={state === 'running' ? 'End drop now' : 'Cancel drop now'}
                  isDanger
                />
              </Confirm>
            </div>
          </section>
        )}
      </>
    ),
  });
}

function Signups({ signups, isFirst, path }: SellerDropPageProps & { path: string }) {
  return (
    <section class="panel" aria-labelledby="signups">
      <div class="panel-heading">
        <h2 id="signups">Signups</h2>
        {(signups.rows.length > 0 || !isFirst) && (
          <a class="button secondary small" href={`${path}/signups.csv`} download>
            Download as CSV
          </a>
        )}
      </div>
      {signups.rows.length === 0 ? (
        <p class="empty">{isFirst ? 'There are no signups yet.' : 'There are no more signups.'}</p>
      ) : (
        <ul class="rows">
          {signups.rows.map(({ email, phoneNumber, createdAt }) => (
            <li class="row" key={email}>
              <div class="row-text">
                <p class="row-title">
                  <bdi>{email}</bdi>
                </p>
                {phoneNumber !== null && (
                  <p class="muted">
                    <bdi>{phoneNumber}</bdi>
                  </p>
                )}
              </div>
              <p class="muted">
                <PlainDateTime at={createdAt} />
              </p>
            </li>
          ))}
        </ul>
      )}
      <Pager path={path} next={signups.next} isFirst={isFirst} first="beginning" />
    </section>
  );
}
