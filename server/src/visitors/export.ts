import { type ChatDoc, ChatModel, type MessageDoc, MessageModel, type NoteDoc, NoteModel } from '../chats/model.ts';
import { chatView, noteView, staffMessageView } from '../chats/serialize.ts';
import { jsonList } from '../http/answer.ts';
import type { VisitorAccess } from './access.ts';
import type { PersonExport } from './contract.ts';
import { factsView, visitorView } from './view.ts';

/** All that is kept of a person, as the pieces of one JSON text: a long life with the site takes no more memory than a short one. */
export async function* personJson({ visitor, site }: VisitorAccess): AsyncGenerator<string> {
  const person: PersonExport['visitor'] = {
    ...visitorView(visitor),
    ...factsView(visitor),
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
      yield JSON.stringify(await staffMessageView(message));
    });
    yield ',"notes":';
    const notes = NoteModel.find({ chat: chat._id }).sort({ _id: 1 }).lean<NoteDoc>().cursor();
    yield* jsonList(notes, async function* (note) {
      yield JSON.stringify(noteView(note));
    });
    yield '}';
  });
  yield '}';
}
