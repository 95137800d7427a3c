import type { Message, VisitorChat } from 'server/contract';
import type { PartContext } from '../chat/context.ts';
import { drawn, robot } from './answer.ts';
import type { AssistantTexts } from './languages.ts';
import type { Speech } from './speech.ts';

/** A run that the server says nothing more of ends after this time. */
const RUN_MS = 30_000;

/** The bubble below the conversation with what there is of an answer on its way: whole sentences, and dots for what is to come. */
export function createStream(context: PartContext, own: AssistantTexts, speech: Speech) {
  const { host, store } = context;
  const { el } = host.dom;
  const author = el('div', 'author');
  const words = el('span', '');
  const dots = el('span', 'dots', { 'aria-hidden': 'true' }, '•••');
  const node = el('div', 'bubble', {}, author, el('div', 'text', { dir: 'auto' }, robot(host), words, dots));
  /** All runs that were shown: an answer of the server may be older than an event that came before it. */
  const begun = new Set(['']);
  /** The run that is shown, when it began, and what is shown of its answer. */
  let run = '';
  let since = 0;
  let answer = '';

  /** @returns whether it is the run that is shown */
  function show(next = ''): boolean {
    if (begun.has(next)) return run === next;
    begun.add(next);
    run = next;
    since = Date.now();
    answer = '';
    words.replaceChildren();
    speech.say(own.thinking);
    return true;
  }

  return {
    node,
    render(chat: VisitorChat | null, name: string): void {
      const { sentences = [] } = store.state;
      const current = chat?.assistant?.run;
      store.state.sentences = [];
      author.textContent = name;
      show(current);
      for (const { chatId, run: of, upTo, text } of sentences) {
        // After a part that got lost, the rest waits for the whole message.
        if (chatId !== chat?._id || !show(of) || upTo - text.length !== answer.length) continue;
        answer += text;
        words.append(text);
        speech.say(text);
      }
      const isOn = current || answer || Date.now() - since < RUN_MS;
      node.hidden = !chat || !run || !isOn;
    },
    /** The answer is stored: its message takes the place of the bubble, and looks like it at once. @returns what was read of it */
    end(message: Message): string {
      const row = node.previousElementSibling?.querySelector('.text');
      if (row?.textContent === message.text) row.replaceChildren(...drawn(context, own, message));
      const read = answer;
      run = answer = '';
      words.replaceChildren();
      node.hidden = true;
      return read;
    },
  };
}
