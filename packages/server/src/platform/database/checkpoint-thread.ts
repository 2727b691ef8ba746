// Runs in a thread of its own, see background-checkpoints.ts. Each message asks for one checkpoint, except `close`.
import { DatabaseSync } from 'node:sqlite';
import { type MessagePort, parentPort, workerData } from 'node:worker_threads';

const port = parentPort as MessagePort;
const database = new DatabaseSync(workerData as string);
// Passive: neither waits for readers or writers nor makes them wait.
const checkpoint = database.prepare('PRAGMA wal_checkpoint(PASSIVE)');

port.on('message', (message) => {
  if (message === 'close') {
    database.close();
    port.close();
    return;
  }
  checkpoint.get();
  port.postMessage('done');
});
