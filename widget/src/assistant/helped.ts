import type { Message } from 'server/contract';
import type { PartContext } from '../chat/context.ts';
import type { AssistantTexts } from './languages.ts';
import type { Speech } from './speech.ts';

/** The question below the newest answer whether it helped. */
export function createHelped(context: PartContext, own: AssistantTexts, speech: Speech) {
  const { host, panel, storage, texts } = context;
  const { el } = host.dom;
  const node = el('div', 'judged', { tabindex: '-1' });
  /** The answer that it asks about, and what was said of it. */
  let asked = '';
  let said = '';

  async function tell({ chatId, seq }: Message, helped: boolean): Promise<void> {
    const answer = await context.live?.request('answer_helped', { chatId, seq, helped });
    if (!answer?.ok) return panel.composer.say(texts.failed);
    said = helped ? texts.thanks : own.unhelped;
    speech.say(said);
    const isLeft = node.contains(host.root.activeElement);
    storage.write('helped', chatId + seq);
    if (isLeft) node.focus();
  }

  return {
    node,
    /** @param answer the newest message, if it is an answer of the assistant */
    render(answer: Message | null): void {
      const key = answer ? answer.chatId + answer.seq : '';
      const isJudged = storage.read('helped') === key;
      if (key !== asked) said = '';
      node.hidden = !key || (isJudged && !said);
      if (key === asked && !isJudged) return;
      asked = key;
      node.replaceChildren(said);
      if (isJudged || !answer) return;
      const choice = (label: string, helped: boolean) => {
        const button = el('button', '', { type: 'button' }, label);
        button.onclick = () => void tell(answer, helped);
        return button;
      };
      node.replaceChildren(texts.helped, choice(texts.yes, true), choice(texts.no, false));
    },
  };
}
