import type { CommunityFigures } from '../../../domain/checkout/community-figures.js';
import type { Page } from '../../ui/frame/send-page.js';
import { TextField } from '../../ui/parts/form-field.js';
import { ButtonLink, PostForm } from '../../ui/parts/form-parts.js';
import { Panel, Stats } from '../../ui/parts/panel.js';
import { CheckList } from '../../ui/parts/steps.js';
import { Count } from '../../ui/parts/values.js';
import {
  type CommunityPageProps,
  communityPath,
  renderCommunityPage,
  renderNewSubjectPage,
  type SellerPageProps,
} from '../frame/seller-page.js';
import { LinksAndIds, MemberCount, Revenue, revenueLabel, roleInWords } from '../frame/seller-parts.js';

/** Renders the form of a new community: `POST /seller/communities` with `name`. */
export function newCommunityPage(props: SellerPageProps & { name: string; submission: string }): Page {
  return renderNewSubjectPage({
    ...props,
    title: 'New community',
    submit: 'Create community',
    action: '/seller/communities',
    fields: (
      <TextField
        name="name"
        label="Name"
        hint="Members see it. You can change it later. You become the owner."
        value={props.name}
        maxLength={200}
        required
        errors={props.errors}
      />
    ),
  });
}

interface OverviewProps extends CommunityPageProps {
  /** Origin of the service. */
  baseUrl: string;
  figures: CommunityFigures;
  now: number;
  /** Raw value of the field for the name. */
  name: string;
  /** Raw value of the field for the bot. */
  botName: string;
}

/** Renders the overview of a community. `POST …/name` with `name`, `POST …/bot` with `botName`. */
export function sellerCommunityPage(props: OverviewProps): Page {
  const { baseUrl, community, errors, frame } = props;
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
          publicPath={`/communities/${community.id}`}
          baseUrl={baseUrl}
          sold="your plans"
          idLabel="Community ID"
          id={community.id}
        />
        <Panel heading="Name" id="rename">
          <PostForm action={`${path}/name`} account={frame.account} submit="Save name" kind="secondary">
            <TextField
              name="name"
              label="Name of the community"
              hint="Shown to members on their account page and when they join."
              value={props.name}
              maxLength={200}
              required
              errors={errors}
            />
          </PostForm>
        </Panel>
        <Panel heading="Messenger bot" id="bot">
          <PostForm action={`${path}/bot`} account={frame.account} submit="Save bot" kind="secondary">
            <TextField
              name="botName"
              label="Name of the bot"
              hint="The bot creates invite links and admits members. Leave blank to remove it."
              value={props.botName}
              maxLength={65}
              spellcheck={false}
              errors={errors}
            />
          </PostForm>
        </Panel>
      </>
    ),
  });
}

function Figures({ figures, now, path }: OverviewProps & { path: string }) {
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
function FirstSteps({ figures, path }: OverviewProps & { path: string }) {
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
