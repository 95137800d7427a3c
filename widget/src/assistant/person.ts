import type { VisitorChat } from 'server/contract';
import type { PartContext, Parts } from '../chat/context.ts';
import type { AssistantTexts } from './languages.ts';

/**
 * The visitor's wish for a person. It is kept until the server has it, for all tabs, and the assistant is out of the way at once.
 * Before the first message, it goes with that.
 */
export function createPerson(context: PartContext, own: AssistantTexts) {
  const { panel, signal, storage, store, texts } = context;
  let isAsking = false;
  let form: ReturnType<Parts['form']['start']> | null = null;
  let isOffered = false;

  async function ask(chatId: string): Promise<void> {
    if (isAsking || store.state.connection !== 'live') return;
    isAsking = true;
    const answer = await context.live?.request('want_person', { chatId });
    isAsking = false;
    // Otherwise, the next change asks again: that of the connection, or of a `sync`, of which there is one every half minute.
    if (!answer || (!answer.ok && answer.retryable)) return;
    storage.write('person', '');
    if (answer.ok) context.live?.changeChat(chatId, { assistant: null });
    else panel.composer.say(texts.failed);
  }

  /** While nobody is there to take over, the answer may come by mail. */
  async function offerMail(isDue: boolean): Promise<void> {
    if (isDue === isOffered) return;
    isOffered = isDue;
    const part = await context.loadPart('form').catch(() => null);
    if (!part || signal.aborted) return;
    const words = { ...texts, askTitle: own.mail, start: texts.save, skip: texts.notNow };
    form ??= part.start(Object.assign(Object.create(context), { texts: words }));
    form.show(isOffered ? 'mail' : null);
  }

  return {
    /** The visitor has pressed the button. */
    want(): void {
      const { chat, connection } = store.state;
      storage.write('person', '1');
      // Where articles cover the conversation, their own button leads to it.
      panel.node.querySelector<HTMLElement>('.reading .ways button')?.click();
      // In an open chat, the server says so in the conversation.
      if (connection !== 'live' || !chat?.assistant) panel.composer.say(own.asked);
      panel.composer.focus();
    },
    /** @param isAssisted whether the assistant has the open chat @param isHanded whether people have taken over from it */
    render(open: VisitorChat | null, isAssisted: boolean, isHanded: boolean, isWanted: boolean): void {
      const { begins, config } = store.state;
      const isAlone = open?.status === 'waiting' && !config.online && config.mail && storage.read('met') !== 'mail';
      void offerMail(isAlone && (isHanded || (isAssisted && isWanted)));
      if (!isWanted) return;
      if (open && isAssisted) void ask(open._id);
      else if (open) storage.write('person', '');
      else if (config.assistant || !begins?.person) {
        const { assistant: _, ...ofPeople } = config;
        store.set({ config: ofPeople, begins: { ...begins, person: true } });
      }
    },
  };
}
