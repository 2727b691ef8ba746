import { sandboxScenario } from '@latchkey/sandbox';
import { type Operator, OperatorError, type RegisterClient } from '@latchkey/server';

/**
 * Clients of the programs in examples/, so that they run beside the demo without a registration. The secret
 * is part of the examples' code and works only with a sandbox on this machine.
 */
const SCRIPT_TAG_EXAMPLE = { clientId: `oac_${'5c'.repeat(12)}`, origin: 'http://localhost:4403' };
const EXPRESS_EXAMPLE = {
  clientId: `oac_${'e5'.repeat(12)}`,
  clientSecret: `ocs_${'e5'.repeat(24)}`,
  origin: 'http://localhost:4404',
};

/** Registers both clients, unless an earlier start registered them in the same database. */
export async function registerExampleClients(operator: Operator): Promise<void> {
  const common = {
    scopes: ['memberships.read'],
    ownerId: sandboxScenario.users.dana.id,
    hostedCallback: true,
  };
  await registerOnce(operator, {
    ...common,
    clientId: SCRIPT_TAG_EXAMPLE.clientId,
    type: 'public',
    name: 'Script-tag example',
    redirectUris: [],
    widgetOrigins: [SCRIPT_TAG_EXAMPLE.origin],
  });
  await registerOnce(operator, {
    ...common,
    clientId: EXPRESS_EXAMPLE.clientId,
    clientSecret: EXPRESS_EXAMPLE.clientSecret,
    type: 'confidential',
    name: 'Express example',
    redirectUris: [`${EXPRESS_EXAMPLE.origin}/auth/callback`],
    widgetOrigins: [EXPRESS_EXAMPLE.origin],
  });
}

async function registerOnce(operator: Operator, client: RegisterClient): Promise<void> {
  try {
    await operator.registerClient(client);
  } catch (error) {
    if (!(error instanceof OperatorError && error.code === 'already_exists')) throw error;
  }
}
