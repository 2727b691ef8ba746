import { serviceNamesOption } from '@latchkey/contract';
import type { EndpointName } from '@latchkey/contract/constants';
import * as z from 'zod';

/** Actions of an app that the kit can drive. */
export const ACTION_NAMES = [
  'provision',
  'storedMembership',
  'checkMessenger',
  'checkout',
  'inviteLink',
  'dropSignup',
  'signIn',
  'protectedPage',
  'account',
  'refresh',
  'signOut',
  'handledEvents',
  'failureReport',
  'run',
] as const;

export type ActionName = (typeof ACTION_NAMES)[number];

/** The endpoints of the actions that send the API key. */
export const ENDPOINT_OF: Readonly<Partial<Record<ActionName, EndpointName>>> = {
  provision: 'provisionExternal',
  checkMessenger: 'checkMessenger',
  checkout: 'buyPlan',
  inviteLink: 'inviteLink',
  dropSignup: 'dropSignup',
};

export const API_KEY_ACTIONS = Object.keys(ENDPOINT_OF) as readonly ActionName[];

const successRule = z
  .strictObject({
    status: z.array(z.int().min(100).max(599)).exactOptional(),
    text: z.string().min(1).exactOptional(),
  })
  .exactOptional();

const common = {
  /** Statuses and a string that mean success. @default a status below 400, or exit code 0 */
  success: successRule,
  /** Regular expression: its first group is the value that the action returns. @default the whole text */
  pattern: z
    .string()
    .refine(isPattern, 'must be a regular expression with one group, such as "id: (\\\\S+)"')
    .exactOptional(),
  /** `developers` if no end user sees the action's text. */
  audience: z.enum(['users', 'developers']).exactOptional(),
};

const requestAction = z.strictObject({
  /** `METHOD /path`, relative to `app`. */
  request: z
    .string()
    .regex(/^(GET|POST|PUT|PATCH|DELETE) (\/|https?:)\S*$/, 'must be such as "POST /orders"'),
  json: z.record(z.string(), z.unknown()).exactOptional(),
  form: z.record(z.string(), z.string()).exactOptional(),
  headers: z.record(z.string(), z.string()).exactOptional(),
  /** True if the app requires a signed-in user. @default false */
  signedIn: z.boolean().default(false),
  /** True if the same buyer must have opened a checkout before. @default false */
  afterCheckout: z.boolean().default(false),
  ...common,
});

const commandAction = z.strictObject({
  /** Command line for the shell, with placeholders such as {orderId}. */
  command: z.string().regex(/\S/, 'must not be empty'),
  signedIn: z.literal(false).default(false),
  afterCheckout: z.boolean().default(false),
  ...common,
});

const anyAction = z.union([requestAction, commandAction]);

/** Description of the tested app: its URL, and which action each of its paths or commands performs. */
export const callerProfile = z.strictObject({
  /** What the report calls the app. */
  name: z.string().min(1).default('client'),
  /** Base URL of the app. Actions with a request are relative to it. */
  app: z.url({ protocol: /^https?$/ }).exactOptional(),
  /** Command that starts the app. The kit waits until `app` responds, and stops it at the end. */
  start: z.string().min(1).exactOptional(),
  /** URL of the app's webhook receiver, absolute or relative to `app`. */
  webhook: z.string().min(1).exactOptional(),
  serviceNames: serviceNamesOption.exactOptional(),
  actions: z.partialRecord(z.enum(ACTION_NAMES), anyAction).default({}),
  timing: z
    .strictObject({
      /** How long the app may take to retry after a 500, in seconds. */
      retryWithinSeconds: z.number().min(0).max(600).default(5),
      /** How long to wait for a wrong repetition after a 4xx, in seconds. */
      quietSeconds: z.number().min(0).max(60).default(0.2),
      /** How long the app may take to start, in seconds. */
      startWithinSeconds: z.number().min(1).max(600).default(30),
    })
    .prefault({}),
});

/** A profile with its defaults. */
export type CallerProfile = z.output<typeof callerProfile>;

export type ProfileAction = z.output<typeof anyAction>;

/** A profile as a developer writes it. */
export type CallerProfileInput = z.input<typeof callerProfile>;

function isPattern(source: string): boolean {
  try {
    return new RegExp(`${source}|`).exec('')?.length === 2;
  } catch {
    return false;
  }
}
