/** Texts of failures at the API-key endpoints. */
export interface Messages {
  keyRejected: string;
  missingRole: string;
  missingPermission: string;
  unknownCommunity: string;
  invalidField(name: string): string;
  overlap: string;
  subscription: string;
  notProcessed: string;
  notAMember: string;
  noBot: string;
  missingEmail: string;
  noDrop: string;
  signedUpBefore: string;
  noSuchClient: string;
}

export const FIRST_MESSAGES: Messages = {
  keyRejected: 'The API key is missing or malformed.',
  missingRole: 'The key owner is not OWNER or ADMIN of the community.',
  missingPermission: 'The API key lacks a permission.',
  unknownCommunity: 'No such community.',
  invalidField: (name) => `${name} is missing or malformed.`,
  overlap: 'The buyer already has an active membership.',
  subscription: 'A subscription manages the membership.',
  notProcessed: 'The membership has not been processed yet.',
  notAMember: 'The buyer is not a member of the community.',
  noBot: 'The messenger bot is not set up.',
  missingEmail: 'email is missing.',
  noDrop: 'The community has no upcoming drop.',
  signedUpBefore: 'The address is already signed up for this drop.',
  noSuchClient: 'No such client.',
};

/**
 * Other texts. "Human-readable text … Intended for developers" (specification, "Response envelope"): the specification
 * fixes the meaning of some, and the words of none.
 */
export const SECOND_MESSAGES: Messages = {
  keyRejected: 'Unauthorized',
  missingRole: 'Forbidden resource',
  missingPermission: 'Forbidden resource',
  unknownCommunity: 'Community could not be located',
  invalidField: (name) => `Validation failed (property "${name}")`,
  overlap: 'Conflict: membership still running',
  subscription: 'Conflict: managed elsewhere',
  notProcessed: 'Your membership is still to be processed, please retry',
  notAMember: 'This person does not belong to the community',
  noBot: 'Bot setup is incomplete for this community',
  missingEmail: 'An address is needed',
  noDrop: 'Nothing upcoming',
  signedUpBefore: 'Duplicate',
  noSuchClient: 'Application could not be located',
};
