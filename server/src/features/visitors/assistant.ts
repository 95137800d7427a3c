import { answerHelped, handedOver, SEQ_MAX } from '#features/chats';
import { flag, type InputSchema, idField, type Limits, whole } from '#platform/http';
import { ownChat } from './actions.ts';
import { countMessage, refuseBlocked } from './guards.ts';
import type { VisitorRouter } from './socket.ts';
import { visitorChatView } from './view.ts';

const personSchema: InputSchema = { chatId: idField('chatId') };
const helpedSchema: InputSchema = {
  ...personSchema,
  seq: whole('seq', { min: 1, max: SEQ_MAX }),
  helped: { ...flag('helped'), optional: false as const },
};

/** Registers what widgets ask of the assistant. */
export function assistantSocket(router: VisitorRouter, { limits }: { limits: Limits }): void {
  router.on('want_person', personSchema, async ({ chatId }, access) => {
    const chat = await ownChat(access, chatId);
    return { chat: await visitorChatView(await handedOver({ chat, site: access.site }, 'asked')) };
  });

  router.on('answer_helped', helpedSchema, async ({ chatId, seq, helped }, access) => {
    await countMessage(access, limits);
    refuseBlocked(access.visitor);
    const chat = await ownChat(access, chatId);
    await answerHelped({ chat, site: access.site }, seq, helped);
    return {};
  });
}
