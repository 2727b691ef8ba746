import type { ComponentChildren } from 'preact';
import { phrase, t } from '../../../platform/language/language.js';
import { type AreaFrame, type PageProps, renderAreaPage } from '../frame/area-page.js';
import type { Page } from '../frame/send-page.js';
import { ButtonLink, PostForm } from '../parts/form-parts.js';
import { Notes, Panel } from '../parts/panel.js';
import { CodeBlock, CopyField } from '../parts/values.js';

export const API_KEYS_HOME = '/developer/api-keys';
export const CLIENTS_HOME = '/developer/clients';
export const WEBHOOKS_HOME = '/developer/webhooks';

const SECTIONS = [
  { href: '/developer', label: phrase('Overview') },
  { href: API_KEYS_HOME, label: phrase('API keys') },
  { href: CLIENTS_HOME, label: phrase('Apps') },
  { href: WEBHOOKS_HOME, label: phrase('Webhooks') },
] as const;

type DeveloperSection = (typeof SECTIONS)[number]['href'];

export function inDeveloper(section: DeveloperSection) {
  const sections = SECTIONS.map(({ href, label }) => ({ href, label: t(label) }));
  return { area: 'developer', sections, section } as const;
}

/** Posts to the page that it goes back to. */
export function developerFormPage(
  section: DeveloperSection,
  props: PageProps & {
    title: string;
    back: { href: string; label: ComponentChildren };
    submission?: string | undefined;
    submit: string;
    actions?: ComponentChildren;
    children: ComponentChildren;
  },
): Page {
  const { frame, title, back, children, ...form } = props;
  return renderAreaPage({
    ...props,
    ...inDeveloper(section),
    parent: back,
    children: (
      <PostForm isPanel action={back.href} cancelHref={back.href} {...form}>
        {children}
      </PostForm>
    ),
  });
}

export function developerSecretPage(props: {
  frame: AreaFrame;
  section: DeveloperSection;
  title: string;
  /** Name of the app, key or webhook. Its owner wrote it, so treat it as untrusted. */
  subject: string;
  id?: { label: string; value: string };
  secretLabel: string;
  secret: string;
  lead: string;
  notes: readonly string[];
  snippet?: { label: string; text: string; language: 'shell' };
  done: { href: string; label: string };
}): Page {
  const { id, snippet, done } = props;
  return renderAreaPage({
    frame: props.frame,
    ...inDeveloper(props.section),
    title: props.title,
    lead: props.lead,
    children: (
      <Panel heading={<bdi>{props.subject}</bdi>} id="subject">
        <div class="stack">
          {id !== undefined && <CopyField {...id} />}
          <CopyField label={props.secretLabel} value={props.secret} isSecret />
          <Notes notes={props.notes} />
          {snippet !== undefined && <CodeBlock {...snippet} />}
          <div class="form-actions">
            <ButtonLink kind="primary" href={done.href} label={done.label} />
          </div>
        </div>
      </Panel>
    ),
  });
}
