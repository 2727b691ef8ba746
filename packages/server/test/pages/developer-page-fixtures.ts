import { developerApiKeysPage, developerNewApiKeyPage } from '../../src/features/api-keys/api-keys.pages.js';
import { developerClientFormPage } from '../../src/features/clients/client-form.pages.js';
import {
  clientSecretPage,
  developerClientPage,
  developerClientsPage,
} from '../../src/features/clients/clients.pages.js';
import { developerHomePage } from '../../src/features/developer/developer.routes.js';
import type { StoredRoundTrip } from '../../src/features/webhooks/attempt/stored-round-trip.js';
import { developerDeliveryPage } from '../../src/features/webhooks/delivery.pages.js';
import {
  developerWebhookFormPage,
  developerWebhookPage,
  developerWebhooksPage,
  webhookSecretPage,
} from '../../src/features/webhooks/webhooks.pages.js';
import { developerSecretPage, inDeveloper } from '../../src/web/kit/areas/developer-area.js';
import { type AreaFrame, confirmPage } from '../../src/web/kit/frame/area-page.js';
import type { Page } from '../../src/web/kit/frame/send-page.js';

/** 12 June 2026, 14:05 UTC. */
const AFTERNOON = Date.UTC(2026, 5, 12, 14, 5);
const ID = 'oac_a1b2c3d4e5f60718293a4b5c';
const SECTION = '/developer/clients';

/** Every page of the developer area. Ids and addresses that only the service writes are plain. */
export function developerPagesWith(hostile: string, frame: AreaFrame): Record<string, Page> {
  return {
    developerHome: developerHomePage({
      frame,
      baseUrl: hostile,
      progress: {
        clients: 2,
        hasSignIns: true,
        apiKeys: 0,
        webhooks: 1,
        hasAnswers: false,
        firstApp: '/developer/clients',
      },
      failingWebhooks: 1,
      failures: [deliveryWith(hostile)],
      communities: [{ id: hostile, name: hostile, role: 'OWNER' }],
    }),
    ...apiKeyPagesWith(hostile, frame),
    ...clientPagesWith(hostile, frame),
    ...confirmationPagesWith(hostile, frame),
    ...webhookPagesWith(hostile, frame),
  };
}

function apiKeyPagesWith(hostile: string, frame: AreaFrame): Record<string, Page> {
  const apiKey = {
    id: hostile,
    ownerId: hostile,
    name: hostile,
    prefix: 'svc_',
    ending: hostile,
    createdAt: AFTERNOON,
    revokedAt: null,
  };
  const permissions = ['MEMBERSHIP_READ'] as const;
  const errors = [{ field: 'name', message: hostile }];
  return {
    developerApiKeys: developerApiKeysPage({
      frame,
      keys: { rows: [{ ...apiKey, permissions }], next: hostile, isFirst: false },
      revoked: [{ ...apiKey, permissions, revokedAt: AFTERNOON }],
      notice: hostile,
    }),
    developerNewApiKey: developerNewApiKeyPage({
      frame,
      submission: hostile,
      mayProvision: true,
      values: { name: hostile, permissions: [hostile] },
      errors,
    }),
  };
}

function clientPagesWith(hostile: string, frame: AreaFrame): Record<string, Page> {
  const client = {
    clientId: hostile,
    ownerId: hostile,
    secretHash: null,
    verifiedAt: null,
    name: hostile,
    type: 'confidential' as const,
    description: hostile,
    logoUrl: hostile,
    accentChoice: 'own',
    accent: hostile,
    redirectUris: [hostile],
    widgetOrigins: [hostile],
    scopes: [],
    hasObstacle: true,
  };
  const values = {
    name: hostile,
    type: hostile,
    description: hostile,
    logoUrl: hostile,
    accentChoice: 'own',
    accent: hostile,
    redirectUris: hostile,
    widgetOrigins: hostile,
    scopes: [hostile],
    hostedCallback: true,
  };
  const errors = [{ field: 'name', message: hostile }];
  const snippet = { label: hostile, text: hostile };
  return {
    developerClients: developerClientsPage({
      frame,
      clients: { rows: [client], next: hostile, isFirst: false },
    }),
    developerClient: developerClientPage({
      frame,
      client,
      people: 2,
      obstacles: [hostile],
      snippets: [snippet],
    }),
    clientSecret: clientSecretPage(frame, client, {
      secret: hostile,
      title: `${hostile} 1`,
      notes: [hostile],
    }),
    developerNewClient: developerClientFormPage({
      frame,
      values,
      subject: { submission: hostile },
      hostedCallbackUri: hostile,
      errors,
    }),
    developerClientForm: developerClientFormPage({
      frame,
      values,
      subject: { clientId: ID, name: hostile },
      hostedCallbackUri: hostile,
    }),
  };
}

