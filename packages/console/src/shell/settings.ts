export interface ConsoleSettings {
  /** Origin of the service. */
  readonly baseUrl: string;
  /** Token of the control API; null if other machines can open the page. */
  readonly controlToken: string | null;
  /** Names that this service uses where the specification has others, such as the prefix of API keys. */
  readonly serviceNames: Readonly<Record<string, unknown>>;
  /** The service's time when the page was made, in milliseconds since the epoch. */
  readonly serviceTime: number;
}

export function readSettings(): ConsoleSettings {
  const text = document.getElementById('console-settings')?.textContent;
  if (text === null || text === undefined) throw new Error('The page has no settings.');
  return JSON.parse(text) as ConsoleSettings;
}
