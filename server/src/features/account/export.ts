import { apiKeysOf } from '#features/apikeys';
import { deviceView, type SessionDoc, type UserDoc, userView } from '#features/auth';
import { type MessageDoc, MessageModel, type NoteDoc, NoteModel } from '#features/chats';
import { viewsOf } from '#features/inbox';
import { type ReplyDoc, ReplyModel } from '#features/replies';
import { settingsView } from '#features/settings';
import { memberOf, sitesOfUser } from '#features/sites';
import { jsonList } from '#platform/http';
import { devicesOf } from '#platform/push';
import type { AccountExport, OwnText } from './contract.ts';

/**
 * The data export (GDPR) of an account, as pieces of one JSON text, so that memory use does not grow with the account's history.
 */
export async function* accountJson(user: UserDoc, sessions: SessionDoc[], currentId: string): AsyncGenerator<string> {
  const { _id, createdAt, twoFactor, oidc } = user;
  const head: Omit<AccountExport, 'messages' | 'notes' | 'replies'> = {
    profile: { ...userView(user), createdAt: createdAt.toISOString() },
    settings: settingsView(user),
    twoFactor: twoFactor
      ? { since: twoFactor.since.toISOString(), recoveryCodesLeft: twoFactor.recovery.length }
      : null,
    oidc: oidc ? { ...oidc, since: oidc.since.toISOString() } : null,
    sessions: sessions.map((session) => deviceView(session, currentId)),
    apiKeys: await apiKeysOf(_id),
    pushDevices: (await devicesOf(_id)).map(({ endpoint, seenAt }) => ({
      service: new URL(endpoint).host,
      seenAt: seenAt.toISOString(),
    })),
    memberships: await membershipsOf(user),
    savedViews: await viewsOf(_id, await sitesOfUser(_id)),
  };
  yield `${JSON.stringify(head).slice(0, -1)},"messages":`;
  // Filtered by the fields of the index that keeps each sender's messages unique, so that this index finds them.
  yield* jsonList(
    MessageModel.find({ senderKey: `u:${_id}` })
      .lean<MessageDoc>()
      .cursor(),
    ownText,
  );
  yield ',"notes":';
  yield* jsonList(NoteModel.find({ author: _id }).lean<NoteDoc>().cursor(), ownText);
  yield ',"replies":';
  yield* jsonList(ReplyModel.find({ owner: _id }).lean<ReplyDoc>().cursor(), ownReply);
  yield '}';
}

async function membershipsOf({ _id }: UserDoc): Promise<AccountExport['memberships']> {
  const sites = await sitesOfUser(_id);
  return sites.flatMap((site) => {
    const member = memberOf(site, _id);
    return member ? [{ site: { _id: site._id.toHexString(), name: site.name }, ...member }] : [];
  });
}

function* ownReply({ site, shortcut, content }: ReplyDoc): Generator<string> {
  const reply: AccountExport['replies'][number] = { siteId: site.toHexString(), shortcut, content };
  yield JSON.stringify(reply);
}

function* ownText({ _id, chat, site, content, createdAt }: MessageDoc | NoteDoc): Generator<string> {
  const text: OwnText = {
    _id: _id.toHexString(),
    chatId: chat.toHexString(),
    siteId: site.toHexString(),
    content,
    createdAt: createdAt.toISOString(),
  };
  yield JSON.stringify(text);
}
