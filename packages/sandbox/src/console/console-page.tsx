import { type Page, renderDocument } from '@latchkey/server/ui';
import type { ConsoleViewPage } from '../navigation/console-views.js';
import { sandboxHeader } from '../navigation/sandbox-nav.js';

export interface ConsolePageSettings {
  /** Origin of the service. */
  readonly baseUrl: string;
  /** Token of the control API; null if other machines can open the page. */
  readonly controlToken: string | null;
  readonly serviceNames: object;
  /** The service's time in milliseconds since the epoch. */
  readonly serviceTime: number;
}

export interface ConsolePageProps {
  readonly view: ConsoleViewPage;
  readonly settings: ConsolePageSettings;
  /** Address of the console's script. */
  readonly script: string;
}

/** Page of a view of the console. Its script fills it. */
export function consolePage({ view, settings, script }: ConsolePageProps): Page {
  return renderDocument({
    title: view.label,
    layout: 'reference',
    modules: [script],
    ...sandboxHeader(view.name),
    children: (
      <main class="console" id="content">
        <div class="page-heading">
          <h1>{view.label}</h1>
          <p class="lead">{view.lead}</p>
        </div>
        <script
          type="application/json"
          id="console-settings"
          // The text of a script has no escapes: jsonOf() leaves no "<".
          dangerouslySetInnerHTML={{ __html: jsonOf(settings) }}
        />
        <console-app view={view.name} />
        <noscript>
          <p class="empty">
            The console needs JavaScript. The control API and the command line offer the same.
          </p>
        </noscript>
      </main>
    ),
  });
}

/** Returns JSON that cannot end the script element. */
function jsonOf(settings: ConsolePageSettings): string {
  return JSON.stringify(settings).replaceAll('<', String.raw`\u003c`);
}

declare module 'preact' {
  namespace JSX {
    interface IntrinsicElements {
      'console-app': { view: string };
    }
  }
}
