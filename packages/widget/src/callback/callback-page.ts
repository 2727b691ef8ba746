/** The callback page. The service renders its elements, with ids that start with `callback-`. */
export interface CallbackPage {
  explain(explanation: Explanation): void;
}

/** A message for the person who sees the callback page. */
export interface Explanation {
  title: string;
  text: string;
  /** A value to compare, such as the origin of the site. */
  detail?: string;
  /** The setting that the owner of the site must change. */
  hint?: string;
  /**
   * The button.
   * @default closes the window
   */
  action?: { label: string; run: () => void };
}

const TAGS: Record<string, string> = { title: 'h1', close: 'button' };

/** Creates missing elements, because a site's own callback page may contain only the script. */
export function callbackPage(window: Window): CallbackPage {
  const { document } = window;
  const place = (name: string): HTMLElement => {
    const id = `callback-${name}`;
    const present = document.getElementById(id);
    if (present) return present;
    const made = document.createElement(TAGS[name] ?? 'p');
    made.id = id;
    holder(document).append(made);
    return made;
  };
  const fill = (name: string, text: string | undefined): HTMLElement => {
    const element = place(name);
    element.textContent = text ?? '';
    element.hidden = text === undefined;
    return element;
  };
  const show = ({ title, text, detail, hint, action }: Explanation) => {
    fill('title', title);
    fill('text', text).role = 'status';
    fill('detail', detail);
    fill('hint', hint);
    fill('close', action?.label ?? 'Close this window').onclick = action?.run ?? (() => window.close());
  };
  return {
    explain(explanation) {
      // A script in the head runs before the body exists.
      if (document.body) show(explanation);
      else document.addEventListener('DOMContentLoaded', () => show(explanation), { once: true });
    },
  };
}

/** Returns the container of created elements. Its style sheet needs no exception from a strict policy. */
function holder(document: Document): HTMLElement {
  const present = document.querySelector('main');
  if (present) return present;
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(STYLES);
  document.adoptedStyleSheets.push(sheet);
  const made = document.createElement('main');
  document.body.append(made);
  return made;
}

const STYLES = `:root{color-scheme:light dark}
body{margin:0;font:1rem/1.5 system-ui,sans-serif}
main{display:grid;gap:1rem;justify-items:start;max-width:26rem;margin:0 auto;padding:2.5rem 1.5rem}
main>*{margin:0;overflow-wrap:anywhere}
h1{font-size:1.375rem;line-height:1.25}
#callback-detail{font-family:ui-monospace,monospace}
button{font:inherit;min-height:2.75rem;padding:0 1rem}`;
