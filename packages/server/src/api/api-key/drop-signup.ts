import { ENDPOINTS } from '@latchkey/contract';
import type { Router } from 'express';
import { dropSlotInfo } from '../../domain/drops/drop-slot-info.js';
import { signUpForDrop } from '../../domain/drops/sign-up-for-drop.js';
import type { Clock } from '../../platform/clock.js';
import type { Database } from '../../platform/database/open-database.js';
import { apiKeyRoute } from './api-key-route.js';
import { done, notFound } from './endpoint-result.js';

interface DropSignupNeeds {
  readonly clock: Clock;
  readonly logUrl: string | undefined;
  readonly db: Database;
}

/** `POST /api/drop-notification/signup`: signs an address up for the next drop of a community. */
export function dropSignup(needs: DropSignupNeeds): Router {
  const { db, clock } = needs;
  return apiKeyRoute(needs, ENDPOINTS.dropSignup, async ({ body }) => {
    const now = clock.now();
    const result = await signUpForDrop(db, body, now);
    switch (result.verdict) {
      case 'no-drop':
        return notFound('The community has no drop that is running or to come.');
      case 'duplicate':
        return conflict('already_exists', 'The address is signed up for this drop already.');
      case 'full':
        return conflict('conflict', 'No slot of the next drop is left.');
      case 'has-account':
      case 'sign-up': {
        const signedUp = result.verdict === 'sign-up';
        return done({
          signedUp,
          hasExistingAccount: !signedUp,
          dropSlotInfo: dropSlotInfo(result.slot, now),
        });
      }
    }
  });
}

function conflict(errorCode: 'already_exists' | 'conflict', message: string) {
  return { kind: 'failed', status: 409, errorCode, message } as const;
}
