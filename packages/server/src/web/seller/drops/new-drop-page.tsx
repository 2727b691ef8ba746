import type { AdministeredCommunity } from '../../../domain/communities/community-access.js';
import type { Page } from '../../ui/frame/site.js';
import { renderCreationPage } from '../frame/creation-page.js';
import type { SellerPageProps } from '../frame/seller-page.js';
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
  return renderCreationPage({
    ...props,
    section: 'drops',
    sectionLabel: 'Drops',
    title: 'New drop',
    submit: 'Create drop',
    fields: (
      <>
        <DropFormFields fields={props.fields} errors={props.errors} startHint="Leave blank to start now." />
      </>
    ),
  });
}
