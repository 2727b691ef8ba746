import type { AdministeredCommunity } from '../../../domain/communities/community-access.js';
import type { Page } from '../../ui/frame/site.js';
import { Panel } from '../../ui/parts/panel.js';
import { CreationForm } from '../frame/creation-form.js';
import { communityPath, renderCommunityPage, type SellerPageProps } from '../frame/seller-page.js';
import { type DropFields, DropFormFields } from './drop-form-fields.js';

/** Props of {@link newDropPage}. */
export interface NewDropPageProps extends SellerPageProps {
  community: AdministeredCommunity;
  fields: DropFields;
  /** Id of the submission. */
  submission: string;
}

/** Renders the form of a new drop: `POST …/drops` with `name`, `slots`, `startsAt` (blank for now) and `endsAt`. */
export function newDropPage(props: NewDropPageProps): Page {
  const { community, frame } = props;
  const drops = `${communityPath(community.id)}/drops`;
  return renderCommunityPage({
    ...props,
    section: 'drops',
    title: 'New drop',
    parent: { href: drops, label: 'Drops' },
    children: (
      <Panel>
        <CreationForm
          action={drops}
          account={frame.account}
          submission={props.submission}
          submit="Create drop"
          cancelHref={drops}
        >
          <DropFormFields fields={props.fields} errors={props.errors} startHint="Leave blank to start now." />
        </CreationForm>
      </Panel>
    ),
  });
}
