/** Code to paste into a site or an app. */
export interface CodeSnippet {
  readonly title: string;
  /** Where the code belongs, and what it needs. */
  readonly note: string;
  readonly code: string;
}
