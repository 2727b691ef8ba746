import type { CommunityFigures } from '../../../domain/checkout/community-figures.js';
import type { AdministeredCommunity } from '../../../domain/communities/community-access.js';
import type { Page } from '../../ui/frame/site.js';
import { AccountField } from '../../ui/parts/account-field.js';
import { Button, ButtonLink } from '../../ui/parts/button.js';
import { TextField } from '../../ui/parts/form-field.js';
import { Count } from '../../ui/parts/money.js';
import { Panel } from '../../ui/parts/panel.js';
import { Stats } from '../../ui/parts/stats.js';
import { CheckList } from '../../ui/parts/steps.js';
import { MemberCount, Revenue, revenueLabel } from '../frame/figures.js';
import { LinksAndIds } from '../frame/links-and-ids.js';
import { renderCommunityPage, type SellerPageProps } from '../frame/seller-page.js';
import { communityPath } from '../frame/seller-paths.js';
import { roleInWords } from '../frame/seller-wording.js';

export interface SellerCommunityPageProps extends SellerPageProps {
  community: AdministeredCommunity;
  /** Origin of the service. */
  baseUrl: string;
  figures: CommunityFigures;
  /** Milliseconds since the epoch. */
  now: number;
  /** Raw value of the field for the name. */
  name: string;
  /** Raw value of the field for the bot. */
  botName: string;
}

/** Renders the overview of a community. `POST …/name` with `name`, `POST …/bot` with `botName`. */
export function sellerCommunityPage(props: SellerCommunityPageProps): Page {
  const { community } = props;
  const path = communityPath(community.id);
  return renderCommunityPage({
    ...props,
    section: '',
    title: 'Overview',
    heading: <bdi>{community.name}</bdi>,
    lead: `You administer this community as ${roleInWords(community.role).toLowerCase()}.`,
    children: (
      <>
        <Figures {...props} path={path} />
        <FirstSteps {...props} path={path} />
        <LinksAndIds
          publicPath={`/communities/${props.community.id}`}
          baseUrl={props.baseUrl}
          sold="your plans"
          idLabel="Community ID"
          id={props.community.id}
        />
        <NameForm {...props} path={path} />
        <BotForm {...props} path={path} />
      </>
    ),
  });
}

type WithPath = SellerCommunityPageProps & { path: string };

function Figures({ figures, now, path }: WithPath) {
  return (
    <Panel heading="At a glance" id="figures">
      <Stats
        items={[
          {
            label: 'Active members',
            value: <MemberCount members={figures.members} />,
            href: `${path}/members?status=active`,
          },
          {
            label: 'Plans for sale',
            value: <Count value={figures.plansForSale} />,
            href: `${path}/plans`,
          },
          {
            label: revenueLabel(now),
            value: <Revenue figures={figures} />,
            ...(figures.revenue.length > 0 && { href: `${path}/sales` }),
          },
        ]}
      />
    </Panel>
  );
}

/** Leads a new seller to the first member. */
function FirstSteps({ figures, path }: WithPath) {
  const [hasPlan, hasMember] = [figures.plansForSale > 0, figures.members.count > 0];
  if (hasPlan && hasMember) return null;
  return (
    <Panel heading="Next steps" id="next-steps">
      <CheckList
        checks={[
          {
            id: 'plan',
            title: 'Add a plan',
            text: 'Set a price and how long a payment gives access.',
            action: !hasPlan && (
              <ButtonLink kind="primary" isSmall href={`${path}/plans/new`}>
                New plan
              </ButtonLink>
            ),
            isDone: hasPlan,
          },
          {
            id: 'member',
            title: 'Get the first member',
            text: 'Share the link of the public page, where people buy your plans. Or invite somebody.',
            action: !hasMember && (
              <ButtonLink isSmall href={`${path}/members/new`}>
                Invite a member
              </ButtonLink>
            ),
            isDone: hasMember,
          },
        ]}
      />
    </Panel>
  );
}

function NameForm({ frame, name, errors, path }: WithPath) {
  return (
    <Panel heading="Name" id="rename">
      <form class="form" method="post" action={`${path}/name`}>
        <AccountField account={frame.account} />
        <TextField
          name="name"
          label="Name of the community"
          hint="Shown to members on their account page and when they join."
          value={name}
          maxLength={200}
          required
          errors={errors}
        />
        <div class="form-actions">
          <Button>Save name</Button>
        </div>
      </form>
    </Panel>
  );
}

function BotForm({ frame, botName, errors, path }: WithPath) {
  return (
    <Panel heading="Messenger bot" id="bot">
      <form class="form" method="post" action={`${path}/bot`}>
        <AccountField account={frame.account} />
        <TextField
          name="botName"
          label="Name of the bot"
          hint="The bot creates invite links and admits members. Leave blank to remove it."
          value={botName}
          maxLength={65}
          spellcheck={false}
          errors={errors}
        />
        <div class="form-actions">
          <Button>Save bot</Button>
        </div>
      </form>
    </Panel>
  );
}
