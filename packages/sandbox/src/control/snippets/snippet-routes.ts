import type { RouteContext } from '@latchkey/server';
import type { Database } from '@latchkey/server/extension';
import * as z from 'zod';
import { elementsField, themeField } from '../../integration/choice-fields.js';
import { integrationOf } from '../../integration/integration.js';
import { SAMPLE_CHOICE, type SnippetChoice, type SnippetClient } from '../../integration/snippet-choice.js';
import { unknown } from '../access/control-failure.js';
import { type ControlRoute, controlRoute } from '../access/control-route.js';

const choice = z.strictObject({
  clientId: z.string().max(100).optional().describe('Client of the site. Default: those of the sample data.'),
  communityId: z.uuid().toLowerCase().optional(),
  planId: z.uuid().toLowerCase().optional(),
  elements: elementsField
    .optional()
    .describe('Elements with their attributes; true is an attribute without a value.'),
  theme: themeField.default({}).describe('CSS custom properties of the elements.'),
});

/** Endpoint with the values and the code to paste into a site. */
export function snippetRoutes(context: () => RouteContext): readonly ControlRoute[] {
  return [
    controlRoute({
      method: 'POST',
      path: '/snippets',
      summary: 'Returns the values, an .env file and the code to paste into a site, with your own ids.',
      body: choice,
      async handle({ body }) {
        const { baseUrl, serviceNames, db } = context();
        return integrationOf({ baseUrl, serviceNames, choice: await choiceOf(db, body) });
      },
    }),
  ];
}

async function choiceOf(
  db: Database,
  {
    clientId,
    communityId = SAMPLE_CHOICE.communityId,
    planId = SAMPLE_CHOICE.planId,
    elements,
    theme,
  }: z.output<typeof choice>,
): Promise<SnippetChoice> {
  await requireRow(db, 'communities', communityId);
  await requireRow(db, 'pricing_plans', planId);
  const chosen = clientId === undefined ? undefined : await findSnippetClient(db, clientId);
  const shown = chosen?.clientId ?? SAMPLE_CHOICE.clientId;
  return {
    clientId: shown,
    backendClient: chosen ?? SAMPLE_CHOICE.backendClient,
    communityId,
    planId,
    elements: (elements as SnippetChoice['elements']) ?? {
      'latchkey-login': { 'client-id': shown, backend: '/auth' },
      'latchkey-gate': { backend: '/auth', community: communityId },
    },
    theme,
  };
}

async function findSnippetClient(db: Database, id: string): Promise<SnippetClient> {
  const client = await db
    .selectFrom('oauth_clients')
    .select(['client_id', 'type'])
    .where('client_id', '=', id)
    .executeTakeFirst();
  if (client === undefined) throw unknown('client', id);
  return { clientId: client.client_id, hasSecret: client.type === 'confidential' };
}

async function requireRow(db: Database, table: 'communities' | 'pricing_plans', id: string): Promise<void> {
  const row = await db.selectFrom(table).select('id').where('id', '=', id).executeTakeFirst();
  if (row === undefined) throw unknown(table === 'communities' ? 'community' : 'plan', id);
}
