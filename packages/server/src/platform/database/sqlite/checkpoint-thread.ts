// Runs in a separate thread, see background-checkpoints.ts. Each message asks for one checkpoint, except `close`.
import { statSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { type MessagePort, parentPort, workerData } from 'node:worker_threads';
import type { CheckpointThreadData } from './background-checkpoints.js';

const port = parentPort as MessagePort;
const { path, dev, ino } = workerData as CheckpointThreadData;
const found = statSync(path, { bigint: true });
// SQLite would create a file if there is none, and it deletes the log next to an empty file.
if (found.dev !== dev || found.ino !== ino) throw new Error(`${path} is no longer the file of the database.`);
const database = new DatabaseSync(path);
// Passive: it neither waits for readers or writers nor makes them wait.
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
