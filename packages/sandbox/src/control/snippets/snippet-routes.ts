import type { Database } from '@latchkey/server/extension';
import * as z from 'zod';
import { elementsField, themeField } from '../../integration/element-markup.js';
import { SAMPLE_CHOICE, type SnippetChoice, type SnippetClient } from '../../integration/snippet-choice.js';
import { integrationOf } from '../../integration/snippets.js';
import type { Needs } from '../../services/services.js';
import { type ControlRoute, controlRoute } from '../access/control-route.js';
import { requireRow } from '../data/records/records.js';

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
export function snippetRoutes(services: Needs<'baseUrl' | 'db' | 'serviceNames'>): readonly ControlRoute[] {
  return [
    controlRoute('POST /snippets', {
      summary: 'Returns the values, an .env file and the code to paste into a site, with your own ids.',
      body: choice,
      async handle({ body }) {
        return integrationOf(services, await choiceOf(services.db, body));
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
  await requireRow(db, 'plans', planId);
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
  const { client_id, type } = await requireRow(db, 'clients', id);
  return { clientId: String(client_id), hasSecret: type === 'confidential' };
}
