import {
  type ChatDoc,
  ChatModel,
  chatView,
  type MessageDoc,
  MessageModel,
  type NoteDoc,
  NoteModel,
  noteView,
  staffMessageView,
} from '#features/chats';
import { jsonList } from '#platform/http';
import type { VisitorAccess } from '../model.ts';
import { visitorDetailsView, visitorView } from '../view.ts';
import type { ExportedMessage, PersonExport } from './contract.ts';

/**
 * The data export (GDPR): all stored data about a person as the pieces of one JSON text, so that memory use does not grow with the
 * number of chats.
 */
export async function* exportPerson({ visitor, site }: VisitorAccess): AsyncGenerator<string> {
  const person: PersonExport['visitor'] = {
    ...visitorView(visitor),
    ...visitorDetailsView(visitor),
    site: { _id: site._id.toHexString(), name: site.name },
    userAgent: visitor.userAgent,
    location: visitor.location,
    blocked: visitor.blocked,
    createdAt: visitor.createdAt.toISOString(),
    lastSeenAt: visitor.lastSeenAt.toISOString(),
  };
  yield `{"visitor":${JSON.stringify(person)},"chats":`;
  const chats = ChatModel.find({ visitor: visitor._id }).sort({ _id: 1 }).lean<ChatDoc>().cursor();
  yield* jsonList(chats, async function* (chat) {
    const { messages: _first, ...row } = await chatView(chat, site);
    yield `${JSON.stringify(row).slice(0, -1)},"messages":`;
    const messages = MessageModel.find({ chat: chat._id }).sort({ seq: 1 }).lean<MessageDoc>().cursor();
    yield* jsonList(messages, async function* (message) {
      yield JSON.stringify(await exportedMessage(message));
    });
    yield ',"notes":';
    const notes = NoteModel.find({ chat: chat._id }).sort({ _id: 1 }).lean<NoteDoc>().cursor();
    yield* jsonList(notes, async function* (note) {
      const { mentions: _mentions, ...view } = noteView(note);
      yield JSON.stringify(view);
    });
    yield '}';
  });
  yield '}';
}

async function exportedMessage(message: MessageDoc): Promise<ExportedMessage> {
  const { mail, ...view } = await staffMessageView(message);
  return { ...view, ...(mail && message.mail && { mail: { ...mail, ...message.mail } }) };
}
