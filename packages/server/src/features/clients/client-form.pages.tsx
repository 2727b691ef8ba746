import * as z from 'zod';
import { phrase, t } from '../../platform/language/language.js';
import { CLIENTS_HOME, developerFormPage } from '../../web/kit/areas/developer-area.js';
import type { PageProps } from '../../web/kit/frame/area-page.js';
import type { Page } from '../../web/kit/frame/send-page.js';
import { brandControls, PREVIEW_NOTICE } from '../../web/kit/parts/brand-fields.js';
import { defineForm, type FormValues, toggle } from '../../web/kit/parts/define-form.js';
import { Button, type FormError } from '../../web/kit/parts/form-parts.js';
import { controlsOf } from '../../web/kit/parts/resource-form.js';
import { UNTRANSLATED } from '../../web/kit/parts/values.js';
import { publicNames } from '../brand/imitation.js';
import {
  type ClientSettings,
  clientRecords,
  clientSettingsSchema,
  hostedCallbackOf,
} from './client.resource.js';
import type { OAuthClient } from './clients.js';
import { clientPath } from './clients.pages.js';

const SHOWN_ERRORS = 10;
const SHOWN_VALUE = 80;

/** The form of an app. Lists have one URL per line. Only the registration shows the type. */
export const CLIENT = clientForm('', true);

/** Returns the form as a page shows it. The hosted callback is a checkbox, not one of the redirect URIs. */
function clientForm(hostedCallbackUri: string, isNew: boolean) {
  const { type, hostedCallback, ...controls } = controlsOf(clientRecords);
  return defineForm({
    name: controls.name,
    type: isNew ? type : { ...type, render: () => null },
    description: controls.description,
    ...brandControls({
      logoHint: phrase('URL of a square image: https, or an image as a data: URL.'),
      accentHint: phrase(
        'Buttons and links on the sign-in pages of your app. Links are darkened or lightened until they are readable.',
      ),
    }),
    scopes: controls.scopes,
    redirectUris: controls.redirectUris,
    hostedCallback: toggle({
      label: clientRecords.stated.hostedCallback.label,
      hint: t(
        'Also registers {address}, where the widget’s popup finishes the sign-in. It passes the result only to the allowed web origins below.',
        {
          address: (
            <code dir="ltr" {...UNTRANSLATED}>
              {hostedCallbackUri}
            </code>
          ),
        },
      ),
      initial: hostedCallback.empty,
    }),
    widgetOrigins: controls.widgetOrigins,
  });
}

export function valuesOfClient(client: OAuthClient, baseUrl: string): FormValues<typeof CLIENT> {
  const hosted = hostedCallbackOf(baseUrl, client.clientId);
  return CLIENT.of({
    ...withHostedCallback(client, baseUrl),
    accentChoice: client.accent,
    redirectUris: client.redirectUris.filter((uri) => uri !== hosted),
  });
}

export function withHostedCallback(client: OAuthClient, baseUrl: string) {
  const hostedCallback = client.redirectUris.includes(hostedCallbackOf(baseUrl, client.clientId));
  return { ...client, hostedCallback };
}

/** All errors are worded for the form. `stored`: the client before a change. */
export function clientFormErrors(
  settings: ClientSettings,
  of: { baseUrl: string; clientId: string; serviceName: string; stored?: OAuthClient },
): FormError[] {
  const issues = [
    ...(publicNames(z.looseObject({}), of.serviceName, of.stored).safeParse(settings).error?.issues ?? []),
    ...(clientSettingsSchema(of).safeParse(settings).error?.issues ?? []),
  ];
  const errors = firstOfEachField(issues).map((issue) => toFormError(issue, settings));
  if (settings.scopes.length === 0) {
    errors.push({
      field: 'scopes',
      message: t('Choose at least one scope. Every sign-in must request one.'),
    });
  }
  return errors;
}

/** A form can contain thousands of invalid entries, and the page would contain each message twice. */
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
  return { field, message: t('“{value}”: {message}', { value: shown, message }) };
}

interface FormProps extends PageProps {
  values: FormValues<typeof CLIENT>;
  /** The app to edit. For a new app, the id of the form, so a second submission does nothing. */
  subject: { clientId: string; name: string } | { submission: string };
  /** URL of the hosted callback. For a new app it contains `{client id}`. */
  hostedCallbackUri: string;
  /** True if the user asked for a preview of the logo and the accent. Nothing is saved. */
  isPreview?: boolean;
}

export function developerClientFormPage(props: FormProps): Page {
  const { subject } = props;
  const isNew = 'submission' in subject;
  const href = isNew ? CLIENTS_HOME : clientPath(subject.clientId);
  return developerFormPage(CLIENTS_HOME, {
    ...props,
    title: t(isNew ? 'Register an app' : 'Edit an app'),
    back: { href, label: isNew ? t('Apps') : <bdi>{subject.name}</bdi> },
    notice: props.isPreview === true ? t(PREVIEW_NOTICE) : undefined,
    submission: isNew ? subject.submission : undefined,
    submit: t(isNew ? 'Register app' : 'Save changes'),
    actions: (
      <Button name="preview" value="on" formaction={`${href}#accentChoice`} formNoValidate>
        {t('Preview brand')}
      </Button>
    ),
    children: clientForm(props.hostedCallbackUri, isNew).fields(props),
  });
}
