import { OAUTH_SCOPES, type OAuthScope } from '@latchkey/contract/constants';
import type { z } from 'zod';
import { imitates } from '../../domain/brand/imitation.js';
import {
  type ClientSettings,
  clientSettingsSchema,
  hostedCallbackOf,
} from '../../domain/oauth/client-settings.js';
import type { OAuthClient } from '../../domain/oauth/clients.js';
import { type AreaFrame, renderAreaPage } from '../ui/frame/area-page.js';
import type { Page } from '../ui/frame/send-page.js';
import {
  BrandFields,
  brandFieldsOf,
  brandOf,
  fieldsOfBrand,
  PREVIEW_NOTICE,
} from '../ui/parts/brand-fields.js';
import { linesOf } from '../ui/parts/form.js';
import { ChoiceGroup, Switch, TextArea, TextField } from '../ui/parts/form-field.js';
import { Button, type FormError, PostForm } from '../ui/parts/form-parts.js';
import { UNTRANSLATED } from '../ui/parts/values.js';
import { clientPath } from './client-pages.js';
import { CLIENTS_HOME, inDeveloper } from './developer-area.js';

/** Maximum number of errors that one field shows. */
const SHOWN_ERRORS = 10;
/** Maximum number of characters of an invalid value in its error message. */
const SHOWN_VALUE = 80;

/** Returns the raw values of the form of an app. Lists have one URL per line. Only the registration has a type. */
export function clientFieldsOf(form: URLSearchParams) {
  const text = (name: string) => form.get(name) ?? '';
  return {
    name: text('name'),
    type: text('type'),
    description: text('description'),
    ...brandFieldsOf(form),
    redirectUris: text('redirectUris'),
    widgetOrigins: text('widgetOrigins'),
    scopes: form.getAll('scopes') as readonly string[],
    hostedCallback: form.has('hostedCallback'),
  };
}

type ClientFields = ReturnType<typeof clientFieldsOf>;

export const EMPTY_CLIENT_FIELDS: ClientFields = {
  name: '',
  type: 'public',
  description: '',
  ...fieldsOfBrand({ logoUrl: null, accent: null }),
  redirectUris: '',
  widgetOrigins: '',
  scopes: ['memberships.read'],
  hostedCallback: true,
};

/** Returns the fields of an existing client. The hosted callback is a checkbox, not a line of the redirect URIs. */
export function fieldsOfClient(client: OAuthClient, baseUrl: string): ClientFields {
  const hosted = hostedCallbackOf(baseUrl, client.clientId);
  return {
    name: client.name,
    type: client.type,
    description: client.description ?? '',
    ...fieldsOfBrand(client),
    redirectUris: client.redirectUris.filter((uri) => uri !== hosted).join('\n'),
    widgetOrigins: client.widgetOrigins.join('\n'),
    scopes: client.scopes,
    hostedCallback: client.redirectUris.includes(hosted),
  };
}

/** Returns a client with the answer to whether its hosted callback is among the redirect URIs. */
export function withHostedCallback(client: OAuthClient, baseUrl: string) {
  const hostedCallback = client.redirectUris.includes(hostedCallbackOf(baseUrl, client.clientId));
  return { ...client, hostedCallback };
}

/** Converts the fields to settings. Lists have one URL per line. Empty fields are left out. */
export function clientSettingsOf(fields: ClientFields): ClientSettings {
  const description = fields.description.replaceAll('\r\n', '\n').trim();
  return {
    name: fields.name,
    description: description === '' ? undefined : description,
    ...brandOf(fields),
    scopes: fields.scopes,
    redirectUris: linesOf(fields.redirectUris),
    widgetOrigins: linesOf(fields.widgetOrigins),
    hostedCallback: fields.hostedCallback,
  };
}

/** Returns all errors in a client's settings, worded for the form. A client must not look like the service. */
export function clientFormErrors(
  settings: ClientSettings,
  { serviceName, ...address }: { baseUrl: string; clientId: string; serviceName: string },
): FormError[] {
  const { error } = clientSettingsSchema(address).safeParse(settings);
  const errors = firstOfEachField(error?.issues ?? []).map((issue) => toFormError(issue, settings));
  if (imitates(settings.name, serviceName)) {
    errors.unshift({
      field: 'name',
      message: `Enter a name that does not contain “${serviceName}”, the name of this service.`,
    });
  }
  if (settings.scopes.length === 0) {
    errors.push({
      field: 'scopes',
      message: 'Choose at least one scope. Every sign-in must request one.',
    });
  }
  return errors;
}

/** A form can contain thousands of invalid entries. The page would contain the message of each one twice. */
function firstOfEachField(issues: readonly z.core.$ZodIssue[]): z.core.$ZodIssue[] {
  const counts = new Map<PropertyKey | undefined, number>();
  return issues.filter(({ path: [field] }) => {
    const count = (counts.get(field) ?? 0) + 1;
    counts.set(field, count);
    return count <= SHOWN_ERRORS;
  });
}

function toFormError({ path, message }: z.core.$ZodIssue, settings: ClientSettings): FormError {
  const field = path[0] as keyof ClientSettings;
  const entries = settings[field];
  const value: unknown = Array.isArray(entries) ? entries[Number(path[1])] : undefined;
  if (typeof value !== 'string') return { field, message };
  const shown = value.length > SHOWN_VALUE ? `${value.slice(0, SHOWN_VALUE)}…` : value;
  return { field, message: `“${shown}”: ${message}` };
}

/** Explanations of the scopes for developers. The consent page has its own texts. */
const SCOPE_MEANING: Readonly<Record<OAuthScope, string>> = {
  'memberships.read': 'Read the user’s active memberships and their end dates.',
  'products.read': 'Read the products that the user sells.',
};

interface FormProps {
  frame: AreaFrame;
  fields: ClientFields;
  /** App to edit, or the id of the form of a new app, so that it is processed only once. */
  subject: { clientId: string; name: string } | { submission: string };
  /** Hosted callback. It contains `{client id}` for a new app. */
  hostedCallbackUri: string;
  errors?: readonly FormError[];
  /** True if the user asked for pictures of the logo and the accent. Nothing is saved. */
  isPreview?: boolean;
}

/** Renders the form of an app: `POST /developer/clients`, or `POST /developer/clients/{id}` for an existing app. */
export function developerClientFormPage(props: FormProps): Page {
  const { frame, subject, errors } = props;
  const isNew = 'submission' in subject;
  const back = isNew ? CLIENTS_HOME : clientPath(subject.clientId);
  return renderAreaPage({
    ...inDeveloper(frame, CLIENTS_HOME),
    title: isNew ? 'Register an app' : 'Edit an app',
    parent: { href: back, label: isNew ? 'Apps' : <bdi>{subject.name}</bdi> },
    notice: props.isPreview === true ? PREVIEW_NOTICE : undefined,
    errors,
    children: (
      <PostForm
        isPanel
        action={back}
        account={frame.account}
        submission={isNew ? subject.submission : undefined}
        submit={isNew ? 'Register app' : 'Save changes'}
        actions={
          <Button name="preview" value="on" formaction={`${back}#accentChoice`} formNoValidate>
            Preview brand
          </Button>
        }
        cancelHref={back}
      >
        <Fields {...props} isNew={isNew} />
      </PostForm>
    ),
  });
}

function Fields(props: FormProps & { isNew: boolean }) {
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

function Addresses({ fields, errors, hostedCallbackUri }: FormProps) {
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
