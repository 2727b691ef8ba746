import { dropSlotInfo } from '../../domain/drops/drop-slot-info.js';
import { signUpForDrop } from '../../domain/drops/sign-up-for-drop.js';
import type { Clock } from '../../platform/clock.js';
import type { ApiKeyNeeds } from './frame/api-key-needs.js';
import { type AddApiKeyRoute, apiKeyRoute } from './frame/api-key-route.js';
import { conflict, done, notFound } from './frame/endpoint-result.js';

interface DropSignupNeeds extends ApiKeyNeeds {
  readonly clock: Clock;
}

/** `POST /api/drop-notification/signup`: signs an e-mail address up for the next drop of a community. */
export function dropSignup(needs: DropSignupNeeds): AddApiKeyRoute {
  const { db, clock } = needs;
  return apiKeyRoute(needs, needs.endpoints.dropSignup, async ({ body }) => {
    const now = clock.now();
    const result = await signUpForDrop(db, body, now);
    switch (result.kind) {
      case 'no-drop':
        return notFound('The community has no running or upcoming drop.');
      case 'duplicate':
        return conflict('already_exists', 'The address is already signed up for this drop.');
      case 'full':
        return conflict('conflict', 'The next drop has no slot left.');
      case 'has-account':
      case 'signed-up': {
        const signedUp = result.kind === 'signed-up';
        return done({
          signedUp,
          hasExistingAccount: !signedUp,
          dropSlotInfo: dropSlotInfo(result.slot, now),
        });
      }
    }
  });
}
