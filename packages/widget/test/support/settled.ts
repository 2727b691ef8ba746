/** Reads of bodies, which browsers finish in tasks of their own: those that have begun, and those that are not done. */
let begun = 0;
let underWay = 0;

// Libraries copy responses and read the copies, so the reads of every body on this page count.
for (const { prototype } of [Request, Response]) {
  prototype.text = counted(prototype.text);
  prototype.json = counted(prototype.json);
}

function counted<Content>(read: () => Promise<Content>): () => Promise<Content> {
  return function (this: Body) {
    begun += 1;
    underWay += 1;
    return read.call(this).finally(() => {
      underWay -= 1;
    });
  };
}

/**
 * Waits until all running work ends: reads of bodies, locks, messages between tabs, and their consequences. Does not wait for
 * what the test controls: responses that it delays, timers of its fake time, and locks that wait for those.
 */
export async function settled(): Promise<void> {
  let locks = '';
  for (;;) {
    const [locksBefore, begunBefore, wasIdle] = [locks, begun, underWay === 0];
    await nextTask();
    await messagesAreDelivered();
    locks = await locksAsTheyAre();
    if (wasIdle && underWay === 0 && begun === begunBefore && locks === locksBefore) return;
  }
}

/** The browser answers after it has given the locks that it could give: it takes requests and questions in turn. */
async function locksAsTheyAre(): Promise<string> {
  return JSON.stringify(await navigator.locks.query());
}

const [near, far] = (() => {
  const name = `settled-${crypto.randomUUID()}`;
  return [new BroadcastChannel(name), new BroadcastChannel(name)] as const;
})();

/** A message of one's own comes after all that were posted before it. */
function messagesAreDelivered(): Promise<void> {
  return new Promise((resolve) => {
    far.onmessage = () => resolve();
    near.postMessage('');
  });
}

function nextTask(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve));
}
