import { webhookEventSchemas } from '@latchkey/contract';
import { DAY_MS, formatTimestamp, HOUR_MS } from '@latchkey/contract/constants';
import { addRows, type TableContents, type TableRow } from '@latchkey/server/extension';
import {
  ID_KINDS,
  memberRows,
  paidAtOf,
  type ScenarioMember,
  type ScenarioPlan,
  scenarioId,
} from './member-rows.js';
import { randomNumbers } from './random-numbers.js';
import { busyPlans, sandboxScenario } from './sandbox-scenario.js';
import { type Scenario, unlessExists } from './scenario.js';

const FIRST = (
  'Aaron Abena Adele Agnes Ahmed Aiko Alba Alina Amara Amir Anders Anika Anton Arjun Astrid Aylin Bao Beatriz Bela ' +
  'Bruno Carla Cem Chidi Chloe Claudia Daan Daria Devi Diego Dilan Dmitri Edda Eero Elena Elif Emeka Emil Esra Fatima ' +
  'Felix Fiona Flora Freya Gabriel Gina Greta Hana Hannes Hiro Ida Imani Ines Ingrid Isaac Ivo Jaana Jakob Jana Joao ' +
  'Jonas Juna Kaito Karim Katja Kenji Kira Lale Lars Leila Lena Leo Lina Linh Luca Lucia Magnus Maja Malik Marta Mateo ' +
  'Mei Milan Mina Nadia Nils Noor Nora Olek Omar Oskar Paula Pedro Priya Rafael Rania Rosa Ruben Sana Selma Sora'
).split(' ');

const LAST = (
  'Abbott Acosta Adeyemi Albrecht Almeida Andersen Arslan Bakker Barros Baumann Becker Bergman Bianchi Blom Boateng ' +
  'Bosch Brandt Castro Chen Costa Cruz Dahl Demir Diallo Dubois Eklund Engel Eriksen Farah Ferrari Fischer Fontaine ' +
  'Fujita Garcia Gashi Girard Gomez Haas Haddad Hansen Hartmann Hassan Hayashi Heikkinen Horvat Huber Ibrahim Ito Jansen ' +
  'Jensen Jovanovic Kaya Keller Khan Kim Klein Koch Kovac Kowalski Kraus Kumar Lang Larsen Laurent Lehmann Lopez Lund ' +
  'Maier Marino Martin Mensah Meyer Molina Moreau Mori Nagy Nakamura Navarro Nguyen Nielsen Novak Okafor Olsen Ortega ' +
  'Osei Park Patel Pereira Petrov Popescu Quinn Ramos Reyes Ricci Roux Sahin Santos Sato Schmid Silva Singh Sousa ' +
  'Suzuki Tanaka Torres Tran Vargas Varga Vogel Wagner Walsh Weber Winter Wolf Wong Yilmaz Young Zhang Ziegler Zimmer'
).split(' ');

/** Shares no divisor with the number of names, so each member gets a different one. */
const STEP = 7_919;

/** Returns the name of a member. The first 12,000 members have different names. */
function busyName(index: number): string {
  const place = (index * STEP) % (FIRST.length * LAST.length);
  return `${FIRST[place % FIRST.length]} ${LAST[Math.floor(place / FIRST.length)]}`;
}

const MEMBERS = 10_000;
const FIRST_NUMBER = 0x10_0000;
const SEED = 2026;

const { monthly } = sandboxScenario.plans;
const lifetime = { ...sandboxScenario.plans.lifetime, periodDays: null };

export const busyShop: Scenario = {
  title: 'Busy shop',
  summary:
    '10,000 more members on four plans: renewing, cancelled, for life and ended, with 1,000 webhook deliveries.',
  suggestions: [
    'Search the members and the deliveries, and see that the lists stay fast.',
    'Move the clock on by a day: hundreds of subscriptions renew in order, and each sends its events.',
    'Sync your directory of memberships with 10,000 members.',
  ],
  notes: {},
  async write({ db, operator, clock, baseUrl }) {
    const now = clock.now();
    const { community } = sandboxScenario;
    for (const plan of Object.values(busyPlans)) {
      await unlessExists(operator.createPricingPlan({ ...plan, communityId: community.id }));
    }
    const members = busyMembers(now);
    const rows = memberRows(members, { now, returnUrl: `${baseUrl}/account` });
    await addRows(db, { ...rows, ...busyDeliveries(members, now) });
  },
};

/** Returns the members. They depend only on the time, rounded to the hour: many renewals fall on the same moment. */
function busyMembers(now: number): readonly ScenarioMember[] {
  const random = randomNumbers(SEED);
  const hour = now - (now % HOUR_MS);
  return Array.from({ length: MEMBERS }, (_, index) => {
    const name = busyName(index);
    const email = `${name.toLowerCase().replace(' ', '.')}@example.com`;
    return { number: FIRST_NUMBER + index, name, email, ...accessOf(hour, random) };
  });
}

type Access = Omit<ScenarioMember, 'number' | 'name' | 'email'>;

/** Kinds of access, with the share of members that have it. */
const KINDS: readonly [share: number, access: (hour: number, random: () => number) => Access][] = [
  [0.46, (hour, random) => renewing(monthly, hour, random)],
  [0.12, (hour, random) => renewing(busyPlans.yearly, hour, random)],
  [0.1, (hour, random) => ({ plan: lifetime, joinedAt: hour - days(random, 1, 700), endsAt: null })],
  [0.05, (hour, random) => season(hour, random)],
  [0.03, (hour, random) => ({ ...renewing(monthly, hour, random), cancelledAt: hour - HOUR_MS })],
  [1, (hour, random) => ended(hour, random)],
];

