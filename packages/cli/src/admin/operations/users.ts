import { emailField, messengerUserIdField, nameField } from '@latchkey/server/schemas';
import * as z from 'zod';
import { settingsRule } from '../../command-line/settings-rule.js';
import { adminOperation } from './admin-operation.js';
import { idOf, newId } from './ids.js';

const email = emailField.meta({ placeholder: 'address' });

const newUser = z.object({
  email: email.meta({ description: 'E-mail address that receives the sign-in codes.' }),
  name: nameField.exactOptional().meta({ placeholder: 'name', description: 'Display name.' }),
  messengerUserId: messengerUserIdField.exactOptional().meta({
    placeholder: 'number',
    description: 'User id at the messenger.',
  }),
  id: newId,
});

export const createUser = adminOperation({
  name: 'create-user',
  summary: 'Creates a user, who signs in with codes sent by e-mail.',
  values: newUser,
  example: '--email owner@shop.example --name "Olive Owner"',
  run: async (operator, user) => ({
    message: `Created the user ${user.email}.`,
    facts: await operator.createUser(user),
  }),
});

export const findUser = adminOperation({
  name: 'find-user',
  summary: 'Finds the id of a user by e-mail address.',
  values: z.object({ email: email.meta({ description: 'E-mail address.' }) }),
  example: '--email owner@shop.example',
  run: async (operator, { email: address }) => {
    const { id, name } = await operator.findUser(address);
    return { message: `Found the user ${address}.`, facts: { id, name } };
  },
});

export const turnOffTwoStep = adminOperation({
  name: 'turn-off-two-step',
  summary: 'Turns two-step sign-in off for a user who has lost the app. The user receives a mail.',
  values: z.object({ email: email.meta({ description: 'E-mail address.' }) }),
  example: '--email owner@shop.example',
  run: async (operator, user) => ({
    message: `Turned two-step sign-in off for ${user.email}.`,
    facts: await operator.turnOffTwoStep(user),
  }),
});

const deletedUser = z
  .object({
    id: idOf('User’s id.').exactOptional(),
    email: email.exactOptional().meta({ description: 'E-mail address, instead of the id.' }),
  })
  .check(
    settingsRule<{ id?: string; email?: string }>({
      reads: ['id', 'email'],
      isMet: ({ id, email: address }) => (id === undefined) !== (address === undefined),
      error: 'Pass either --id or --email.',
    }),
  );

export const deleteUser = adminOperation({
  name: 'delete-user',
  summary: 'Deletes the account of a user for good. Payments stay, without personal data.',
  values: deletedUser,
  example: '--id 5eed0000-0000-4000-8000-00000000000b',
  run: async (operator, { id, email: address = '' }) => ({
    message: `Deleted the account of ${id ?? address}.`,
    facts: await operator.deleteUser(id === undefined ? { email: address } : { id }),
  }),
});

export const endSessions = adminOperation({
  name: 'end-sessions',
  summary: 'Ends all sessions of a user at the service.',
  values: z.object({
    email: email.meta({ description: 'E-mail address.' }),
    apps: z
      .boolean()
      .default(false)
      .meta({ description: 'Also revoke the codes and tokens of all apps of the user.' }),
  }),
  example: '--email owner@shop.example --apps',
  run: async (operator, user) => ({
    message: `Ended the sessions of ${user.email}.`,
    facts: await operator.endSessions(user),
  }),
});
