/** The elements that the service renders on the callback page, by the ids that both sides agreed on. */
export interface CallbackPage {
  explain(explanation: Explanation): void;
}

/** Why the page cannot hand over the answer, or that it has. */
export interface Explanation {
  title: string;
  text: string;
  /** A fact to compare, such as the origin that was seen. */
  detail?: string;
  /** The setting to change, for the owner of the site. */
  hint?: string;
  /** The button's label and what it does. Default: closes the window. */
  action?: { label: string; run: () => void };
}

/** Takes hold of the page's elements; one that is missing is passed over. */
export function callbackPage(window: Window): CallbackPage {
  const { document } = window;
  const fill = (name: string, text: string | undefined): HTMLElement | null => {
    const element = document.getElementById(`callback-${name}`);
    if (element) {
      element.textContent = text ?? '';
      element.hidden = text === undefined;
    }
    return element;
  };
  return {
    explain({ title, text, detail, hint, action }) {
      fill('title', title);
      fill('text', text);
      fill('detail', detail);
      fill('hint', hint);
      const button = fill('close', action?.label ?? 'Close this window');
      if (button) button.onclick = action?.run ?? (() => window.close());
    },
  };
}
