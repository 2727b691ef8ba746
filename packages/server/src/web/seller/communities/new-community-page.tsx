import { renderAreaPage } from '../../ui/frame/area-page.js';
import type { Page } from '../../ui/frame/site.js';
import { TextField } from '../../ui/parts/form-field.js';
import { Panel } from '../../ui/parts/panel.js';
import { CreationForm } from '../frame/creation-form.js';
import type { SellerPageProps } from '../frame/seller-page.js';
import { SELLER_HOME, SELLER_SECTIONS } from '../frame/seller-sections.js';

/** Props of {@link newCommunityPage}. */
export interface NewCommunityPageProps extends SellerPageProps {
  /** Raw value of the field. */
  name: string;
  /** Id of the submission. */
  submission: string;
}

/** Renders the form of a new community: `POST /seller/communities` with `name`. */
export function newCommunityPage(props: NewCommunityPageProps): Page {
  const { frame, errors } = props;
  return renderAreaPage({
    frame,
    area: 'seller',
    sections: SELLER_SECTIONS,
    section: SELLER_HOME.href,
    title: 'New community',
    parent: SELLER_HOME,
    errors,
    children: (
      <Panel>
        <CreationForm
          action="/seller/communities"
          account={frame.account}
          submission={props.submission}
          submit="Create community"
          cancelHref={SELLER_HOME.href}
        >
          <TextField
            name="name"
            label="Name"
            hint="Members see it. You can change it later. You become the owner."
            value={props.name}
            maxLength={200}
            required
            errors={errors}
          />
        </CreationForm>
      </Panel>
    ),
  });
}
