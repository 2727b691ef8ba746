import { uuidField } from '@latchkey/contract';
import { formatTimestamp, INTEGER_MAX, MESSENGER_USER_ID_MIN } from '@latchkey/contract/constants';
import { NAME_MAX_LENGTH, readBotName, readName, readSlug, SLUG_MAX_LENGTH } from '../../platform/names.js';
import { isCurrency } from '../catalogue/currency.js';
import { isPriceMinor } from '../catalogue/pricing-plan-rules.js';
import { invalidInput } from './operator-error.js';

/** @throws OperatorError `invalid_input` unless the text is a UUID, which is given in lower case. */
export function checkId(name: string, text: string): string {
  const id = uuidField.safeParse(text);
  if (!id.success) throw invalidInput(`${name} is "${text}", which is not a UUID.`);
  return id.data;
}

/** @throws OperatorError `invalid_input` unless people can read the text as a name; it is given trimmed. */
export function checkName(field: string, text: string): string {
  const name = readName(text);
  if (name !== undefined) return name;
  if (text.trim() === '') throw invalidInput(`${field} must not be empty.`);
  throw invalidInput(
    `${field} must be one line of at most ${NAME_MAX_LENGTH} characters, some of them visible.`,
  );
}

/** @throws OperatorError `invalid_input` unless the text can stand in an address. */
export function checkSlug(text: string): string {
  const slug = readSlug(text);
  if (slug !== undefined) return slug;
  throw invalidInput(
    `slug is "${text}"; give lower-case letters, digits and single hyphens, at most ${SLUG_MAX_LENGTH} characters.`,
  );
}

/** @throws OperatorError `invalid_input` unless a messenger bot can have the name. */
export function checkBotName(text: string): string {
  const name = readBotName(text);
  if (name !== undefined) return name;
  throw invalidInput(`The bot's name is "${text}"; give 3 to 64 letters, digits and underscores.`);
}

/** @throws OperatorError `invalid_input` unless it is a price: whole minor units of a currency in use. */
export function checkPrice<Price extends { priceMinor: number; currency: string }>(price: Price): Price {
  const { priceMinor, currency } = price;
  if (!isPriceMinor(priceMinor)) {
    throw invalidInput(`priceMinor is ${priceMinor}; give whole minor units, at least 0.`);
  }
  if (!isCurrency(currency)) {
    throw invalidInput(`currency is "${currency}"; give a code of ISO 4217 such as EUR.`);
  }
  return price;
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
