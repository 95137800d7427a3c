import type { Logger } from 'pino';
import type { Leases } from '#platform/cluster';
import type { SecretBox } from '#platform/secrets';
import type { MailIn } from '../mailIn.ts';
import type { ReceiverDeps } from '../receiving/received.ts';
import { createReceiver } from '../receiving/receiver.ts';
import { startImapDoor } from './imap.ts';
import { startListener } from './listener.ts';

interface DoorDeps extends Omit<ReceiverDeps, 'mailIn'>, Pick<Leases, 'lease'> {
  mailIn: MailIn | null;
  secretBox: SecretBox;
  log: Logger;
}

/**
 * Opens the doors that the operator has set; the one for programs is a call.
 * @returns a disposer, which waits for mails on their way
 * @throws EnvError as `startListener`
 */
export async function openDoors({ mailIn, log, lease, secretBox, ...deps }: DoorDeps): Promise<() => Promise<void>> {
  if (!mailIn) return async () => {};
  const { imap, listener } = mailIn.settings;
  const door = { ...mailIn, receive: createReceiver({ ...deps, mailIn }), now: deps.now, log };
  const port = listener && (await startListener({ ...door, settings: listener }));
  const close = imap && startImapDoor({ ...door, settings: imap, secretBox, lease: lease('mailIn') });
  return async () => {
    await Promise.all([port?.stop(), close?.()]);
  };
}
