import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { REQUIREMENTS, type Requirement } from '@latchkey/contract/requirements';
import { type Page, sendPage } from '@latchkey/server/ui';
import { type RequestHandler, type Response, Router } from 'express';
import type { ControlAccess } from '../control/control-routes.js';
import { CONSOLE_VIEWS, type ConsoleViewPage } from '../navigation/console-views.js';
import { sandboxPage } from '../navigation/sandbox-nav.js';
import { onGet } from '../services/routes.js';
import type { Services } from '../services/services.js';

interface ConsolePageSettings {
  readonly baseUrl: string;
  /** Token of the control API; null if other machines can open the page. */
  readonly controlToken: string | null;
  /** The service's time, in milliseconds since the epoch. */
  readonly serviceTime: number;
}

export function consolePage(view: ConsoleViewPage, settings: ConsolePageSettings, script: string): Page {
  return sandboxPage({
    title: view.label,
    modules: [script],
    current: view.name,
    lead: view.lead,
    children: (
      <>
        <script
          type="application/json"
          id="console-settings"
          // There are no escapes inside a script element: `jsonOf()` leaves no "<".
          dangerouslySetInnerHTML={{ __html: jsonOf(settings) }}
        />
        <console-app view={view.name} />
        <noscript>
          <p class="empty">
            The console needs JavaScript. The control API and the command line offer the same.
          </p>
        </noscript>
      </>
    ),
  });
}

/** Returns JSON that can't end the script element. */
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

const FOLDER = fileURLToPath(new URL('../../dist/console/assets/', import.meta.url));
const ENTRY = 'src/main.ts';
/** File names from Vite: a name, a hash and a script's extension. */
const ASSET_NAME = /^[\w-]+(?:\.[\w-]+)*\.[\w-]{8}\.js$/;

/** Path below which the files are served. `packages/console/vite.config.ts` has the same one. */
const ASSETS_PATH = '/sandbox/assets';

/** Returns the URL of the console's script, or undefined if the console isn't built. */
export async function consoleScript(folder: string = FOLDER): Promise<string | undefined> {
  try {
    const manifest = JSON.parse(await readFile(join(folder, 'manifest.json'), 'utf8'));
    return `${ASSETS_PATH}/${manifest[ENTRY].file}`;
  } catch {
    return undefined;
  }
}

/** Reads a file of the console, or returns undefined if there is none. A name with a path finds none. */
export async function readAsset(name: string, folder: string = FOLDER): Promise<Buffer | undefined> {
  if (!ASSET_NAME.test(name)) return undefined;
  return await readFile(join(folder, name)).catch(() => undefined);
}

export function consoleRoutes(services: Services, { tokenFor }: Pick<ControlAccess, 'tokenFor'>): Router {
  const { baseUrl, clock } = services;
  const router = Router({ caseSensitive: true, strict: true });
  for (const view of CONSOLE_VIEWS) {
    onGet(router, `/sandbox/${view.name}`, async (request, response) => {
      const script = await consoleScript();
      if (script === undefined) return notBuilt(response);
      const controlToken = tokenFor(request) ?? null;
      const settings = { baseUrl, controlToken, serviceTime: clock.now() };
      const allowsFrames = view.framesPages === true;
      sendPage(response, consolePage(view, settings, script), { allowsScripts: true, allowsFrames });
    });
  }
  onGet(router, '/sandbox/rules', (_request, response) => sendPage(response, rulesPage()));
  onGet(router, `${ASSETS_PATH}/:name`, sendAsset);
  return router;
}

const sendAsset: RequestHandler<{ name: string }> = async ({ params }, response, next) => {
  const content = await readAsset(params.name);
  if (content === undefined) return next('router');
  response.set('Cache-Control', 'public, max-age=31536000, immutable').type('text/javascript').send(content);
};

function notBuilt(response: Response): void {
  response
    .status(503)
    .type('text/plain')
    .set('Cache-Control', 'no-store')
    .send('The console of @latchkey/sandbox is not built. Run "npm run build".\n');
}

/** Returns the page with all rules of the specification. Each one has its id as anchor: `/sandbox/rules#token.code-grant`. */
export function rulesPage(): Page {
  const sections = [...new Set(REQUIREMENTS.map(({ section }) => section))];
  return sandboxPage({
    title: 'Rules',
    lead: `${REQUIREMENTS.length} rules of the specification, as tests cite them. The request log names the one that decided an answer.`,
    children: sections.map((name) => (
      <RuleSection section={name} rules={REQUIREMENTS.filter(({ section }) => section === name)} key={name} />
    )),
  });
}

function RuleSection({ section, rules }: { section: string; rules: readonly Requirement[] }) {
  return (
    <section class="panel">
      <h2>{section}</h2>
      <dl class="rule-list">
        {rules.map(({ id, text, side }) => (
          <div id={id} key={id}>
            <dt>
              <a href={`#${id}`}>
                <code>{id}</code>
              </a>
            </dt>
            <dd>
              <RuleText text={text} />
              {side !== 'server' && (
                <span class="muted"> {side === 'caller' ? 'Kept by callers.' : 'Kept by both sides.'}</span>
              )}
            </dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

/** Renders text in which backticks mark code. */
function RuleText({ text }: { text: string }) {
  return (
    <>{text.split('`').map((part, index) => (index % 2 === 1 ? <code key={part}>{part}</code> : part))}</>
  );
}
