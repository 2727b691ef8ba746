/** Sign-in window. */
export interface Popup<Page> {
  readonly page: Page;
  /** Address of the authorization request, once the window has one. */
  url: URL | undefined;
  closed: boolean;
}

/** Created once, because each page looks at its popup several times a second. */
const OTHER_SITE = new Error('The window shows another site.');

/** Creates a popup, with the window that its page receives. */
export function createPopup<Page>(page: Page, url: string): Popup<Page> & { window: object } {
  const popup = {
    page,
    url: URL.canParse(url) && url.startsWith('http') ? new URL(url) : undefined,
    closed: false,
    window: {},
  } as Popup<Page> & { window: object };
  popup.window = {
    get self() {
      return popup.window;
    },
    get closed() {
      return popup.closed;
    },
    close() {
      popup.closed = true;
    },
    focus() {},
    location: {
      replace(address: string) {
        popup.url = new URL(address);
      },
      get href(): string {
        throw OTHER_SITE;
      },
    },
  };
  return popup;
}
