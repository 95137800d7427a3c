import type { Mail } from '../mail/mail.ts';
import { mailName } from '../mail/names.ts';
import { INVITE_DAYS } from '../team/contract.ts';
import type { Invited } from '../team/facts.ts';

/** Mails somebody the link of an invite. */
export async function mailInvite(mail: Mail, { invite, site, inviter }: Invited): Promise<void> {
  const { _id, email, role } = invite;
  const who = mailName(inviter.name, 'Somebody');
  const where = mailName(site.name, 'a website');
  await mail.send(
    {
      kind: 'invite',
      to: email,
      subject: `${who} invites you to answer chats of ${where}`,
      text: [
        `${who} (${inviter.email}) invites you to the team of ${where} on Parley, as ${role}.`,
        `The link works once, for ${INVITE_DAYS} days, and for this address.`,
      ],
      action: { label: 'See the invite', path: `/invite/${_id}` },
      footer: 'You get this mail because somebody typed your address in. If you do not know the person, do nothing.',
      behalf: { site: site._id.toHexString(), account: inviter._id.toHexString() },
      about: [site._id.toHexString()],
    },
    `invite:${_id}`,
  );
}
