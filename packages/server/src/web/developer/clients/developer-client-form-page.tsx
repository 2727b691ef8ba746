import { OAUTH_SCOPES, type OAuthScope } from '@latchkey/contract/constants';
import { AccountField, type AreaFrame, renderAreaPage } from '../../ui/area-page.js';
import type { FormError } from '../../ui/error-summary.js';
import { ChoiceGroup, Switch, TextArea, TextField } from '../../ui/form-field.js';
import type { Page } from '../../ui/site.js';
import { DEVELOPER_SECTIONS } from '../frame/developer-sections.js';

/** What each scope gives an app: said to its developer, not to the person who is asked. */
const SCOPE_MEANING: Readonly<Record<OAuthScope, string>> = {
  'memberships.read': 'Which memberships a person has now, and until when.',
  'products.read': 'Which products a person sells.',
};

/** What the form of an app holds, as it was typed. Lists have one address a line. */
export interface ClientFields {
  name: string;
  /** `public` or `confidential`; chosen when the app is registered. */
  type: string;
  description: string;
  logoUrl: string;
  redirectUris: string;
  widgetOrigins: string;
  scopes: readonly string[];
  hostedCallback: boolean;
}

/** Props of {@link developerClientFormPage}. */
export interface DeveloperClientFormPageProps {
  frame: AreaFrame;
  fields: ClientFields;
  /** The app that is edited, or the name of the form of a new one, so that it is taken once. */
  subject: { clientId: string; name: string } | { submission: string };
  /** Where the hosted callback lies; `{client id}` stands in the place of the id of a new app. */
  hostedCallbackUri: string;
  errors?: readonly FormError[] | undefined;
}

/** Asks for an app's settings: `POST /developer/clients`, or `POST /developer/clients/{id}` for one that is there. */
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
    parent: isNew ? { href: back, label: 'Apps' } : { href: back, label: subject.name },
    errors,
    children: (
      <form class="panel form" method="post" action={back}>
        <AccountField account={frame.account} />
        {isNew && <input type="hidden" name="submission" value={subject.submission} />}
        <Fields {...props} isNew={isNew} />
        <div class="form-actions">
          <button class="button primary" type="submit">
            {isNew ? 'Register the app' : 'Save'}
          </button>
          <a href={back}>Cancel</a>
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
        hint="People see it when they are asked to allow the app."
        value={fields.name}
        errors={errors}
      />
      {isNew && <TypeChoice type={fields.type} errors={errors} />}
      <TextArea
        name="description"
        label="Description (optional)"
        hint="A sentence for the same page, at most 500 characters."
        rows={2}
        value={fields.description}
        errors={errors}
      />
      <TextField
        name="logoUrl"
        label="Logo (optional)"
        hint="The address of a square picture: https, or an image written as a data: address."
        value={fields.logoUrl}
        spellcheck={false}
        errors={errors}
      />
      <ChoiceGroup
        type="checkbox"
        name="scopes"
        label="Scopes"
        hint="What the app may ask for. Who a person is, it always learns."
        errors={errors}
        choices={OAUTH_SCOPES.map((scope) => ({
          value: scope,
          label: scope,
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
      hint="It can be changed later."
      errors={errors}
      choices={[
        {
          value: 'public',
          label: 'Public',
          hint: 'Runs in browsers, such as the login widget on a static site. Has no secret; PKCE protects the sign-in.',
          checked: type === 'public',
        },
        {
          value: 'confidential',
          label: 'Confidential',
          hint: 'Has a server that keeps a secret, such as an Express app.',
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
        hint="Where people are sent back to, one a line. They match exactly: register every environment. https, or http on this machine. An Express app has {its address}/auth/callback."
        value={fields.redirectUris}
        isLiteral
        errors={errors}
      />
      <Switch
        name="hostedCallback"
        label="Hosted callback, for the login widget"
        hint={
          <>
            Registers <code>{hostedCallbackUri}</code> as well: the page that the widget’s popup comes back
            to. It hands the sign-in to the allowed web origins below, and to nobody else.
          </>
        }
        checked={fields.hostedCallback}
        errors={errors}
      />
      <TextArea
        name="widgetOrigins"
        label="Allowed web origins"
        hint="The sites whose pages may use the widget, one a line: https://shop.example, without a path."
        value={fields.widgetOrigins}
        isLiteral
        errors={errors}
      />
    </>
  );
}
