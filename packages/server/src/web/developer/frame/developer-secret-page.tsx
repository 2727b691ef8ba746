import { type AreaFrame, renderAreaPage } from '../../ui/frame/area-page.js';
import type { Page } from '../../ui/frame/site.js';
import { ButtonLink } from '../../ui/parts/button.js';
import { CodeBlock, CopyField } from '../../ui/parts/copy.js';
import { Panel } from '../../ui/parts/panel.js';
import { DEVELOPER_SECTIONS } from './developer-sections.js';

export interface DeveloperSecretPageProps {
  frame: AreaFrame;
  /** `href` of the section that the page belongs to. */
  section: string;
  title: string;
  /** Name of the app, key or webhook. Its owner wrote it, so it is untrusted. */
  subject: string;
  id?: { label: string; value: string } | undefined;
  secretLabel: string;
  secret: string;
  /** Instructions to the user. */
  lead: string;
  /** Notes, one sentence each. */
  notes: readonly string[];
  snippet?: { label: string; text: string; language: 'shell' } | undefined;
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
      <Panel heading={<bdi>{subject}</bdi>} id="subject">
        <div class="stack">
          {props.id !== undefined && <CopyField label={props.id.label} value={props.id.value} />}
          <CopyField label={props.secretLabel} value={props.secret} isSecret />
          <ul class="notes">
            {notes.map((note) => (
              <li key={note}>{note}</li>
            ))}
          </ul>
          {snippet !== undefined && <CodeBlock {...snippet} />}
          <div class="form-actions">
            <ButtonLink kind="primary" href={done.href}>
              {done.label}
            </ButtonLink>
          </div>
        </div>
      </Panel>
    ),
  });
}
