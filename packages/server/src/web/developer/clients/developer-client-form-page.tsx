import { OAUTH_SCOPES, type OAuthScope } from '@latchkey/contract/constants';
import { type AreaFrame, renderAreaPage } from '../../ui/frame/area-page.js';
import type { Page } from '../../ui/frame/site.js';
import { AccountField } from '../../ui/parts/account-field.js';
import { BrandFields, type BrandFieldValues, PREVIEW_NOTICE } from '../../ui/parts/brand-fields.js';
import { Button, ButtonLink } from '../../ui/parts/button.js';
import { UNTRANSLATED } from '../../ui/parts/copy.js';
import type { FormError } from '../../ui/parts/error-summary.js';
import { ChoiceGroup, Switch, TextArea, TextField } from '../../ui/parts/form-field.js';
import { DEVELOPER_SECTIONS } from '../frame/developer-sections.js';

/** Explanations of the scopes for developers. The consent page has its own texts. */
const SCOPE_MEANING: Readonly<Record<OAuthScope, string>> = {
  'memberships.read': 'Read the user’s active memberships and their end dates.',
  'products.read': 'Read the products that the user sells.',
};

/** Raw values of the form of an app. Lists have one URL per line. */
export interface ClientFields extends BrandFieldValues {
  name: string;
  /** `public` or `confidential`. Only the registration has this field. */
  type: string;
  description: string;
  redirectUris: string;
  widgetOrigins: string;
  scopes: readonly string[];
  hostedCallback: boolean;
}

export interface DeveloperClientFormPageProps {
  frame: AreaFrame;
  fields: ClientFields;
  /** App to edit, or the id of the form of a new app, so that it is processed only once. */
  subject: { clientId: string; name: string } | { submission: string };
  /** Hosted callback. It contains `{client id}` for a new app. */
  hostedCallbackUri: string;
  errors?: readonly FormError[] | undefined;
  /** True if the user asked for pictures of the logo and the accent. Nothing is saved. */
  isPreview?: boolean;
}

/** Renders the form of an app: `POST /developer/clients`, or `POST /developer/clients/{id}` for an existing app. */
export function developerClientFormPage(props: DeveloperClientFormPageProps): Page {
  const { frame, subject, errors } = props;
  const isNew = 'submission' in subject;
  const back = isNew ? '/developer/clients' : `/developer/clients/${subject.clientId}`;
  return renderAreaPage({
    frame,
    area: 'developer',
    sections: DEVELOPER_SECTIONS,
    section: '/developer/clients',
    title: isNew ? 'Register an app' : 'Edit an app',
    parent: isNew ? { href: back, label: 'Apps' } : { href: back, label: <bdi>{subject.name}</bdi> },
    notice: props.isPreview === true ? PREVIEW_NOTICE : undefined,
    errors,
    children: (
      <form class="panel form" method="post" action={back}>
        <AccountField account={frame.account} />
        {isNew && <input type="hidden" name="submission" value={subject.submission} />}
        <Fields {...props} isNew={isNew} />
        <div class="form-actions">
          <Button kind="primary">{isNew ? 'Register app' : 'Save changes'}</Button>
          <Button name="preview" value="on" formaction={`${back}#accentChoice`} formNoValidate>
            Preview brand
          </Button>
          <ButtonLink kind="quiet" href={back}>
            Cancel
          </ButtonLink>
        </div>
      </form>
    ),
  });
}

function Fields(props: DeveloperClientFormPageProps & { isNew: boolean }) {
  const { fields, errors, isNew } = props;
  return (
    <>
      <TextField
        name="name"
        label="Name"
        hint="Shown on the consent page, where users allow the app."
        value={fields.name}
        errors={errors}
      />
      {isNew && <TypeChoice type={fields.type} errors={errors} />}
      <TextArea
        name="description"
        label="Description (optional)"
        hint="One sentence for the consent page, at most 500 characters."
        rows={2}
        value={fields.description}
        errors={errors}
      />
      <BrandFields
        name={fields.name}
        values={fields}
        logoHint="URL of a square image: https, or an image as a data: URL."
        accentHint="Buttons and links on the sign-in pages of your app. Links are darkened or lightened until they are readable."
        errors={errors}
      />
      <ChoiceGroup
        type="checkbox"
        name="scopes"
        label="Scopes"
        hint="Data that the app may request. Apps always receive the user's ID and e-mail address."
        errors={errors}
        choices={OAUTH_SCOPES.map((scope) => ({
          value: scope,
          label: <span {...UNTRANSLATED}>{scope}</span>,
          hint: SCOPE_MEANING[scope],
          checked: fields.scopes.includes(scope),
        }))}
      />
      <Addresses {...props} />
    </>
  );
}

function TypeChoice({ type, errors }: { type: string; errors: readonly FormError[] | undefined }) {
  return (
    <ChoiceGroup
      type="radio"
      name="type"
      label="Type"
      hint="You can change it later."
      errors={errors}
      choices={[
        {
          value: 'public',
          label: 'Public',
          hint: 'Runs in browsers, for example the login widget on a static site. It has no secret. PKCE protects the sign-in.',
          checked: type === 'public',
        },
        {
          value: 'confidential',
          label: 'Confidential',
          hint: 'Has a server that stores a secret, for example an Express app.',
          checked: type === 'confidential',
        },
      ]}
    />
  );
}

function Addresses({ fields, errors, hostedCallbackUri }: DeveloperClientFormPageProps) {
  return (
    <>
      <TextArea
        name="redirectUris"
        label="Redirect URIs"
        hint="URLs that users return to after sign-in, one per line. They must match exactly, so register every environment. Use https, or http on a loopback address. For the Express kit: {app URL}/auth/callback."
        value={fields.redirectUris}
        isLiteral
        errors={errors}
      />
      <Switch
        name="hostedCallback"
        label="Hosted callback, for the login widget"
        hint={
          <>
            Also registers <code>{hostedCallbackUri}</code>, where the widget’s popup finishes the sign-in. It
            passes the result only to the allowed web origins below.
          </>
        }
        checked={fields.hostedCallback}
        errors={errors}
      />
      <TextArea
        name="widgetOrigins"
        label="Allowed web origins"
        hint="Sites that may use the widget, one per line, without a path: https://shop.example."
        value={fields.widgetOrigins}
        isLiteral
        errors={errors}
      />
    </>
  );
}
