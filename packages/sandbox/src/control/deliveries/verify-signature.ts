import { createHmac } from 'node:crypto';
import { type Database, isSameHash, signBody } from '@latchkey/server/extension';

/** The body and signature of a delivery, as a receiver got them. */
export interface PastedDelivery {
  readonly body: string;
  readonly signature: string;
}

export interface SignatureCheck {
  readonly verified: boolean;
  /** Id of the webhook with the secret that signed the body; null if there is none. */
  readonly webhookId: string | null;
  /** The likely mistake, in a sentence; null if the signature is right or the mistake isn't known. */
  readonly hint: string | null;
}

/** Ways in which receivers change a body or a signature. Each is tried with every secret. */
const MISTAKES: readonly { hint: string; matches(pasted: PastedDelivery, secret: string): boolean }[] = [
  {
    hint: 'The key is the secret as 64 characters. It was decoded from hex.',
    matches: ({ body, signature }, secret) =>
      isSameHash(signature, createHmac('sha256', Buffer.from(secret, 'hex')).update(body).digest('hex')),
  },
  {
    hint: 'The signature has another encoding or letter case, or a prefix. The service sends lower-case hex.',
    matches: ({ body, signature }, secret) => {
      const bare = signature.trim().replace(/^sha256=/i, '');
      const expected = signBody(Buffer.from(body), secret);
      const base64 = Buffer.from(bare, 'base64').toString('hex');
      return isSameHash(bare.toLowerCase(), expected) || isSameHash(base64, expected);
    },
  },
  {
    hint: 'White space was added to the body. Verify the bytes that arrived.',
    matches: ({ body, signature }, secret) =>
      isSameHash(signature, signBody(Buffer.from(body.trim()), secret)),
  },
  {
    hint: 'The body was parsed and written again. Verify the bytes that arrived.',
    matches: ({ body, signature }, secret) =>
      isSameHash(signature, signBody(Buffer.from(rewritten(body)), secret)),
  },
];

/** Checks a signature with the secrets of all webhooks. No result contains a secret. */
export async function verifySignature(db: Database, pasted: PastedDelivery): Promise<SignatureCheck> {
  const webhooks = await db.selectFrom('webhooks').select(['id', 'secret']).orderBy('created_at').execute();
  const signer = webhooks.find(({ secret }) =>
    isSameHash(pasted.signature, signBody(Buffer.from(pasted.body), secret)),
  );
  if (signer !== undefined) return { verified: true, webhookId: signer.id, hint: null };
  for (const { hint, matches } of MISTAKES) {
    const webhook = webhooks.find(({ secret }) => matches(pasted, secret));
    if (webhook !== undefined) return { verified: false, webhookId: webhook.id, hint };
  }
  return { verified: false, webhookId: null, hint: null };
}

function rewritten(body: string): string {
  try {
    return JSON.stringify(JSON.parse(body));
  } catch {
    return body;
  }
}
