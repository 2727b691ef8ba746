import { type AreaFrame, renderAreaPage } from '../ui/frame/area-page.js';
import type { Page } from '../ui/frame/site.js';
import { ButtonLink } from '../ui/parts/button.js';
import { CodeBlock } from '../ui/parts/code-block.js';
import { Panel } from '../ui/parts/panel.js';
import { ACCOUNT_SECTIONS, TWO_STEP_PATH } from './account-sections.js';

/** Props of {@link recoveryCodesPage}. */
export interface RecoveryCodesPageProps {
  frame: AreaFrame;
  codes: readonly string[];
  /** True if two-step sign-in has just been turned on. */
  isNew: boolean;
}

/** Shows the recovery codes, once. */
export function recoveryCodesPage({ frame, codes, isNew }: RecoveryCodesPageProps): Page {
  return renderAreaPage({
    frame,
    area: 'account',
    sections: ACCOUNT_SECTIONS,
    section: TWO_STEP_PATH,
    title: 'Your recovery codes',
    notice: isNew
      ? 'Two-step sign-in is on.'
      : 'New recovery codes created. The earlier ones no longer work.',
    lead: 'Save these codes now. This page is the only one that shows them.',
    children: (
      <Panel id="codes" heading="Keep them where you don’t need your phone">
        <div class="stack">
          <CodeBlock label="Recovery codes" text={codes.join('\n')} />
          <ul class="notes">
            <li>If you lose your app, enter one of them in place of the app’s code.</li>
            <li>Each code works once.</li>
            <li>Print them, or save them in a password manager. Don’t keep them in your mailbox.</li>
          </ul>
          <div class="form-actions">
            <ButtonLink kind="primary" href={TWO_STEP_PATH}>
              I have saved the codes
            </ButtonLink>
          </div>
        </div>
      </Panel>
    ),
  });
}
