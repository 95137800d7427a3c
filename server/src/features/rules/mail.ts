import { recipients } from '#features/auth';
import { type ChatOfSite, type MessageDoc, MessageModel } from '#features/chats';
import { memberOf } from '#features/sites';
import type { Limits } from '#platform/http';
import { type Mail, type MailDraft, mailName, mailText } from '#platform/mail';
import type { RuleOutcome } from './contract.ts';
import type { RuleRunDoc } from './model.ts';

/**
 * Mails members about a chat to which a rule applied: those who are still on the team, and want mails. A mail's id is made from the
 * action, so that a retry after a crash sends none twice.
 */
export async function mailOfRule(
  { run, chat, site, key }: ChatOfSite & { run: RuleRunDoc; key: string },
  members: string[],
  { mail, limits }: { mail: Mail; limits: Limits },
): Promise<RuleOutcome> {
  const users = (await recipients({ _id: { $in: members } })).filter(({ _id }) => memberOf(site, _id));
  if (users.length === 0) return 'missing';
  const readers = users.filter(({ notifications }) => notifications?.emailNotifications !== false);
  if (!mail.enabled || readers.length === 0) return 'refused';
  if (!(await limits.mayTake('ruleMailsPerSite', site._id.toHexString(), readers.length))) return 'refused';
  const content = await contentOf(run, { chat, site });
  for (const { _id, email, language } of readers)
    await mail.send({ ...content, to: email, language }, `rule:${key}:${_id}`);
  return 'done';
}

async function contentOf(
  { rule, message: about }: RuleRunDoc,
  { chat, site }: ChatOfSite,
): Promise<Omit<MailDraft, 'to'>> {
  const values = {
    site: mailName(site.name, mailText('your website')),
    visitor: mailName(chat.visitorInfo.name, mailText('a visitor')),
    rule: mailName(rule.name, mailText('A rule')),
  };
  const message = about && (await MessageModel.findOne({ _id: about, deletedAt: null }).lean<MessageDoc>());
  return {
    kind: 'rule',
    subject: mailText('{rule}: {visitor} on {site}', values),
    text: [
      mailText('The rule “{rule}” of {site} applies to the chat with {visitor}.', values),
      ...(message ? [{ by: values.visitor, text: message.content, message: message._id.toHexString() }] : []),
    ],
    action: { label: mailText('Open the chat'), path: `/dashboard/inbox?chat=${chat._id}` },
    footer: mailText(
      'You get this mail because you are on the team of {site}. You can turn these mails off in your settings under Notifications.',
      values,
    ),
    behalf: { site: site._id.toHexString(), account: site.owner.toHexString() },
    about: [site._id, chat._id, chat.visitor].map(String),
  };
}
