import { type AreaFrame, renderAreaPage } from '../../ui/frame/area-page.js';
import type { Page } from '../../ui/frame/site.js';
import { SecretField, Snippet } from '../../ui/parts/secret-field.js';
import { DEVELOPER_SECTIONS } from './developer-sections.js';

/** Props of {@link developerSecretPage}. */
export interface DeveloperSecretPageProps {
  frame: AreaFrame;
  /** `href` of the section that the page belongs to. */
  section: string;
  title: string;
  /** Name of the app, key or webhook. Its owner wrote it, so it is untrusted. */
  subject: string;
  secretLabel: string;
  secret: string;
  /** Instructions to the user. */
  lead: string;
  /** Notes, one sentence each. */
  notes: readonly string[];
  snippet?: { label: string; text: string } | undefined;
  /** Link to the next page. */
  done: { href: string; label: string };
}

/** Renders the response to a form that created a secret. */
export function developerSecretPage(props: DeveloperSecretPageProps): Page {
  const { frame, section, title, subject, notes, snippet, done } = props;
  return renderAreaPage({
    frame,
    area: 'developer',
    sections: DEVELOPER_SECTIONS,
    section,
    title,
    lead: props.lead,
    children: (
      <section class="panel stack" aria-labelledby="subject">
        <h2 id="subject">
          <bdi>{subject}</bdi>
        </h2>
        <SecretField label={props.secretLabel} secret={props.secret} />
        <ul class="notes">
          {notes.map((note) => (
            <li key={note}>{note}</li>
          ))}
        </ul>
        {snippet !== undefined && (
          <div class="field">
            <p class="section-label">{snippet.label}</p>
            <Snippet label={snippet.label} text={snippet.text} />
          </div>
        )}
        <div class="panel-actions">
          <a class="button primary" href={done.href}>
            {done.label}
          </a>
        </div>
      </section>
    ),
  });
}
