import * as z from 'zod';

const ADDRESS = '[^<>@\\s]+@[^<>@\\s]+';
const SENDER = new RegExp(`^(?:${ADDRESS}|[^<>\\p{Cc}]*<${ADDRESS}>)$`, 'u');

/** Sender of mails: an address, or `Name <address>`. */
export const senderField = z
  .string()
  .trim()
  .regex(SENDER, 'must be an address, or a name and an address such as Service <codes@service.example>');
