/** Input of a driver, by action. */
export interface DriverInputs {
  /** Opens an authorization URL in a browser where the user with this email address is signed in, and decides. */
  readonly authorize: {
    readonly url: string;
    readonly email: string;
    readonly decision: 'approve' | 'decline';
  };
  /** Completes a hosted checkout, or lets its payment be declined. */
  readonly pay: { readonly checkoutUrl: string; readonly result: 'paid' | 'declined' };
  /** Moves the clock of the service forward. */
  readonly advance: { readonly seconds: number };
  /** Creates an API key of the owner of `keys.full`. */
  readonly createKey: { readonly permissions: readonly string[] };
  readonly revokeKey: { readonly keyId: string };
  /** Registers an OAuth client. */
  readonly registerClient: {
    readonly type: 'public' | 'confidential';
    readonly scopes: readonly string[];
    readonly redirectUri: string;
  };
  /** Registers a webhook of `communities.main`. */
  readonly createWebhook: { readonly url: string };
  /** Saves a webhook again without a change. */
  readonly saveWebhook: { readonly webhookId: string };
  /** Follows an invite link with a messenger account, and asks to join. */
  readonly join: { readonly link: string; readonly messengerUserId: number };
  /** Buys a digital product for a user. */
  readonly buyProduct: { readonly email: string; readonly webhookUrl?: string };
  /** Reads the purchase reports of `communities.main`. */
  readonly salesReport: Readonly<Record<string, never>>;
}

/** Output of a driver, by action. */
export interface DriverAnswers {
  /** URL of the redirect back to the client. */
  readonly authorize: { readonly location: string };
  readonly pay: Readonly<Record<string, never>>;
  readonly advance: Readonly<Record<string, never>>;
  readonly createKey: { readonly keyId: string; readonly apiKey: string };
  readonly revokeKey: Readonly<Record<string, never>>;
  readonly registerClient: { readonly clientId: string; readonly clientSecret?: string | undefined };
  readonly createWebhook: { readonly webhookId: string; readonly secret: string };
  readonly saveWebhook: { readonly secret: string };
  /** True if the account may enter the chat. */
  readonly join: { readonly admitted: boolean };
  readonly buyProduct: Readonly<Record<string, never>>;
  /** Any text that contains the sources of the purchases. */
  readonly salesReport: { readonly text: string };
}

export type DriverAction = keyof DriverInputs;

/** Names of all actions. */
export const DRIVER_ACTIONS = [
  'authorize',
  'pay',
  'advance',
  'createKey',
  'revokeKey',
  'registerClient',
  'createWebhook',
  'saveWebhook',
  'join',
  'buyProduct',
  'salesReport',
] as const satisfies readonly DriverAction[];

/** Does for the checks what the API does not offer: sign-in, payment, the clock, the developer area. */
export interface Driver {
  readonly actions: readonly DriverAction[];
  /** @throws Missing if the action fails. */
  run<Action extends DriverAction>(
    action: Action,
    input: DriverInputs[Action],
  ): Promise<DriverAnswers[Action]>;
  /** Releases processes and connections. */
  close(): Promise<void>;
}