function accessOf(hour: number, random: () => number): Access {
  let left = random();
  for (const [share, access] of KINDS) {
    if (left < share) return access(hour, random);
    left -= share;
  }
  return ended(hour, random);
}

function renewing(plan: ScenarioPlan & { periodDays: number }, hour: number, random: () => number): Access {
  const endsAt = hour + 3 * HOUR_MS + days(random, 0, plan.periodDays - 1);
  const earlierPeriods = Math.floor(random() * (plan.periodDays < 100 ? 20 : 2));
  const joinedAt = endsAt - (1 + earlierPeriods) * plan.periodDays * DAY_MS;
  // One card in fifty is declined at the next renewal.
  return { plan, joinedAt, endsAt, method: random() < 0.02 ? 'card-0341' : 'card-4242' };
}

function season(hour: number, random: () => number): Access {
  const endsAt = hour + HOUR_MS + days(random, 0, 88);
  return { plan: busyPlans.season, joinedAt: endsAt - 90 * DAY_MS, endsAt };
}

function ended(hour: number, random: () => number): Access {
  const endsAt = hour - HOUR_MS - days(random, 0, 400);
  const joinedAt = endsAt - (1 + Math.floor(random() * 6)) * 30 * DAY_MS;
  const access = { plan: monthly, joinedAt, endsAt, method: 'card-4242', cancelledAt: endsAt - HOUR_MS };
  if (random() >= 0.3) return access;
  return { ...access, method: 'card-0341', failed: { at: endsAt - HOUR_MS, reason: 'card_declined' } };
}

/** Returns a number of whole hours, in milliseconds. */
function days(random: () => number, least: number, most: number): number {
  return least * DAY_MS + Math.floor(random() * (most - least) * 24) * HOUR_MS;
}

const EVENTS = 1_000;
/** The service deletes events after a month. */
const OLDEST_MS = 25 * DAY_MS;
const DELIVERIES_SEED = 7;
const FAILURE = 'Responded with status 500; only 2xx counts as received.';
const ATTEMPTS_OF_FAILED = 20;

/** How the delivery of an event goes: the failed attempts, and whether one then succeeds. */
interface Course {
  readonly failures: number;
  readonly isDelivered: boolean;
}

/** Returns the events of the newest payments, with their deliveries to the community's webhook and all attempts. */
function busyDeliveries(members: readonly ScenarioMember[], now: number): TableContents {
  const random = randomNumbers(DELIVERIES_SEED);
  const newest = members
    .filter((member) => paidAtOf(member) > now - OLDEST_MS && paidAtOf(member) < now - 4 * DAY_MS)
    .toSorted((one, other) => paidAtOf(other) - paidAtOf(one))
    .slice(0, EVENTS)
    .map((member) => ({ member, course: courseOf(random()) }));
  return {
    webhook_events: newest.map(({ member }) => eventRow(member)),
    webhook_deliveries: newest.map(({ member, course }) => deliveryRow(member, course)),
    webhook_attempts: newest.flatMap(({ member, course }) => attemptRows(member, course)),
  };
}

function courseOf(chance: number): Course {
  if (chance < 0.02) return { failures: ATTEMPTS_OF_FAILED, isDelivered: false };
  return { failures: chance < 0.08 ? 2 : 0, isDelivered: true };
}

function eventRow(member: ScenarioMember): TableRow {
  const { number, plan, email } = member;
  const at = paidAtOf(member);
  const communityId = sandboxScenario.community.id;
  const body = webhookEventSchemas['payment.success'].strict.parse({
    id: scenarioId(ID_KINDS.event, number),
    type: 'payment.success',
    createdAt: formatTimestamp(at),
    data: {
      paymentId: scenarioId(ID_KINDS.payment, number),
      user: { sub: scenarioId(ID_KINDS.user, number), email },
      communityId,
      pricingPlanId: plan.id,
      amount: plan.priceMinor,
      currency: 'EUR',
      externalId: null,
      utmSource: null,
      membershipId: scenarioId(ID_KINDS.membership, number),
    },
  });
  return {
    id: body.id,
    type: 'payment.success',
    community_id: communityId,
    body: JSON.stringify(body),
    created_at: at,
  };
}

function deliveryRow(member: ScenarioMember, { failures, isDelivered }: Course): TableRow {
  const at = paidAtOf(member);
  const finishedAt = attemptAt(at, isDelivered ? failures : failures - 1);
  return {
    id: scenarioId(ID_KINDS.delivery, member.number),
    event_id: scenarioId(ID_KINDS.event, member.number),
    webhook_id: sandboxScenario.webhooks.community.id,
    status: isDelivered ? 'delivered' : 'failed',
    attempts: failures + (isDelivered ? 1 : 0),
    next_attempt_at: finishedAt,
    created_at: at,
    finished_at: finishedAt,
  };
}

function attemptRows(member: ScenarioMember, { failures, isDelivered }: Course): TableRow[] {
  const at = paidAtOf(member);
  return Array.from({ length: failures + (isDelivered ? 1 : 0) }, (_, index) => {
    const failed = index < failures;
    return {
      id: scenarioId(ID_KINDS.attempt + index, member.number),
      delivery_id: scenarioId(ID_KINDS.delivery, member.number),
      attempted_at: attemptAt(at, index),
      duration_ms: 20 + ((member.number * 37) % 180),
      status_code: failed ? 500 : 204,
      failure: failed ? FAILURE : null,
    };
  });
}

/** Returns the time of an attempt. The pauses grow like the service's, to about three days for all twenty. */
function attemptAt(start: number, index: number): number {
  let at = start;
  for (let wait = 0; wait < index; wait += 1) at += Math.min(10_000 * 3 ** wait, 6 * 3600_000);
  return at;
}
