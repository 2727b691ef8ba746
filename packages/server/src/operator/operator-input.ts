import { formatTimestamp, INTEGER_MAX, MESSENGER_USER_ID_MIN, uuidField } from '@latchkey/contract';
import { invalidInput } from './operator-error.js';

/** @throws OperatorError `invalid_input` unless the text is a UUID, which is given in lower case. */
export function checkId(name: string, text: string): string {
  const id = uuidField.safeParse(text);
  if (!id.success) throw invalidInput(`${name} is "${text}", which is not a UUID.`);
  return id.data;
}

/** @throws OperatorError `invalid_input` when nothing is left of the text once it is trimmed. */
export function checkName(name: string, text: string): string {
  const trimmed = text.trim();
  if (trimmed === '') throw invalidInput(`${name} must not be empty.`);
  return trimmed;
}

/** @throws OperatorError `invalid_input` unless the API can write the instant as a timestamp. */
export function checkInstant(name: string, ms: number): number {
  try {
    formatTimestamp(ms);
    return ms;
  } catch {
    throw invalidInput(
      `${name} is ${ms}; give whole milliseconds since the epoch, within the years 0000 to 9999.`,
    );
  }
}

/** @throws OperatorError `invalid_input` unless the number can be a messenger account. */
export function checkMessengerUserId(id: number): number {
  if (Number.isInteger(id) && id >= MESSENGER_USER_ID_MIN && id <= INTEGER_MAX) return id;
  throw invalidInput(`messengerUserId is ${id}; give an integer of at least ${MESSENGER_USER_ID_MIN}.`);
}
