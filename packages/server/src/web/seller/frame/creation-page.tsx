import type { ComponentChildren } from 'preact';
import type { Page } from '../../ui/frame/site.js';
import { Panel } from '../../ui/parts/panel.js';
import { PostForm } from '../../ui/parts/post-form.js';
import { type CommunityPage, renderCommunityPage } from './seller-page.js';
import { communityPath } from './seller-paths.js';

/** Renders the form that creates something in a section of a community. It posts to the address of the section. */
export function renderCreationPage(
  props: Pick<CommunityPage, 'frame' | 'errors' | 'community' | 'title'> & {
    section: 'members' | 'plans' | 'drops' | 'roles';
    sectionLabel: string;
    submission: string;
    /** Label of the button. */
    submit: string;
    fields: ComponentChildren;
  },
): Page {
  const { frame, errors, community, title, section, sectionLabel, submission, submit, fields } = props;
  const address = `${communityPath(community.id)}/${section}`;
  return renderCommunityPage({
    ...{ frame, errors, community, title, section },
    parent: { href: address, label: sectionLabel },
    children: (
      <Panel>
        <PostForm
          action={address}
          account={frame.account}
          submission={submission}
          submit={submit}
          cancelHref={address}
        >
          {fields}
        </PostForm>
      </Panel>
    ),
  });
}
