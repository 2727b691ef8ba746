import { INTEGER_MAX, MESSENGER_USER_ID_MIN } from '@latchkey/contract/constants';
import * as z from 'zod';
import { defineRecords } from '../fields/define-records.js';
import { ACTION, EMAIL, FLAG, NAME, NEW_ID } from '../fields/fields.js';

const MESSENGER_ID_MESSAGE = `Enter a whole number of at least ${MESSENGER_USER_ID_MIN}.`;

export const userSchema = z.object({ name: NAME.schema.nullable().default(null) });

export const userRecords = defineRecords({
  one: 'user',
  table: 'users',
  columns: ['id', 'email', 'name', 'messenger_user_id', 'email_verified_at', 'created_at'],
  searched: ['id', 'email', 'name', 'messenger_user_id'],
  fields: {
    id: NEW_ID,
    email: { ...EMAIL, about: 'It receives the sign-in codes.' },
    name: { ...NAME, isOptional: true },
    messengerUserId: {
      schema: z
        .int(MESSENGER_ID_MESSAGE)
        .min(MESSENGER_USER_ID_MIN, MESSENGER_ID_MESSAGE)
        .max(INTEGER_MAX, MESSENGER_ID_MESSAGE),
      label: 'Messenger account',
      about: 'User id at the messenger, a whole number.',
      isOptional: true,
      isFixed: true,
    },
    mayProvision: {
      ...FLAG,
      label: 'May create keys with MEMBERSHIP_PROVISION',
      about: 'The service grants it to vetted partners.',
    },
    turnOffTwoStep: {
      ...ACTION,
      label: 'Turn two-step sign-in off',
      about: 'For a user who has lost the app. The user receives a mail.',
    },
  },
  create: 'Creates a user.',
  change: 'Changes the name of a user, and if the user may create keys that provision.',
  end: {
    summary: 'Signs a user out everywhere: ends all sessions and all tokens of apps. The account stays.',
    button: 'Sign out everywhere',
  },
});
