import { expect } from 'chai';
import { wakeAt } from '../src/time/wake-up.js';
import { createFakeTime } from './support/fake-time.js';

const DAY = 24 * 3600_000;

describe('an alarm', () => {
  it('rings once, when the clock shows its time', async () => {
    const time = createFakeTime();
    let rung = 0;
    wakeAt(time, time.clock.now() + 1000, () => rung++);
    await time.advance(999);
    expect(rung).to.equal(0);
    await time.advance(1);
    expect(rung).to.equal(1);
    await time.advance(DAY);
    expect(rung).to.equal(1);
  });

  it('further off than 2^31 milliseconds never asks a timer for more than that, and rings on time', async () => {
    const time = createFakeTime();
    let rung = 0;
    wakeAt(time, time.clock.now() + 100 * DAY, () => rung++);
    expect(time.delays()).to.deep.equal([2 ** 31 - 1]);
    await time.advance(100 * DAY - 1);
    expect(rung).to.equal(0);
    await time.advance(1);
    expect(rung).to.equal(1);
  });

  it('for a time that has passed rings in a later task, never at once', async () => {
    const time = createFakeTime();
    let rung = 0;
    wakeAt(time, time.clock.now() - 5, () => rung++);
    expect(rung).to.equal(0);
    await time.advance(0);
    expect(rung).to.equal(1);
  });

  it('that is called off does not ring, not even after its first nap', async () => {
    const time = createFakeTime();
    let rung = 0;
    const callOff = wakeAt(time, time.clock.now() + 60 * DAY, () => rung++);
    await time.advance(30 * DAY);
    callOff();
    await time.advance(60 * DAY);
    expect(rung).to.equal(0);
    expect(time.delays()).to.deep.equal([]);
  });
});
