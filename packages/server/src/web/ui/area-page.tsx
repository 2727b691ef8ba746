import type { ComponentChildren } from 'preact';
import { renderDocument } from './document.js';
import { FaultSummary, type FormFault } from './error-summary.js';
import { Notice } from './notice.js';
import { displayName, type PagePerson } from './person.js';
import { Avatar } from './picture.js';
import type { Page } from './site.js';

/** The areas of people who are signed in, in the order of the navigation. */
const AREAS = [
  { area: 'account', href: '/account', label: 'Account' },
  { area: 'developer', href: '/developer', label: 'Developer' },
  { area: 'seller', href: '/seller', label: 'Seller' },
] as const;

/** One of the areas of people who are signed in. */
export type Area = (typeof AREAS)[number]['area'];

/** What every page of an area knows of its reader. */
export interface AreaFrame {
  user: PagePerson;
  /** Id of the person, sent back in the field `account`: what a form here does, it does for them only. */
  account: string;
}

/** A page in the navigation of its area. */
export interface AreaSection {
  href: string;
  label: string;
}

/** Props of {@link renderAreaPage}. */
export interface AreaPageProps {
  frame: AreaFrame;
  area: Area;
  /** The pages of the area, as its navigation lists them. */
  sections: readonly AreaSection[];
  /** `href` of the section that the page belongs to. */
  section: string;
  /** Names the page in the browser's tab; unique among the pages. */
  title: string;
  /** What stands above the content instead of the title. */
  heading?: ComponentChildren;
  /** One or two sentences under the heading. */
  lead?: ComponentChildren;
  /** The way up, to the page that this one belongs to. */
  parent?: AreaSection | undefined;
  /** What has just been done: words of the service's own. */
  notice?: string | undefined;
  /** What was wrong with a form; listed first, each leading to its field. */
  faults?: readonly FormFault[] | undefined;
  children: ComponentChildren;
}

/**
 * Renders a page of the account, developer or seller area: who is signed in, the way around, sign-out (`POST /sign-out`),
 * and the content.
 */
export function renderAreaPage(props: AreaPageProps): Page {
  const { frame, area, sections, title, parent, faults = [] } = props;
  return renderDocument({
    title: faults.length === 0 ? title : `Please check: ${title}`,
    layout: 'area',
    headerEnd: <SignedIn user={frame.user} />,
    headerNav: <AreaNav area={area} />,
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
          {faults.length > 0 && <FaultSummary faults={faults} />}
          {props.children}
        </main>
      </div>
    ),
  });
}

/** The field that ties a form to the person whose page it is on. */
export function AccountField(props: { account: string }) {
  return <input type="hidden" name="account" value={props.account} />;
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
