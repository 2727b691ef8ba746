import type { ComponentChildren } from 'preact';
import { phrase, t } from '../../../platform/language/language.js';
import { TextField } from '../parts/form-field.js';
import { AccountField, ErrorSummary, FormContext, type FormError, Notice } from '../parts/form-parts.js';
import { Notes, SubNav } from '../parts/panel.js';
import { Avatar } from '../parts/picture.js';
import { renderDocument } from './document.js';
import type { Page } from './send-page.js';

/** Areas of the site that require sign-in, in the order of the navigation. */
const AREAS = {
  account: { label: phrase('Account'), name: phrase('account area') },
  developer: { label: phrase('Developer'), name: phrase('developer area') },
  seller: { label: phrase('Seller'), name: phrase('seller area') },
  operator: { label: phrase('Operator'), name: phrase('operator area') },
} as const;

export interface PagePerson {
  /** Null for a user who was provisioned by messenger account only. */
  email: string | null;
  name?: string | undefined;
}

export function displayName(person: PagePerson): string {
  return person.name ?? person.email ?? t('Your account');
}

export interface AreaFrame {
  user: PagePerson;
  /** Id of the user. Each form sends it back in the field `account` and is accepted from this user only. */
  account: string;
  /** True if the user may open the operator area. @default false */
  isOperator?: boolean;
}

export interface AreaSection {
  href: string;
  label: string;
}

export interface PageProps {
  frame: AreaFrame;
  notice?: string | undefined;
  /** Errors of the submitted form. The summary at the top links each error to its field. */
  errors?: readonly FormError[] | undefined;
}

export interface AreaPageProps extends PageProps {
  area: keyof typeof AREAS;
  sections: readonly AreaSection[];
  section: string;
  title: string;
  /** Content of the `<h1>`. Default: the title. */
  heading?: ComponentChildren;
  lead?: ComponentChildren;
  /** Link to the parent page: the page of the section, or another one. A name that a person wrote is a `<bdi>`. */
  parent?: 'section' | { href: string; label: ComponentChildren } | undefined;
  /** Heading of the error summary: the action that the errors prevented. Default: "Nothing was saved". */
  errorHeading?: string | undefined;
  children: ComponentChildren;
}

/** Renders a page of an area, with the signed-in user, a sign-out button (`POST /sign-out`) and the navigation. */
export function renderAreaPage(props: AreaPageProps): Page {
  const { frame, area, sections, section, title, errors = [] } = props;
  const parent = props.parent === 'section' ? sections.find(({ href }) => href === section) : props.parent;
  const areas = Object.entries(AREAS)
    .filter(([path]) => path !== 'operator' || frame.isOperator === true)
    .map(([path, { label }]) => ({ href: `/${path}`, label: t(label) }));
  return renderDocument({
    title: errors.length === 0 ? title : t('Error: {title}', { title }),
    layout: 'area',
    headerEnd: (
      <>
        <SubNav look="area-nav" label={t('Areas')} items={areas} current={`/${area}`} currentIs="true" />
        <SignedIn user={frame.user} />
      </>
    ),
    children: (
      <div class="area">
        <SubNav look="section-nav" label={t(AREAS[area].name)} items={sections} current={section} />
        <main class="area-main" id="content" tabIndex={-1}>
          <div class="page-heading">
            {parent !== undefined && (
              <a class="parent-link" href={parent.href}>
                {parent.label}
              </a>
            )}
            <h1>{props.heading ?? title}</h1>
            {props.lead !== undefined && <p class="lead">{props.lead}</p>}
          </div>
          {props.notice !== undefined && <Notice text={props.notice} />}
          {errors.length > 0 && <ErrorSummary heading={props.errorHeading} errors={errors} />}
          <FormContext.Provider value={{ account: frame.account, errors }}>
            {props.children}
          </FormContext.Provider>
        </main>
      </div>
    ),
  });
}

function SignedIn(props: { user: PagePerson }) {
  const name = displayName(props.user);
  return (
    <div class="signed-in">
      <a class="signed-in-person" href="/sign-in?choose=1" title={t('Switch account')}>
        <Avatar name={name} />
        <span class="visually-hidden">{t('Signed in as')} </span>
        <bdi class="signed-in-name">{name}</bdi>
        <span class="visually-hidden">. {t('Switch account')}</span>
      </a>
      <form method="post" action="/sign-out" data-at-once>
        <button class="button secondary small" type="submit">
          {t('Sign out')}
        </button>
      </form>
    </div>
  );
}

/** Props of a page that asks the user to confirm an action. Its title is the question. */
export interface ConfirmPageProps
  extends Pick<AreaPageProps, 'area' | 'errors' | 'frame' | 'section' | 'sections' | 'title'> {
  /** Name of what the action affects. Its owner wrote it, so treat it as untrusted. */
  subject: string;
  consequences: readonly string[];
  action: string;
  /** Id of the form, for an action that must run only once. */
  submission?: string | undefined;
  /** Text field `confirmation` that the user must fill in. */
  confirmation?: { label: ComponentChildren; value: string } | undefined;
  children?: ComponentChildren;
  button: string;
  /** True if the action can't be undone. Default: true. */
  isDangerous?: boolean | undefined;
  cancel: AreaSection;
}

/** Renders a page that asks the user to confirm an action. The form sends `account`, and `submission` and `confirmation` if set. */
export function confirmPage(props: ConfirmPageProps): Page {
  const { subject, confirmation, isDangerous = true } = props;
  return renderAreaPage({
    ...props,
    errorHeading: t('Nothing was changed'),
    children: (
      <form class="panel form" method="post" action={props.action}>
        <AccountField />
        {props.submission !== undefined && <input type="hidden" name="submission" value={props.submission} />}
        <h2>
          <bdi>{subject}</bdi>
        </h2>
        <Notes notes={props.consequences} />
        {confirmation !== undefined && (
          <TextField
            name="confirmation"
            label={confirmation.label}
            value={confirmation.value}
            spellcheck={false}
          />
        )}
        {props.children}
        <div class="form-actions">
          <button class={`button ${isDangerous ? 'danger' : 'primary'}`} type="submit">
            {props.button}
          </button>
          <a class="button secondary" href={props.cancel.href}>
            {props.cancel.label}
          </a>
        </div>
      </form>
    ),
  });
}
