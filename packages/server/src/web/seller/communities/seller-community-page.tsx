import type { AdministeredCommunity } from '../../../domain/communities/community-access.js';
import type { Page } from '../../ui/frame/site.js';
import { AccountField } from '../../ui/parts/account-field.js';
import { TextField } from '../../ui/parts/form-field.js';
import { communityPath, renderCommunityPage, type SellerPageProps } from '../frame/seller-page.js';
import { roleInWords } from '../frame/seller-wording.js';

/** Props of {@link sellerCommunityPage}. */
export interface SellerCommunityPageProps extends SellerPageProps {
  community: AdministeredCommunity;
  /** Raw value of the field for the name. */
  name: string;
  /** Raw value of the field for the bot. */
  botName: string;
}

/** Renders the overview of a community. `POST …/name` with `name`, `POST …/bot` with `botName`. */
export function sellerCommunityPage(props: SellerCommunityPageProps): Page {
  const { community, frame, errors } = props;
  const path = communityPath(community.id);
  return renderCommunityPage({
    ...props,
    section: '',
    title: 'Overview',
    heading: <bdi>{community.name}</bdi>,
    lead: `You administer this community as ${roleInWords(community.role).toLowerCase()}.`,
    children: (
      <>
        <LinksAndIds community={community} />
        <section class="panel" aria-labelledby="rename">
          <h2 id="rename">Name</h2>
          <form class="form" method="post" action={`${path}/name`}>
            <AccountField account={frame.account} />
            <TextField
              name="name"
              label="Name of the community"
              hint="Shown to members on their account page and when they join."
              value={props.name}
              maxLength={200}
              required
              errors={errors}
            />
            <div class="form-actions">
              <button class="button primary" type="submit">
                Save name
              </button>
            </div>
          </form>
        </section>
        <section class="panel" aria-labelledby="bot">
          <h2 id="bot">Messenger bot</h2>
          <form class="form" method="post" action={`${path}/bot`}>
            <AccountField account={frame.account} />
            <TextField
              name="botName"
              label="Name of the bot"
              hint="The bot creates invite links and admits members. Leave blank to remove it."
              value={props.botName}
              maxLength={65}
              spellcheck={false}
              errors={errors}
            />
            <div class="form-actions">
              <button class="button primary" type="submit">
                Save bot
              </button>
            </div>
          </form>
        </section>
      </>
    ),
  });
}

function LinksAndIds({ community }: Pick<SellerCommunityPageProps, 'community'>) {
  return (
    <section class="panel" aria-labelledby="api">
      <h2 id="api">Links and IDs</h2>
      <dl class="facts">
        <dt>Public page</dt>
        <dd>
          <a href={`/communities/${community.id}`}>View public page</a>
        </dd>
        <dt>Community ID</dt>
        <dd>
          <code class="copyable">{community.id}</code>
        </dd>
      </dl>
    </section>
  );
}
