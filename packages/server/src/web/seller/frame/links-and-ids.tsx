import { ButtonLink } from '../../ui/parts/button.js';
import { CopyField } from '../../ui/parts/copy.js';
import { Panel } from '../../ui/parts/panel.js';

/** Panel with the link to share and the id of a community or product. */
export function LinksAndIds(props: {
  /** Root-relative path of the public page. */
  publicPath: string;
  baseUrl: string;
  /** Goods on the public page, as in "People buy your plans there." */
  sold: string;
  /** Label of the id, such as "Community ID". */
  idLabel: string;
  id: string;
}) {
  const { publicPath, baseUrl, sold, idLabel, id } = props;
  return (
    <Panel
      heading="Links and IDs"
      id="api"
      actions={
        <ButtonLink isSmall href={publicPath}>
          View public page
        </ButtonLink>
      }
    >
      <div class="form">
        <CopyField
          label="Public page"
          hint={`Share this link. People buy ${sold} there.`}
          value={`${baseUrl}${publicPath}`}
        />
        <CopyField label={idLabel} hint="For the API and the login widget." value={id} />
      </div>
    </Panel>
  );
}
