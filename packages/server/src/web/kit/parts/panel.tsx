import type { ComponentChildren, ComponentProps } from 'preact';
import { useId } from 'preact/hooks';
import { type Phrase, t } from '../../../platform/language/language.js';
import { ActionForm, type ButtonKind, ButtonLink, buttonClass } from './form-parts.js';
import { CloseIcon } from './icons.js';

/** Section of a page, labelled by its heading. The heading and the actions share the first line. */
export function Panel(props: {
  heading?: ComponentChildren;
  /** Buttons or links at the end of the heading's line. */
  actions?: ComponentChildren;
  /** `danger` for actions that can't be undone. */
  tone?: 'danger' | undefined;
  children: ComponentChildren;
  /** Anchor of the section. */
  id?: string | undefined;
}) {
  const { heading, actions, tone, children, id } = props;
  const headingId = useId();
  return (
    <section
      class={tone === undefined ? 'panel' : `panel panel-${tone}`}
      id={id}
      aria-labelledby={heading === undefined ? undefined : headingId}
    >
      {(heading !== undefined || actions !== undefined) && (
        <div class="panel-heading">
          {heading !== undefined && <h2 id={headingId}>{heading}</h2>}
          {actions !== undefined && <div class="panel-heading-actions">{actions}</div>}
        </div>
      )}
      {children}
    </section>
  );
}

export function Notes({ notes }: { notes: readonly ComponentChildren[] }) {
  return (
    <ul class="notes">
      {notes.filter(Boolean).map((note, place) => (
        <li key={place}>{note}</li>
      ))}
    </ul>
  );
}

/** Section for an action, with a button that opens a dialog about its consequences. */
export function DangerPanel(
  props: Omit<ComponentProps<typeof Panel>, 'children'> &
    Omit<ComponentProps<typeof ActionForm>, 'isDanger'> & {
      text: string;
      dialog: { id: string; button: string; title: string; notes: readonly ComponentChildren[] };
    },
) {
  const { heading, tone, id, text, dialog, ...action } = props;
  const { notes, ...opening } = dialog;
  return (
    <Panel {...{ heading, tone, id }}>
      <p class="muted">{text}</p>
      <div class="panel-actions">
        <Dialog {...opening} buttonKind="danger">
          <Notes notes={notes} />
          <ActionForm {...action} isDanger />
        </Dialog>
      </div>
    </Panel>
  );
}

/** Content of an empty list: what will be here, and how to add the first entry. */
export function EmptyState(props: {
  title: string;
  text?: ComponentChildren;
  action?: { href: string; label: string } | undefined;
}) {
  const { title, text, action } = props;
  return (
    <div class="empty-state">
      <p class="empty-title">{title}</p>
      {text !== undefined && <p class="empty-text">{text}</p>}
      {action !== undefined && <ButtonLink href={action.href} label={action.label} />}
    </div>
  );
}

export function Stats(props: {
  items: readonly {
    label: string;
    value: ComponentChildren;
    /** @default no link */
    href?: string;
  }[];
}) {
  return (
    <dl class="stats">
      {props.items.map(({ label, value, href }) => (
        <div class="stat" key={label}>
          <dt>{label}</dt>
          <dd>{href === undefined ? value : <a href={href}>{value}</a>}</dd>
        </div>
      ))}
    </dl>
  );
}

/** Part of a page that a click on its summary opens and closes. It works without a script. */
export function Disclosure(props: {
  summary: ComponentChildren;
  isOpen?: boolean;
  children: ComponentChildren;
}) {
  const { summary, isOpen = false, children } = props;
  return (
    <details class="disclosure" open={isOpen}>
      <summary>
        <span class="disclosure-summary">{summary}</span>
      </summary>
      <div class="disclosure-content">{children}</div>
    </details>
  );
}

/** Button with a dialog that it opens. It works without a script: Escape or a click outside closes the dialog. */
export function Dialog(props: {
  /** Id of the dialog, unique on the page. */
  id: string;
  button: ComponentChildren;
  /** @default "secondary" */
  buttonKind?: ButtonKind;
  title: string;
  children: ComponentChildren;
}) {
  const { id, button, buttonKind, title, children } = props;
  return (
    <>
      <button type="button" class={buttonClass(buttonKind, true)} popovertarget={id} aria-haspopup="dialog">
        {button}
      </button>
      <div
        // biome-ignore lint/a11y/noAutofocus: the focus moves here when the dialog opens, not when the page loads.
        autoFocus
        class="dialog"
        id={id}
        popover="auto"
        role="dialog"
        aria-labelledby={`${id}-title`}
        tabIndex={-1}
      >
        <div class="dialog-heading">
          <h2 id={`${id}-title`}>{title}</h2>
          <button type="button" class="icon-button" popovertarget={id} popovertargetaction="hide">
            <CloseIcon />
            <span class="visually-hidden">{t('Close')}</span>
          </button>
        </div>
        {children}
      </div>
    </>
  );
}

/** Links to the next page of a list and back to its first page. */
export function Pager(props: {
  path: string;
  next: string | undefined;
  isFirst: boolean;
  /** Label of the first page: "newest". */
  first: Phrase;
  /** Query parameter with the start of the page. Default: "after". */
  param?: string;
  /** Label of the list, if a page has several. */
  list?: string | undefined;
  /** Other query parameters of each page, such as a filter. */
  query?: Readonly<Record<string, string>>;
}) {
  const { param = 'after', query = {} } = props;
  const hrefOf = (values: Readonly<Record<string, string>>) => {
    const search = new URLSearchParams(values);
    return search.size === 0 ? props.path : `${props.path}?${search}`;
  };
  if (props.isFirst && props.next === undefined) return null;
  return (
    <nav
      class="panel-actions"
      aria-label={props.list === undefined ? t('Pages') : `${t('Pages')}: ${props.list}`}
    >
      {!props.isFirst && (
        <a class="button secondary small" href={hrefOf(query)}>
          {t('Back to the {first}', { first: t(props.first) })}
        </a>
      )}
      {props.next !== undefined && (
        <a class="button secondary small" href={hrefOf({ ...query, [param]: props.next })}>
          {t('Next page')}
        </a>
      )}
    </nav>
  );
}

/** Links between the parts of one thing. They stay on one line, which scrolls if the page is narrow. */
export function SubNav(props: {
  /** Label of the navigation for screen readers. */
  label: string;
  items: readonly { href: string; label: ComponentChildren }[];
  /** `href` of the page itself. */
  current: string;
  /** Class of the navigation. Default: "sub-nav". */
  look?: 'sub-nav' | 'area-nav' | 'section-nav';
  /** What is current: the page itself, or the whole part that the page belongs to. Default: "page". */
  currentIs?: 'page' | 'true';
}) {
  const { label, items, current, look = 'sub-nav', currentIs = 'page' } = props;
  return (
    <nav class={look} aria-label={label}>
      {items.map(({ href, label }) => (
        <a href={href} key={href} {...(href === current && { 'aria-current': currentIs })}>
          {label}
        </a>
      ))}
    </nav>
  );
}
