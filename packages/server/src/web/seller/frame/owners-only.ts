import type { Response } from 'express';
import { messagePage } from '../../ui/frame/message-page.js';
import { sendPage } from '../../ui/frame/send-page.js';
import { communityPath } from './seller-paths.js';

/** Sends 403 to an admin who tried to change roles. */
export function sendOwnersOnly(community: { id: string }, response: Response): void {
  const html = messagePage({
    title: 'Only an owner can change roles',
    text: 'You are an admin of this community. Ask one of its owners to make the change.',
    action: { href: `${communityPath(community.id)}/roles`, label: 'View roles' },
  });
  sendPage(response, html, { status: 403 });
}
