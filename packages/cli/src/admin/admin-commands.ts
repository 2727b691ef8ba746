import {
  MEMBERSHIP_PRODUCT_TYPES,
  OAUTH_SCOPES,
  PERMISSIONS,
  SELLER_PRODUCT_TYPES,
} from '@latchkey/contract';
import type { UpdateClient } from '@latchkey/server';
import {
  optional,
  optionalList,
  optionalToggle,
  required,
  requiredList,
  toggle,
} from '../command-line/flag.js';
import { instant, oneOf, text, textLike, uuid, wholeNumber } from '../command-line/readers.js';
import { type AdminCommand, adminCommand } from './admin-command.js';

const aName = text('give a name');
const email = textLike(/^[^\s@]+@[^\s@]+$/, 'give an e-mail address');
const clientId = textLike(/^oac_[0-9a-f]{24}$/, 'give oac_ and 24 hex characters');
const url = textLike(/^https?:\/\/\S+$/, 'give an http or https address');
const clientType = oneOf(['public', 'confidential']);
const anyText = { fix: 'give a text', read: (given: string) => given };
const MAX = Number.MAX_SAFE_INTEGER;

const chosenId = optional(uuid, { placeholder: '<uuid>', summary: 'Its id.', fallbackText: 'a new one' });
const ownerId = required(uuid, { placeholder: '<uuid>', summary: 'The user whose it is.' });
const userId = required(uuid, { placeholder: '<uuid>', summary: 'The user.' });
const communityId = required(uuid, { placeholder: '<uuid>', summary: 'The community.' });
const name = required(aName, { placeholder: '<name>', summary: 'Its name.' });

/** What a client's owner chooses and can change later. An empty value empties a list. */
const CLIENT_FLAGS = {
  redirectUri: optionalList(anyText, {
    placeholder: '<url>',
    summary: 'Address that may receive codes; matched exactly. https, or http on a loopback address.',
  }),
  widgetOrigin: optionalList(anyText, {
    placeholder: '<origin>',
    summary: 'Origin whose pages may sign people in through the widget.',
  }),
  hostedCallback: optionalToggle({ summary: 'Registers the popup’s landing page, which the widget needs.' }),
  description: optional(anyText, {
    placeholder: '<text>',
    summary: 'Shown when people are asked to consent.',
  }),
  logoUrl: optional(url, { placeholder: '<url>', summary: 'Shown when people are asked to consent.' }),
} as const;

/** The texts of a list flag; a single empty one is the empty list. */
function listed(given: readonly string[] | undefined): readonly string[] | undefined {
  return given?.length === 1 && given[0] === '' ? [] : given;
}

