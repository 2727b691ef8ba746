import type { SendInvitationResult } from '../../../domain/invitations/send-invitation.js';
import type { FormError } from '../../ui/parts/error-summary.js';
import { formatTime } from '../../ui/parts/time.js';

/** Returns the form error of an invitation that was not stored. No message depends on accounts. */
export function invitationError(result: Exclude<SendInvitationResult, { kind: 'invited' }>): FormError {
  return { field: 'email', message: messageOf(result) };
}

function messageOf(result: Exclude<SendInvitationResult, { kind: 'invited' }>): string {
  if (result.kind === 'already-invited') {
    return 'This address is already invited. To change the invitation, withdraw it and invite again.';
  }
  if (result.kind === 'declined') {
    return `This address declined your invitation. You can invite it again from ${formatTime(result.until, 'date')} on.`;
  }
  switch (result.of) {
    case 'sender':
      return `You have invited this address ${result.max} times, declined invitations included, which is the maximum. Withdraw an invitation or wait.`;
    case 'address':
      return 'This address has too many open invitations. Ask the person to answer them on their account page.';
    case 'community':
      return `This community has ${result.max} invitations, which is the maximum. Withdraw some first.`;
  }
}