function confirmationPagesWith(hostile: string, frame: AreaFrame): Record<string, Page> {
  return {
    developerConfirm: confirmPage({
      frame,
      ...inDeveloper(SECTION),
      title: `Delete ${hostile}?`,
      subject: hostile,
      consequences: [hostile],
      action: '/developer/clients/x/delete',
      submission: hostile,
      confirmation: { label: hostile, value: hostile },
      errors: [{ field: 'confirmation', message: hostile }],
      button: 'Delete',
      cancel: { href: SECTION, label: 'Keep it' },
    }),
    developerSecret: developerSecretPage({
      frame,
      section: SECTION,
      title: `Secret of ${hostile}`,
      subject: hostile,
      id: { label: 'Id', value: hostile },
      secretLabel: 'Secret',
      secret: hostile,
      lead: hostile,
      notes: [hostile],
      snippet: { label: hostile, text: hostile, language: 'shell' },
      done: { href: SECTION, label: 'Copied' },
    }),
  };
}

function webhookPagesWith(hostile: string, frame: AreaFrame): Record<string, Page> {
  const webhook = {
    id: ID,
    ownerId: ID,
    productId: null,
    url: hostile,
    subjectName: hostile,
    communityId: hostile,
    createdAt: AFTERNOON,
    isActive: true,
    hasAnswered: true,
    failingSince: AFTERNOON,
    pausedAt: null,
    pending: 1,
    failed: 2,
  };
  const delivery = deliveryWith(hostile);
  return {
    developerWebhooks: developerWebhooksPage({
      frame,
      webhooks: { rows: [{ ...webhook, lastDelivery: delivery }], next: hostile, isFirst: false },
    }),
    developerWebhook: developerWebhookPage({
      frame,
      webhook,
      signatureHeader: 'X-Svc-Signature',
      secret: hostile,
      deliveries: [delivery],
      hasOlder: true,
    }),
    developerNewWebhook: developerWebhookFormPage({
      frame,
      values: { url: hostile, subject: hostile, rotateSecret: false },
      submission: hostile,
      of: { subjects: [{ value: hostile, name: hostile }] },
      errors: [{ field: 'url', message: hostile }],
    }),
    developerWebhookForm: developerWebhookFormPage({
      frame,
      values: { url: hostile, subject: '', rotateSecret: true },
      submission: hostile,
      of: { id: ID },
    }),
    webhookSecret: webhookSecretPage(frame, webhook, {
      secret: hostile,
      title: `${hostile} 2`,
      headers: { signature: 'X-Svc-Signature', eventType: 'X-Svc-Event', eventId: 'X-Svc-Event-Id' },
    }),
    developerDelivery: developerDeliveryPage({
      frame,
      signatureHeader: 'X-Svc-Signature',
      delivery: {
        ...delivery,
        body: hostile,
        attempts: [{ ...delivery.lastAttempt, roundTrip: roundTripWith(hostile) }],
        webhook: { url: hostile, subjectName: hostile },
      },
    }),
  };
}

function deliveryWith(hostile: string) {
  return {
    id: ID,
    webhookId: ID,
    eventId: hostile,
    subjectName: hostile,
    type: 'payment.success' as const,
    status: 'pending' as const,
    createdAt: AFTERNOON,
    nextAttemptAt: AFTERNOON,
    finishedAt: null,
    attemptCount: 1,
    lastAttempt: {
      id: ID,
      attemptedAt: AFTERNOON,
      durationMs: 12,
      statusCode: 500,
      failure: hostile,
    },
  };
}

function roundTripWith(hostile: string): StoredRoundTrip {
  const headers = [['X-Svc-Signature', hostile]] as const;
  return {
    request: { url: hostile, headers },
    response: { headers: [[hostile, hostile]], body: hostile, bytes: 5_000, isCut: true },
  };
}
