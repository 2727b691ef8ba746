import { type AreaFrame, renderAreaPage } from '../../ui/area-page.js';
import { SecretField, Snippet } from '../../ui/secret-field.js';
import type { Page } from '../../ui/site.js';
import { DEVELOPER_SECTIONS } from './developer-sections.js';

/** Props of {@link developerSecretPage}. */
export interface DeveloperSecretPageProps {
  frame: AreaFrame;
  /** `href` of the section that it belongs to. */
  section: string;
  title: string;
  /** Name of what the secret belongs to: its owner's words. */
  subject: string;
  secretLabel: string;
  secret: string;
  /** Whether it is shown again, and what to do now. */
  lead: string;
  /** What to know about it, a sentence each. */
  notes: readonly string[];
  snippet?: { label: string; text: string } | undefined;
  /** The way on. */
  done: { href: string; label: string };
}

/** The answer to a form that made a secret: the only page that ever shows it. */
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
