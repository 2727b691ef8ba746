import { sql } from 'kysely';
import { expect, it, onTestFinished } from 'vitest';
import { connectDatabase } from '../../src/platform/database/open-database.js';
import { postProvision, provision } from '../provision-requests.js';
import { databaseUnderTest, startService } from '../service-under-test.js';

it('many concurrent orders of one buyer queue without delaying other callers', {
  tags: ['retry.provision-idempotent'],
}, async () => {
  const database = await databaseUnderTest();
  const service = await startService({ database: `${database}?connection_limit=2&connect_timeout=60` });
  onTestFinished(() => service.server.close());
  const elsewhere = await connectDatabase(database);
  onTestFinished(() => elsewhere.destroy());
  const email = 'eager@shop.example';
  const { membershipId } = await provision(service, { email, externalOrderId: 'order-0' });
  const answers = await elsewhere.transaction().execute(async (transaction) => {
    // Until this transaction ends, every provisioning of the buyer's membership waits for its row.
    await sql`select id from memberships where id = ${membershipId} for update`.execute(transaction);
    const orders = Array.from({ length: 20 }, (_, order) =>
      postProvision(service, { email, externalOrderId: `order-${order + 1}` }),
    );
    // Answered while all of them wait, over the remaining connection.
    const other = await postProvision(service, { email: 'patient@shop.example' });
    expect(other.status, other.text).toBe(200);
    return orders;
  });
  for (const { status, body, text } of await Promise.all(answers)) {
    expect(status, text).toBe(200);
    expect(body).toMatchObject({ data: { membershipId, status: 'extended' } });
  }
});
