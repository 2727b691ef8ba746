import { PATHS } from '@latchkey/contract/constants';
import { SEED } from '../world/seed.ts';
import type { Caller } from './caller.ts';
import { resultOf } from './member.ts';

/** Signs an address up for the drop, until the result is known. A later call must be rejected as a repetition. */
export async function signUp(caller: Caller, email: string): Promise<void> {
  await caller.settle({
    op: 'drop-signup',
    subject: email,
    input: { email },
    path: PATHS.dropSignup,
    key: true,
    json: { communityId: SEED.community.id, email },
    output: (reply) => {
      const { signedUp, errorCode, dropSlotInfo } = resultOf(reply) as {
        signedUp?: boolean;
        errorCode?: string;
        dropSlotInfo?: { slotsUsed?: number };
      };
      return { signedUp, errorCode, slotsUsed: dropSlotInfo?.slotsUsed };
    },
  });
}
