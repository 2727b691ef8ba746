import { AccountField } from '../../ui/parts/account-field.js';
import { Button, ButtonLink } from '../../ui/parts/button.js';
import { CopyField } from '../../ui/parts/copy.js';
import { Panel } from '../../ui/parts/panel.js';

/** Panel with the signing secret of a webhook. The secret is in the page only after the user has asked for it. */
export function WebhookSecret(props: {
  webhookId: string;
  /** Undefined until the user asks for it. */
  secret: string | undefined;
  signatureHeader: string;
  account: string;
}) {
  const { webhookId, secret, signatureHeader, account } = props;
  const path = `/developer/webhooks/${webhookId}`;
  return (
    <Panel
      id="signing-secret"
      heading="Signing secret"
      actions={
        secret === undefined ? (
          <form method="post" action={`${path}/secret#signing-secret`}>
            <AccountField account={account} />
            <Button isSmall>Reveal secret</Button>
          </form>
        ) : (
          <ButtonLink isSmall href={`${path}#signing-secret`}>
            Hide secret
          </ButtonLink>
        )
      }
    >
      {secret !== undefined && <CopyField label="Secret" value={secret} isSecret />}
      <p class="muted">
        Each request has the header <code>{signatureHeader}</code>: the HMAC-SHA256 of the raw body, in
        lower-case hex. The key is the secret as a literal string of 64 characters. Verify it before you parse
        the JSON. To replace the secret, edit the webhook.
      </p>
    </Panel>
  );
}
