import { describe, expect } from 'vitest';
import { allowInserts, refuseInserts } from '../database/refuse-inserts.js';
import { itWithDatabase as it } from '../service-with-database.js';

describe('full disk of the database', () => {
  it('answers requests that write with 503 and Retry-After, and /readyz with the reason', async ({
    service,
    db,
  }) => {
    await refuseInserts(db, 'sign_in_codes', 'disk_full');
    const { status, headers } = await service
      .browser()
      .post('/sign-in/code', { email: 'ada@example.com', continue: '/account' });
    expect({ status, retryAfter: headers.get('retry-after') }).toEqual({ status: 503, retryAfter: '60' });
    const ready = await service.request('/readyz');
    expect([ready.status, await ready.json()]).toEqual([503, { status: 'database is full' }]);
    await allowInserts(db, 'sign_in_codes');
  });
});
