import { LitElement } from 'lit';
import type { ControlApi } from '../../api/control-api.js';
import { ConsoleErrorEvent, ConsoleStatusEvent } from '../../shell/console-view.js';

/** Part of the inspector that calls the control API. */
export abstract class ViewPart extends LitElement {
  declare api: ControlApi;

  /** Runs an operation. Shows its failure at the top of the page. */
  protected async attempt<T>(operation: () => Promise<T>): Promise<T | undefined> {
    try {
      return await operation();
    } catch (error) {
      this.dispatchEvent(new ConsoleErrorEvent(error));
      return undefined;
    }
  }

  /** Shows and announces what was done. */
  protected announce(text: string): void {
    this.dispatchEvent(new ConsoleStatusEvent(text));
  }
}

/** Returns the texts of a form's fields, without empty ones. */
export function fieldsOf(form: HTMLFormElement): Record<string, string> {
  const fields = [...new FormData(form)].map(([name, value]) => [name, String(value).trim()] as const);
  return Object.fromEntries(fields.filter(([, value]) => value !== ''));
}
