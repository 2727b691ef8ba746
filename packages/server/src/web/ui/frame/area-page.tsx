import type { ComponentChildren } from 'preact';
import { ErrorSummary, type FormError, Notice } from '../parts/error-summary.js';
import { Avatar } from '../parts/picture.js';
import { renderDocument } from './document.js';
import type { Page } from './site.js';

/** Areas of the site that require sign-in, in the order of the navigation. */
const AREAS = [
  { area: 'account', href: '/account', label: 'Account' },
  { area: 'developer', href: '/developer', label: 'Developer' },
  { area: 'seller', href: '/seller', label: 'Seller' },
] as const;

/** Area of the site that requires sign-in. */
export type Area = (typeof AREAS)[number]['area'];

/** User as a page shows them. */
export interface PagePerson {
  /** Null for a user who was provisioned by messenger account only. */
  email: string | null;
  name?: string | undefined;
}

/** Returns the name of a user, else the e-mail address. */
export function displayName(person: PagePerson): string {
  return person.name ?? person.email ?? 'Your account';
}

/** Signed-in user that a page is rendered for. */
export interface AreaFrame {
  user: PagePerson;
  /** Id of the user. Each form sends it back in the field `account` and is accepted from this user only. */
  account: string;
}

/** A page in the navigation of its area. */
export interface AreaSection {
  href: string;
  label: string;
}

export interface AreaPageProps {
  frame: AreaFrame;
  area: Area;
  /** The pages of the area, as its navigation lists them. */
  sections: readonly AreaSection[];
  /** `href` of the section that the page belongs to. */
  section: string;
  /** Names the page in the browser's tab; unique among the pages. */
  title: string;
  /** Content of the `<h1>`. Default: the title. */
  heading?: ComponentChildren;
  /** One or two sentences below the heading. */
  lead?: ComponentChildren;
  /** Link to the parent page. A name that a person wrote is a `<bdi>`. */
  parent?: { href: string; label: ComponentChildren } | undefined;
  /** Confirmation of the last action. */
  notice?: string | undefined;
  /** Errors of the submitted form. The summary at the top links each error to its field. */
  errors?: readonly FormError[] | undefined;
  /** Heading: the action that the errors prevented. Default: "Nothing was saved". */
  errorHeading?: string | undefined;
  children: ComponentChildren;
}

/** Renders a page of an area, with the signed-in user, a sign-out button (`POST /sign-out`) and the navigation. */
export function renderAreaPage(props: AreaPageProps): Page {
  const { frame, area, sections, title, parent, errors = [] } = props;
  return renderDocument({
    title: errors.length === 0 ? title : `Error: ${title}`,
    layout: 'area',
    headerEnd: (
      <>
        <AreaNav area={area} />
        <SignedIn user={frame.user} />
      </>
    ),
    children: (
      <div class="area">
        <SectionNav area={area} sections={sections} section={props.section} />
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
          {props.children}
        </main>
      </div>
    ),
  });
}

function SignedIn(props: { user: PagePerson }) {
  const name = displayName(props.user);
  return (
    <div class="signed-in">
      <p class="signed-in-person">
        <Avatar name={name} />
        <span class="visually-hidden">Signed in as </span>
        <bdi class="signed-in-name">{name}</bdi>
      </p>
      <form method="post" action="/sign-out">
        <button class="button secondary small" type="submit">
          Sign out
        </button>
      </form>
    </div>
  );
}

function AreaNav(props: { area: Area }) {
  return (
    <nav class="area-nav" aria-label="Areas">
      {AREAS.map(({ area, href, label }) => (
        <a href={href} key={area} {...(area === props.area && { 'aria-current': 'true' as const })}>
          {label}
        </a>
      ))}
    </nav>
  );
}

function SectionNav(props: Pick<AreaPageProps, 'area' | 'sections' | 'section'>) {
  return (
    <nav class="section-nav" aria-label={`${props.area} area`}>
      {props.sections.map(({ href, label }) => (
        <a href={href} key={href} {...(href === props.section && { 'aria-current': 'page' as const })}>
          {label}
        </a>
      ))}
    </nav>
  );
}
