import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';

/** Mail server that accepts and stores every message. */
export interface MailServer {
  readonly port: number;
  /** Received messages with headers and text. */
  readonly received: readonly string[];
  /** Answers every recipient with this line. `undefined` accepts them again. */
  rejectRecipients(line: string | undefined): void;
  close(): Promise<void>;
}

const ANSWERS: ReadonlyMap<string, string> = new Map([
  ['QUIT', '221 bye'],
  ['STARTTLS', '502 not implemented'],
]);

/** Implements the part of SMTP (RFC 5321) that delivers a message. */
export async function startMailServer(): Promise<MailServer> {
  const received: string[] = [];
  let rejection: string | undefined;
  const server = createServer((socket) => {
    let buffered = '';
    let inMessage = false;
    const answer = (line: string) => socket.write(`${line}\r\n`);
    answer('220 test');
    socket.on('data', (chunk) => {
      buffered += chunk.toString();
      if (inMessage) {
        const end = buffered.indexOf('\r\n.\r\n');
        if (end === -1) return;
        received.push(buffered.slice(0, end));
        buffered = buffered.slice(end + 5);
        inMessage = false;
        answer('250 taken');
      }
      for (let end = buffered.indexOf('\r\n'); end !== -1 && !inMessage; end = buffered.indexOf('\r\n')) {
        const command = buffered.slice(0, end).toUpperCase();
        buffered = buffered.slice(end + 2);
        inMessage = command === 'DATA';
        const refused = command.startsWith('RCPT') ? rejection : undefined;
        answer(inMessage ? '354 go on' : (refused ?? ANSWERS.get(command) ?? '250 fine'));
      }
    });
    socket.on('error', () => socket.destroy());
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  return {
    port: (server.address() as AddressInfo).port,
    received,
    rejectRecipients: (line) => {
      rejection = line;
    },
    close: () => new Promise((closed) => server.close(() => closed())),
  };
}
