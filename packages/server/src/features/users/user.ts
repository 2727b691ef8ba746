import { INTEGER_MAX, MESSENGER_USER_ID_MIN } from '@latchkey/contract/constants';
import * as z from 'zod';
import { emailField, nameField } from '../fields/fields.js';

const MESSENGER_ID_MESSAGE = `Enter a whole number of at least ${MESSENGER_USER_ID_MIN}.`;

/** User id at the messenger. */
export const messengerUserIdField = z
  .int(MESSENGER_ID_MESSAGE)
  .min(MESSENGER_USER_ID_MIN, MESSENGER_ID_MESSAGE)
  .max(INTEGER_MAX, MESSENGER_ID_MESSAGE);

export const userSchema = z.object({
  email: emailField,
  name: nameField.nullable().default(null),
  messengerUserId: messengerUserIdField.nullable().default(null),
});