/** What `latchkey admin` can do: every call of the operator, as a row. */
export const ADMIN_COMMANDS: readonly AdminCommand[] = [
  adminCommand({
    name: 'create-user',
    summary: 'Creates a user, who then signs in with e-mailed codes.',
    flags: {
      email: required(email, { placeholder: '<address>', summary: 'The address that codes are sent to.' }),
      name: optional(aName, { placeholder: '<name>', summary: 'Their name.' }),
      messengerUserId: optional(wholeNumber(1, MAX), {
        placeholder: '<number>',
        summary: 'Their account at the messenger.',
      }),
      id: chosenId,
    },
    run: async (operator, user) => ({
      done: `Created ${user.email}.`,
      facts: await operator.createUser(user),
    }),
  }),
  adminCommand({
    name: 'find-user',
    summary: 'Tells the id of the user with an e-mail address.',
    flags: { email: required(email, { placeholder: '<address>', summary: 'The address.' }) },
    run: async (operator, { email: address }) => {
      const { id, name: theirs } = await operator.findUser(address);
      return { done: `Found ${address}.`, facts: { id, name: theirs } };
    },
  }),
  adminCommand({
    name: 'create-community',
    summary: 'Creates a community; its owner gets the role OWNER.',
    flags: { name, ownerId, id: chosenId },
    run: async (operator, community) => ({
      done: `Created the community ${community.name}.`,
      facts: await operator.createCommunity(community),
    }),
  }),
  adminCommand({
    name: 'create-product',
    summary: 'Creates a seller’s product.',
    flags: {
      ownerId,
      name,
      slug: required(textLike(/^\S+$/, 'give a word without spaces'), {
        placeholder: '<slug>',
        summary: 'What names it in the storefront’s address; the seller’s products have different ones.',
      }),
      type: optional(oneOf(SELLER_PRODUCT_TYPES), {
        placeholder: '<type>',
        summary: `One of ${SELLER_PRODUCT_TYPES.join(', ')}.`,
      }),
      id: chosenId,
    },
    run: async (operator, product) => ({
      done: `Created the product ${product.name}.`,
      facts: await operator.createProduct(product),
    }),
  }),
  adminCommand({
    name: 'grant-membership',
    summary: 'Grants a membership; one for the same thing gets the new period.',
    flags: {
      userId,
      productType: required(oneOf(MEMBERSHIP_PRODUCT_TYPES), {
        placeholder: '<type>',
        summary: `What it is for: ${MEMBERSHIP_PRODUCT_TYPES.join(', ')}.`,
      }),
      communityId: optional(uuid, { placeholder: '<uuid>', summary: 'The community it is for.' }),
      productId: optional(uuid, { placeholder: '<uuid>', summary: 'The product it is for.' }),
      validFrom: optional(instant, {
        placeholder: '<time>',
        summary: 'Its start, in ISO-8601.',
        fallbackText: 'now',
      }),
      validUntil: optional(instant, {
        placeholder: '<time>',
        summary: 'The first instant without access, in ISO-8601.',
        fallbackText: 'for life',
      }),
      id: chosenId,
    },
    run: async (operator, membership) => ({
      done: 'Granted the membership.',
      facts: await operator.grantMembership(membership),
    }),
  }),
  adminCommand({
    name: 'end-membership',
    summary: 'Ends a membership now.',
    flags: { id: required(uuid, { placeholder: '<uuid>', summary: 'The membership.' }) },
    run: async (operator, { id }) => {
      await operator.endMembership(id);
      return { done: `Ended the membership ${id}.` };
    },
  }),
  adminCommand({
    name: 'register-client',
    summary: 'Registers an app that signs people in.',
    needsBaseUrl: true,
    flags: {
      type: required(clientType, {
        placeholder: '<type>',
        summary: 'public for browsers, which hold no secret; confidential for backends.',
      }),
      name,
      ownerId,
      scope: requiredList(oneOf(OAUTH_SCOPES), {
        placeholder: '<scope>',
        summary: `What it may ask for: ${OAUTH_SCOPES.join(', ')}.`,
      }),
      ...CLIENT_FLAGS,
      clientId: optional(clientId, {
        placeholder: '<id>',
        summary: 'oac_ and 24 hex characters.',
        fallbackText: 'a new one',
      }),
    },
    run: async (operator, { scope, redirectUri, widgetOrigin, ...client }) => ({
      done: `Registered the ${client.type} client ${client.name}.`,
      facts: {
        ...(await operator.registerClient({
          ...client,
          scopes: scope,
          redirectUris: listed(redirectUri) ?? [],
          widgetOrigins: listed(widgetOrigin) ?? [],
        })),
      },
      shownOnce: ['clientSecret'],
    }),
  }),
  adminCommand({
    name: 'update-client',
    summary: 'Changes a client; what is left out stays as it is.',
    needsBaseUrl: true,
    flags: {
      clientId: required(clientId, { placeholder: '<id>', summary: 'The client.' }),
      type: optional(clientType, {
        placeholder: '<type>',
        summary: 'A client that becomes confidential gets a secret, one that becomes public loses it.',
      }),
      name: optional(aName, { placeholder: '<name>', summary: 'Its new name.' }),
      scope: optionalList(oneOf(OAUTH_SCOPES), {
        placeholder: '<scope>',
        summary: 'All that it may ask for from now on.',
      }),
      ...CLIENT_FLAGS,
    },
    run: async (operator, { clientId: id, scope, redirectUri, widgetOrigin, ...changes }) => {
      const [redirectUris, widgetOrigins] = [listed(redirectUri), listed(widgetOrigin)];
      const update: UpdateClient = {
        ...changes,
        ...(scope && { scopes: scope }),
        ...(redirectUris && { redirectUris }),
        ...(widgetOrigins && { widgetOrigins }),
      };
      return {
        done: `Changed the client ${id}.`,
        facts: { ...(await operator.updateClient(id, update)) },
        shownOnce: ['clientSecret'],
      };
    },
  }),
  adminCommand({
    name: 'replace-client-secret',
    summary: 'Gives a confidential client a new secret; the old one ends at once, tokens stay valid.',
    flags: { clientId: required(clientId, { placeholder: '<id>', summary: 'The client.' }) },
    run: async (operator, { clientId: id }) => ({
      done: `Replaced the secret of the client ${id}.`,
      facts: { ...(await operator.replaceClientSecret(id)) },
      shownOnce: ['clientSecret'],
    }),
  }),
  adminCommand({
    name: 'create-api-key',
    summary: 'Creates an API key.',
    flags: {
      ownerId,
      name,
      permission: requiredList(oneOf(PERMISSIONS), {
        placeholder: '<name>',
        summary: `What it opens: ${PERMISSIONS.join(', ')}. They cannot be changed later.`,
      }),
    },
    run: async (operator, { permission, ...key }) => ({
      done: `Created the API key ${key.name}.`,
      facts: await operator.createApiKey({ ...key, permissions: permission }),
      shownOnce: ['key'],
    }),
  }),
  adminCommand({
    name: 'revoke-api-key',
    summary: 'Ends an API key at once.',
    flags: { id: required(uuid, { placeholder: '<uuid>', summary: 'The key’s id, not its text.' }), ownerId },
    run: async (operator, key) => {
      await operator.revokeApiKey(key);
      return { done: `Revoked the API key ${key.id}.` };
    },
  }),
  adminCommand({
    name: 'grant-provisioning',
    summary: 'Lets a vetted partner create keys with MEMBERSHIP_PROVISION.',
    flags: { userId },
    run: async (operator, { userId: id }) => {
      await operator.grantProvisioning(id);
      return { done: `The user ${id} may create keys with MEMBERSHIP_PROVISION.` };
    },
  }),
  adminCommand({
    name: 'assign-role',
    summary: 'Gives a user a role in a community, or changes the one they have.',
    flags: {
      communityId,
      userId,
      role: required(oneOf(['OWNER', 'ADMIN']), { placeholder: '<role>', summary: 'OWNER or ADMIN.' }),
      inactive: toggle({ summary: 'Keeps the role and takes what it gives.' }),
    },
    run: async (operator, { inactive, ...assignment }) => {
      await operator.assignRole({ ...assignment, isActive: !inactive });
      return { done: `The user ${assignment.userId} is ${assignment.role}${inactive ? ', inactive' : ''}.` };
    },
  }),
  adminCommand({
    name: 'create-pricing-plan',
    summary: 'Creates a pricing plan of a community.',
    flags: {
      communityId,
      name,
      priceMinor: required(wholeNumber(0, MAX), {
        placeholder: '<number>',
        summary: 'Price in the currency’s minor unit: 900 is 9.00.',
      }),
      currency: optional(textLike(/^[A-Z]{3}$/, 'give three capital letters such as EUR'), {
        placeholder: '<code>',
        summary: 'ISO 4217.',
        fallbackText: 'EUR',
      }),
      periodDays: optional(wholeNumber(1, 36_500), {
        placeholder: '<days>',
        summary: 'Days of access for one payment.',
        fallbackText: 'for life',
      }),
      renews: optionalToggle({
        summary: 'The payment provider’s subscription renews it; needs --period-days.',
      }),
      provider: optional(oneOf(['card', 'crypto']), {
        placeholder: '<name>',
        summary: 'Whose payment page it opens: card or crypto.',
        fallbackText: 'card',
      }),
      id: chosenId,
    },
    run: async (operator, plan) => ({
      done: `Created the plan ${plan.name}.`,
      facts: await operator.createPricingPlan(plan),
    }),
  }),
  adminCommand({
    name: 'create-drop-slot',
    summary: 'Creates a drop that people can sign up for.',
    flags: {
      communityId,
      name,
      slots: optional(wholeNumber(0, 1_000_000_000), {
        placeholder: '<number>',
        summary: 'How many can sign up.',
        fallbackText: 'unlimited',
      }),
      startsAt: required(instant, { placeholder: '<time>', summary: 'Its start, in ISO-8601.' }),
      endsAt: optional(instant, {
        placeholder: '<time>',
        summary: 'The first instant at which it is over, in ISO-8601.',
        fallbackText: 'never',
      }),
      id: chosenId,
    },
    run: async (operator, slot) => ({
      done: `Created the drop ${slot.name}.`,
      facts: await operator.createDropSlot(slot),
    }),
  }),
  adminCommand({
    name: 'set-messenger-bot',
    summary: 'Names the messenger bot that mints a community’s invite links.',
    flags: {
      communityId,
      name: optional(aName, { placeholder: '<name>', summary: 'The bot.' }),
      remove: toggle({ summary: 'Takes the bot away.' }),
    },
    rules: [
      {
        about: ['name', 'remove'],
        holds: ({ name: bot, remove }) => (bot !== undefined) !== (remove === true),
        problem: 'Give --name, or --remove: one of the two.',
      },
    ],
    run: async (operator, { communityId: id, name: bot = null }) => {
      await operator.setMessengerBot(id, bot);
      return { done: bot === null ? 'The community has no bot any more.' : `The community’s bot is ${bot}.` };
    },
  }),
  adminCommand({
    name: 'create-webhook',
    summary: 'Registers an address that hears the events of a community or a product.',
    flags: {
      ownerId,
      communityId: optional(uuid, { placeholder: '<uuid>', summary: 'The community whose events it hears.' }),
      productId: optional(uuid, { placeholder: '<uuid>', summary: 'The product whose events it hears.' }),
      url: required(url, { placeholder: '<url>', summary: 'Where events are posted to.' }),
      id: chosenId,
    },
    rules: [
      {
        about: ['communityId', 'productId'],
        holds: (settings) => (settings.communityId === undefined) !== (settings.productId === undefined),
        problem: 'Give --community-id or --product-id: a webhook is for one of the two.',
      },
    ],
    run: async (operator, webhook) => ({
      done: `Registered ${webhook.url}.`,
      facts: await operator.createWebhook(webhook),
    }),
  }),
  adminCommand({
    name: 'save-webhook',
    summary: 'Changes a webhook, and tells its secret again; what waited for it goes out.',
    flags: {
      id: required(uuid, { placeholder: '<uuid>', summary: 'The webhook.' }),
      ownerId,
      url: optional(url, { placeholder: '<url>', summary: 'Where events are posted to from now on.' }),
      isActive: optionalToggle({
        placeholder: '=<true|false>',
        summary: 'Whether it hears new events. While it is switched off, its deliveries wait.',
      }),
      rotateSecret: toggle({ summary: 'Replaces the secret; the old one signs nothing any more.' }),
    },
    run: async (operator, { id, ownerId: owner, ...changes }) => ({
      done: `Saved the webhook ${id}.`,
      facts: await operator.saveWebhook({ id, ownerId: owner }, changes),
    }),
  }),
];
